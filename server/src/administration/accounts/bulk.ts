import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Config } from '../../platform/config/config.ts'
import {
  approvalExpiry,
  askForApproval,
  mustBeApproved,
  waitingFor,
  type Pending,
} from '../../identity/approvals/approvals.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { BulkAction } from '../../platform/tables/office-tables.ts'
import type { Work } from '../../platform/work/work.ts'
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
  type Selection,
} from './bulk.queries.ts'

const MOST_ACCOUNTS = 100_000

const STARTED_WITHIN_MS = 3_600_000
const KEPT_MS = 7 * 24 * 3_600_000

/** `approvalId`: the request by which it waits for a second administrator. */
export type BulkState = { bulk: Bulk; counts: BulkCount[]; approvalId: number | null }

/** Changes no account: freezes who is selected, and says who will not be changed and why. 422 for more than 100,000
 * accounts, and for none. */
export async function prepareBulk(
  work: Work,
  { action, reason, who }: Pick<Selection, 'action' | 'reason' | 'who'>,
): Promise<BulkState> {
  const actorId = findCaller(work)
  const times = { created_at: work.now(), expires_at: work.now(STARTED_WITHIN_MS) }
  const bulkId = must(
    await insertBulk(work.tx, { action, reason, requested_by: actorId, ...times }),
    'id of a bulk change',
  )
  const selection = { action, reason, who, actorId, managed: managedBy(work.by), limit: MOST_ACCOUNTS }
  const selected = await insertSelection(work.tx, bulkId, selection)
  const field = 'ids' in who ? 'ids' : 'filter'
  if (selected === 0) throw errors.validation({ [field]: ['selects no accounts'] })
  if (selected > MOST_ACCOUNTS)
    throw errors.validation({ [field]: [`selects more than ${MOST_ACCOUNTS.toLocaleString('en')} accounts`] })
  return presentState(work, bulkId)
}

/** It runs in the background, with the rights of who starts it. 409 INVALID_STATE when it was started before. */
export async function startBulk(work: Work, bulkId: number): Promise<BulkState> {
  await presentState(work, bulkId)
  const times = { started_at: work.now(), expires_at: work.now(KEPT_MS) }
  const start = { requested_by: findCaller(work), ...times, status: 'running' } as const
  if (!(await updatePrepared(work.tx, bulkId, start))) throw errors.invalidState('This change was already started.')
  return queued(work, bulkId)
}

const BANS: readonly string[] = ['suspend', 'delete']

export type RequestedBulk = { bulkId: number; action: BulkAction | 'undo'; reason: string | null; accounts: number }

/** Gives what the pin of a bulk change covers. */
export async function aboutBulk(work: Work, bulkId: number): Promise<Record<string, unknown>> {
  const { bulk } = await presentState(work, bulkId)
  return { bulkId, action: bulk.action, reason: bulk.reason, items: await digestOfItems(work.tx, bulkId) }
}

export function bulkMustBeApproved(config: Config, { action }: Bulk): boolean {
  return mustBeApproved(config, 'bulk') && BANS.includes(action)
}

/** Asks for approval where a second administrator must approve that many accounts are suspended or deleted (ADR
 * 12); it stays prepared until then. */
export async function startBulkOrAsk(work: Work, bulkId: number): Promise<BulkState | Pending> {
  const { bulk, counts } = await presentState(work, bulkId)
  if (!bulkMustBeApproved(work.config, bulk)) return startBulk(work, bulkId)
  if (!(await updatePrepared(work.tx, bulkId, { expires_at: approvalExpiry(work) })))
    throw errors.invalidState('This change was already started.')
  const accounts = sumCounts(counts.filter(({ outcome }) => outcome === null))
  const request: RequestedBulk = { bulkId, action: bulk.action, reason: bulk.reason, accounts }
  return askForApproval(work, { kind: 'bulk', request, about: await aboutBulk(work, bulkId), recordId: bulkId })
}

/** Undoes a finished change, once: each account gets the state that it had, unless that was changed since. 409
 * INVALID_STATE while it runs, and when it was undone before. */
export async function undoBulk(work: Work, bulkId: number): Promise<BulkState> {
  const { bulk } = await presentState(work, bulkId)
  if (bulk.action === 'undo') throw errors.invalidState('An undo cannot be undone.')
  if (bulk.status !== 'done') throw errors.invalidState('Only a finished change can be undone.')
  if (mustBeApproved(work.config, 'bulk') && !BANS.includes(bulk.action))
    throw errors.conflict('A second administrator must approve this: suspend or delete the accounts by a new change.')
  const at = work.now()
  const times = { started_at: at, created_at: at, expires_at: work.now(KEPT_MS) }
  const undo = { action: 'undo', requested_by: findCaller(work), undoes: bulkId, status: 'running' } as const
  const undoId = await insertBulk(work.tx, { ...undo, reason: null, ...times })
  if (undoId === undefined) throw errors.invalidState('This change was already undone.')
  await insertReversal(work.tx, undoId, bulkId)
  return queued(work, undoId)
}

/** 404 when there is none, or it has expired. */
export async function readState(db: Db | Tx, bulkId: number, now: Date): Promise<BulkState> {
  const bulk = existing(await findBulk(db, bulkId, now), 'This bulk change')
  const approvalId = bulk.status === 'prepared' ? await waitingFor(db, { kind: 'bulk', recordId: bulkId, now }) : null
  return { bulk, counts: await countItems(db, bulkId), approvalId }
}

function presentState(work: Work, bulkId: number): Promise<BulkState> {
  return readState(work.tx, bulkId, work.now())
}

export function sumCounts(counts: { n: number }[]): number {
  return counts.reduce((sum, { n }) => sum + n, 0)
}

async function queued(work: Work, bulkId: number): Promise<BulkState> {
  const state = await presentState(work, bulkId)
  const { action, undoes } = state.bulk
  await work.enqueue('run-bulk-change', { bulkId })
  const change = { after: { action, undoes, accounts: sumCounts(state.counts) } }
  await work.audit({ action: 'users.bulk', entity: 'bulk_change', entityId: bulkId, change })
  return state
}

function findCaller({ by }: Work): number {
  return must(by.userId, 'administrator of a bulk change')
}
