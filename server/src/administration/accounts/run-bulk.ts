import type { AdministrationDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { AppError } from '../../platform/shared/errors.ts'
import { findActiveAccount, lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import { can } from '../../platform/rights/permissions.ts'
import { updateUser } from './administration.ts'
import type { Request } from './account-changes.ts'
import { deleteUser, restoreUser } from './deletion.ts'
import {
  findBulk,
  listOpenIds,
  lockOpenItem,
  markDone,
  markProgress,
  settleItems,
  type BulkItem,
} from './bulk.queries.ts'

const ACCOUNTS_A_ROUND = 100

/** One account a transaction: one that is refused stops no other, and a repeated run goes on where the last one
 * ended. The right of who asked is looked at again every hundred accounts. */
export async function runBulk(
  deps: AdministrationDeps & Pick<AdministrationDeps, 'db'>,
  bulkId: number,
  signal: AbortSignal,
): Promise<void> {
  const bulk = await findBulk(deps.db, bulkId, fromNow(deps.clock))
  if (bulk?.status !== 'running') return
  for (let round = 0; ; round++) {
    await markProgress(deps.db, bulkId, fromNow(deps.clock), round === 0)
    const userIds = await listOpenIds(deps.db, bulkId, ACCOUNTS_A_ROUND)
    if (userIds.length === 0) return markDone(deps.db, bulkId, fromNow(deps.clock))
    const actor = await actorOf(deps, bulk.requested_by)
    if (actor === undefined) await settleItems(deps.db, { bulkId }, { outcome: 'skipped', code: 'NO_RIGHT' })
    else
      for (const userId of userIds) {
        signal.throwIfAborted()
        await changeOne(deps, actor, bulkId, userId)
      }
  }
}

/** Ends a bulk change that makes no progress; the remaining accounts are not changed. */
export async function endBulk({ db, clock }: Pick<AdministrationDeps, 'db' | 'clock'>, bulkId: number): Promise<void> {
  await settleItems(db, { bulkId }, { outcome: 'skipped', code: 'STALLED' })
  await markDone(db, bulkId, fromNow(clock))
}

/** Undefined when the administrator who started it has lost the right. */
async function actorOf({ db }: Pick<AdministrationDeps, 'db'>, userId: number | null): Promise<Actor | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(db, userId)
  if (account === undefined || !can(account.role, 'users')) return undefined
  return { userId, role: account.role, ip: null, userAgent: null, requestId: null }
}

async function changeOne(
  deps: AdministrationDeps & Pick<AdministrationDeps, 'db'>,
  actor: Actor,
  bulkId: number,
  userId: number,
): Promise<void> {
  const item = { bulkId, userId }
  try {
    await inTransaction(deps.db, async (tx) => {
      const account = await lockedAccount(tx, userId)
      const wanted = await lockOpenItem(tx, bulkId, userId)
      if (wanted === undefined) return
      if (account.status !== wanted.from_status || (account.deleted_at !== null) !== wanted.from_deleted)
        return settleItems(tx, item, { outcome: 'skipped', code: 'CHANGED_SINCE' })
      if (isOver(wanted, fromNow(deps.clock)))
        return settleItems(tx, item, { outcome: 'skipped', code: 'SUSPENSION_OVER' })
      await carryOut(deps, tx, actor, { account, wanted })
      await settleItems(tx, item, { outcome: 'changed', was: account })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await settleItems(deps.db, item, { outcome: 'skipped', refusal: error })
  }
}

/** True when the suspension to be restored has expired meanwhile. */
function isOver({ to_status, to_until }: BulkItem, now: Date): boolean {
  return to_status === 'suspended' && to_until !== null && to_until <= now
}

async function carryOut(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { account, wanted }: { account: Account; wanted: BulkItem },
): Promise<void> {
  const request: Request = { actor, userId: account.user_id, expected: undefined, from: NO_SESSION }
  if (wanted.to_deleted !== wanted.from_deleted)
    await (wanted.to_deleted ? deleteUser(deps, tx, request) : restoreUser(deps, tx, request))
  if (wanted.to_status === wanted.from_status) return
  const { to_status: status, to_reason: status_reason, to_until: until } = wanted
  const suspended_until = until?.toISOString() ?? null
  const fields = { status, status_reason, ...(status === 'suspended' && { suspended_until }) }
  await updateUser(deps, tx, request, { fields })
}

/** A job has no session. It never changes the account of the administrator who started it. */
const NO_SESSION = { sessionId: '', site: '' }
