import type { Deps } from '../../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { tried } from '../../platform/db/transaction.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing, must } from '../../platform/shared/must.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import {
  endDecision,
  findNextDue,
  insertDecision,
  listOwnDecisions,
  lockDueDecision,
  lockOwnDecision,
  type Decision,
} from './decisions.queries.ts'

const UNDO_MS = 5_000
const SHOWN = { ms: 10 * 60_000, most: 200 }

/** `trial`: carries it out; what that does is taken back. */
export type NewHeld = {
  kind: DecisionKind
  recordId: number
  verdict: string
  request: object
  trial: () => Promise<unknown>
}
type Ended = { status: 'done' | 'undone' | 'failed'; error?: string }

/** It is carried out, and people are told, after five seconds (ADR 22). 409 INVALID_STATE while another decision about
 * the record waits. */
export async function holdDecision(
  deps: AuditDeps & Pick<Deps, 'queue'>,
  tx: Tx,
  actor: Actor,
  { kind, recordId, verdict, request, trial }: NewHeld,
): Promise<Decision> {
  await tried(tx, trial)
  const decision = await insertDecision(tx, {
    kind,
    record_id: recordId,
    verdict,
    request,
    decided_by: must(actor.userId, 'moderator'),
    decided_at: fromNow(deps.clock),
    due_at: fromNow(deps.clock, UNDO_MS),
  })
  if (decision === undefined) throw errors.invalidState('Another decision about this was just made.')
  await recordMove(tx, deps, actor, 'decision.make', decision)
  announceAfter(deps.queue, tx, 'desk-decisions')
  return decision
}

/** Safe to repeat. 404 for another's, 409 INVALID_STATE when its time is over. */
export async function undoDecision(deps: AuditDeps, tx: Tx, actor: Actor, decisionId: number): Promise<Decision> {
  const authorId = must(actor.userId, 'moderator')
  const decision = existing(await lockOwnDecision(tx, decisionId, authorId), 'This decision')
  if (decision.status === 'undone') return decision
  if (decision.status !== 'waiting' || decision.due_at <= fromNow(deps.clock))
    throw errors.invalidState('The time to undo this decision is over.')
  await recordMove(tx, deps, actor, 'decision.undo', decision)
  return end(deps, tx, decision, { status: 'undone' })
}

export function end(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { decision_id: decisionId }: Decision,
  { status, error = null }: Omit<Ended, 'error'> & { error?: string | null },
): Promise<Decision> {
  return endDecision(tx, decisionId, { status, error, ended_at: fromNow(clock) })
}

/** One that no other worker has in hand, locked. */
export function dueDecision(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  decisionId?: number,
): Promise<Decision | undefined> {
  return lockDueDecision(tx, fromNow(clock), decisionId)
}

export function nextDue({ db }: { db: Db }): Promise<Date | undefined> {
  return findNextDue(db)
}

/** Lists those of the last ten minutes, and older ones that still wait. */
export function ownDecisions({ db, clock }: { db: Db } & Pick<Deps, 'clock'>, authorId: number): Promise<Decision[]> {
  return listOwnDecisions(db, authorId, fromNow(clock, -SHOWN.ms), SHOWN.most)
}

const ENTITIES: Record<DecisionKind, string> = {
  verification: 'product',
  reported_product: 'product',
  report: 'report',
  user_report: 'user_report',
  dispute: 'swap',
}

export function recordMove(
  tx: Tx,
  deps: AuditDeps,
  actor: Actor,
  action: 'decision.make' | 'decision.undo' | 'decision.fail',
  { decision_id: id, kind, record_id: entityId, verdict }: Decision,
): Promise<void> {
  const change = { before: null, after: { decision_id: id, kind, verdict }, subjectId: null }
  return recordAudit(tx, deps, actor, { action, entity: ENTITIES[kind], entityId, change })
}
