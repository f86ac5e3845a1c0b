import { workIn, type Ground } from '../../platform/work/work.ts'
import type { AdministrationDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import {
  approvalExpiry,
  askForApproval,
  mustBeApproved,
  waitingFor,
  type Asked,
} from '../../identity/approvals/approvals.ts'
import { enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing, must } from '../../platform/shared/must.ts'
import type { BulkAction } from '../../platform/tables/office-tables.ts'
import type { UserFilter } from '../users/users-filter.queries.ts'
import { managedBy } from './rights.ts'
import {
  digestOfItems,
  countItems,
  findBulk,
  insertBulk,
  insertReversal,
  insertSelection,
  updatePrepared,
  type Bulk,
  type BulkCount,
} from './bulk.queries.ts'

type BulkDeps = Ground

const MOST_ACCOUNTS = 100_000

const STARTED_WITHIN_MS = 3_600_000
const KEPT_MS = 7 * 24 * 3_600_000

export type WantedBulk = {
  action: BulkAction
  reason: string | null
  who: { ids: number[] } | { filter: UserFilter }
}

/** `approvalId`: the request by which it waits for a second administrator. */
export type BulkState = { bulk: Bulk; counts: BulkCount[]; approvalId: number | null }

/** Changes no account: freezes who is selected, and says who will not be changed and why. 422 for more than 100,000
 * accounts, and for none. */
export async function prepareBulk(
  deps: BulkDeps,
  tx: Tx,
  actor: Actor,
  { action, reason, who }: WantedBulk,
): Promise<BulkState> {
  const actorId = idOf(actor)
  const times = { created_at: fromNow(deps.clock), expires_at: fromNow(deps.clock, STARTED_WITHIN_MS) }
  const bulkId = await insertBulk(tx, { action, reason, requested_by: actorId, ...times })
  const id = must(bulkId, 'id of a bulk change')
  const selection = { action, reason, who, actorId, managed: managedBy(actor), limit: MOST_ACCOUNTS }
  const selected = await insertSelection(tx, id, selection)
  const field = 'ids' in who ? 'ids' : 'filter'
  if (selected === 0) throw errors.validation({ [field]: ['selects no accounts'] })
  if (selected > MOST_ACCOUNTS)
    throw errors.validation({ [field]: [`selects more than ${MOST_ACCOUNTS.toLocaleString('en')} accounts`] })
  return stateOf(deps, tx, id)
}

/** It runs in the background, with the rights of who starts it. 409 INVALID_STATE when it was started before. */
export async function startBulk(deps: BulkDeps, tx: Tx, actor: Actor, bulkId: number): Promise<BulkState> {
  await stateOf(deps, tx, bulkId)
  const at = fromNow(deps.clock)
  const start = { requested_by: idOf(actor), started_at: at, expires_at: keptUntil(deps), status: 'running' } as const
  if (!(await updatePrepared(tx, bulkId, start))) throw errors.invalidState('This change was already started.')
  return queued(deps, tx, actor, bulkId)
}

const BANS: readonly string[] = ['suspend', 'delete']

/** The approver sees this. */
export type AskedBulk = { bulkId: number; action: BulkAction | 'undo'; reason: string | null; accounts: number }

/** What the pin of a bulk change covers. */
export async function aboutBulk(
  deps: Pick<AdministrationDeps, 'clock'>,
  tx: Tx,
  bulkId: number,
): Promise<Record<string, unknown>> {
  const { bulk } = await stateOf(deps, tx, bulkId)
  return { bulkId, action: bulk.action, reason: bulk.reason, items: await digestOfItems(tx, bulkId) }
}

/** True for one that suspends or deletes, where a second administrator must approve it. */
export function bulkMustBeApproved({ config }: Pick<AdministrationDeps, 'config'>, { action }: Bulk): boolean {
  return mustBeApproved(config, 'bulk') && BANS.includes(action)
}

/** Asks for approval where a second administrator must approve that many accounts are suspended or deleted (ADR
 * 12); it stays prepared until then. */
export async function startBulkOrAsk(deps: BulkDeps, tx: Tx, actor: Actor, bulkId: number): Promise<BulkState | Asked> {
  const { bulk, counts } = await stateOf(deps, tx, bulkId)
  if (!bulkMustBeApproved(deps, bulk)) return startBulk(deps, tx, actor, bulkId)
  if (!(await updatePrepared(tx, bulkId, { expires_at: approvalExpiry(workIn(deps, tx)) })))
    throw errors.invalidState('This change was already started.')
  const accounts = counts.reduce((sum, { outcome, n }) => sum + (outcome === null ? n : 0), 0)
  const request: AskedBulk = { bulkId, action: bulk.action, reason: bulk.reason, accounts }
  const about = await aboutBulk(deps, tx, bulkId)
  return askForApproval(workIn(deps, tx, actor), { kind: 'bulk', request, about, recordId: bulkId })
}

/** Undoes a finished change, once: each account gets the state that it had, unless that was changed since. 409
 * INVALID_STATE while it runs, and when it was undone before. */
export async function undoBulk(deps: BulkDeps, tx: Tx, actor: Actor, bulkId: number): Promise<BulkState> {
  const { bulk } = await stateOf(deps, tx, bulkId)
  if (bulk.action === 'undo') throw errors.invalidState('An undo cannot be undone.')
  if (bulk.status !== 'done') throw errors.invalidState('Only a finished change can be undone.')
  const at = fromNow(deps.clock)
  const times = { started_at: at, created_at: at, expires_at: keptUntil(deps) }
  const undo = { action: 'undo', reason: null, requested_by: idOf(actor), undoes: bulkId, status: 'running' } as const
  const undoId = await insertBulk(tx, { ...undo, ...times })
  if (undoId === undefined) throw errors.invalidState('This change was already undone.')
  await insertReversal(tx, undoId, bulkId)
  return queued(deps, tx, actor, undoId)
}

/** 404 when there is none, or it has expired. */
export async function stateOf(
  deps: Pick<AdministrationDeps, 'clock'>,
  db: AdministrationDeps['db'] | Tx,
  bulkId: number,
): Promise<BulkState> {
  const bulk = existing(await findBulk(db, bulkId, fromNow(deps.clock)), 'This bulk change')
  const approvalId =
    bulk.status === 'prepared'
      ? await waitingFor(db, { kind: 'bulk', recordId: bulkId, now: fromNow(deps.clock) })
      : null
  return { bulk, counts: await countItems(db, bulkId), approvalId }
}

async function queued(deps: BulkDeps, tx: Tx, actor: Actor, bulkId: number): Promise<BulkState> {
  const state = await stateOf(deps, tx, bulkId)
  const { action, undoes } = state.bulk
  await enqueue(deps.queue, tx, 'run-bulk-change', [{ id: newJobId(), data: { bulkId } }])
  const after = { action, undoes, accounts: state.counts.reduce((sum, { n }) => sum + n, 0) }
  const change = { before: null, after, subjectId: null }
  await recordAudit(tx, deps, actor, { action: 'users.bulk', entity: 'bulk_change', entityId: bulkId, change })
  return state
}

function keptUntil({ clock }: Pick<AdministrationDeps, 'clock'>): Date {
  return fromNow(clock, KEPT_MS)
}

function idOf({ userId }: Actor): number {
  return must(userId, 'administrator of a bulk change')
}
