import type { PushDeps } from '../../push/deps.ts'
import { findActiveAccount } from '../../identity/accounts/accounts.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { isDatabaseUnavailable, isInTheWay, tried } from '../../platform/db/transaction.ts'
import { can } from '../../platform/rights/permissions.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { AppError, errors, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { CASES, decideCase, type Given } from './cases.ts'
import {
  endDecision,
  insertDecision,
  listOwnDecisions,
  lockDueDecision,
  lockOwnDecision,
  putOffDecision,
  restUntilDecision,
  type Decision,
} from './decisions.queries.ts'

const UNDO_MS = 5_000
const TRIED_FOR_MS = 5 * 60_000
const SHOWN = { ms: 10 * 60_000, most: 200 }

/** Tries the decision, so that what its rule refuses is refused at once, and stores it. It is carried out, and people
 * are told, after five seconds (ADR 22). 409 INVALID_STATE while another decision about the record waits. */
export async function holdDecision<Kind extends DecisionKind>(work: Work, given: Given<Kind>): Promise<Decision> {
  await tried(work.tx, () => decideCase(work, given))
  const { recordId, verdict, ...request } = given.decision
  const decision = await insertDecision(work.tx, {
    kind: given.kind,
    record_id: recordId,
    verdict,
    request,
    decided_by: must(work.by.userId, 'moderator'),
    decided_at: work.now(),
    due_at: work.now(UNDO_MS),
  })
  if (decision === undefined) throw errors.invalidState('Another decision about this was just made.')
  await recordMove(work, 'decision.make', decision)
  work.announce('desk-decisions')
  return decision
}

/** Safe to repeat. 404 for another's, 409 INVALID_STATE when its time is over. */
export async function undoDecision(work: Work, decisionId: number): Promise<Decision> {
  const authorId = must(work.by.userId, 'moderator')
  const decision = existing(await lockOwnDecision(work.tx, decisionId, authorId), 'This decision')
  if (decision.status === 'undone') return decision
  if (decision.status !== 'waiting' || decision.due_at <= work.now())
    throw errors.invalidState('The time to undo this decision is over.')
  await recordMove(work, 'decision.undo', decision)
  return endDecision(work.tx, decisionId, { status: 'undone', error: null, ended_at: work.now() })
}

/** Lists those of the last ten minutes, and older ones that still wait. */
export function ownDecisions({ db, clock }: { db: Db; clock: Clock }, authorId: number): Promise<Decision[]> {
  return listOwnDecisions(db, authorId, fromNow(clock, -SHOWN.ms), SHOWN.most)
}

/** Carries out every decision whose time to be undone is over; gives for how many milliseconds none is due. */
export async function carryOutDueDecisions(deps: PushDeps): Promise<number> {
  for (let isMore = true; isMore;) isMore = await carryOutOne(deps)
  return restUntilDecision(deps.db, deps.clock.now())
}

/** A decision that its rule refuses now has failed and changes nothing: its product may have changed meanwhile. */
async function carryOutOne(deps: PushDeps): Promise<boolean> {
  let decision: Decision | undefined
  try {
    await inWork(deps, THE_SERVICE, async (work) => {
      const { tx, now } = work
      decision = await lockDueDecision(tx, now())
      if (decision === undefined) return
      await carryOut(work, decision, deps)
      await endDecision(tx, decision.decision_id, { status: 'done', error: null, ended_at: now() })
    })
  } catch (thrown) {
    if (decision === undefined || isDatabaseUnavailable(thrown)) throw thrown
    if (isInTheWay(thrown) && deps.clock.now() < decision.decided_at.getTime() + TRIED_FOR_MS)
      await putOff(deps, decision, thrown)
    else await fail(deps, decision, thrown)
  }
  return decision !== undefined
}

/** A lock that was taken says nothing of the decision (ADR 9). The others go first, and it may be undone once more. */
async function putOff({ db, clock, log }: PushDeps, { decision_id: id }: Decision, err: unknown): Promise<void> {
  log.warn({ err, decision_id: id }, 'a decision could not be carried out yet')
  await putOffDecision(db, id, fromNow(clock, UNDO_MS))
}

async function carryOut(work: Work, decision: Decision, { sessions }: PushDeps): Promise<void> {
  const { kind, verdict, request, record_id: recordId, decided_by: userId } = decision
  const account = await findActiveAccount(work.tx, userId)
  if (account === undefined || !can(account.role, CASES[kind].permission)) throw errors.forbidden()
  const by = { userId, role: account.role }
  await decideCase(work.as(by), { kind, decision: { ...request, recordId, verdict } as never, sessions })
}

async function fail(deps: PushDeps, { decision_id: id, decided_by: userId }: Decision, thrown: unknown): Promise<void> {
  const isRefused = thrown instanceof AppError
  if (!isRefused) deps.log.error({ err: thrown, decision_id: id }, 'a decision could not be carried out')
  const error = isRefused ? thrown.message : 'The service failed.'
  await inWork(deps, { ...THE_SERVICE, userId }, async (work) => {
    const due = await lockDueDecision(work.tx, work.now(), id)
    if (due === undefined) return
    await endDecision(work.tx, id, { status: 'failed', error, ended_at: work.now() })
    await recordMove(work, 'decision.fail', due)
  })
}

function recordMove(work: Work, action: `decision.${'make' | 'undo' | 'fail'}`, decision: Decision): Promise<void> {
  const { decision_id: id, kind, record_id: entityId, verdict } = decision
  const change = { after: { decision_id: id, kind, verdict } }
  return work.audit({ action, entity: CASES[kind].entity, entityId, change })
}
