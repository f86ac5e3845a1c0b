import type { PushDeps } from '../../push/deps.ts'
import type { Db } from '../../platform/db/connect.ts'
import { THE_SERVICE, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { AppError } from '../../platform/shared/errors.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { findActiveAccount, lockedAccount } from '../../identity/accounts/accounts.ts'
import { can } from '../../platform/rights/permissions.ts'
import { updateUser } from './change-user.ts'
import type { Target } from './account-changes.ts'
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
export async function runBulk(deps: PushDeps, bulkId: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const bulk = await findBulk(db, bulkId, fromNow(clock))
  if (bulk?.status !== 'running') return
  for (let round = 0; ; round++) {
    await markProgress(db, bulkId, { at: fromNow(clock), begins: round === 0 })
    const userIds = await listOpenIds(db, bulkId, ACCOUNTS_A_ROUND)
    if (userIds.length === 0) return markDone(db, bulkId, fromNow(clock))
    const actor = await findActor(db, bulk.requested_by)
    if (actor === undefined) await settleItems(db, { bulkId }, { outcome: 'skipped', code: 'NO_RIGHT' })
    else
      for (const userId of userIds) {
        signal.throwIfAborted()
        await changeOne(deps, actor, { bulkId, userId })
      }
  }
}

/** Ends a bulk change that makes no progress; the remaining accounts are not changed. */
export async function endBulk(db: Db, bulkId: number, now: Date): Promise<void> {
  await settleItems(db, { bulkId }, { outcome: 'skipped', code: 'STALLED' })
  await markDone(db, bulkId, now)
}

/** Undefined when the administrator who started it has lost the right. */
async function findActor(db: Db, userId: number | null): Promise<Actor | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(db, userId)
  return account && can(account.role, 'users') ? { ...THE_SERVICE, userId, role: account.role } : undefined
}

async function changeOne(deps: PushDeps, actor: Actor, item: { bulkId: number; userId: number }): Promise<void> {
  try {
    await inWork(deps, actor, async (work) => {
      const { tx } = work
      const account = await lockedAccount(tx, item.userId)
      const locked = await lockOpenItem(tx, item)
      if (locked === undefined) return
      const isOther = account.status !== locked.from_status || (account.deleted_at !== null) !== locked.from_deleted
      if (isOther || locked.is_changed_since)
        return settleItems(tx, item, { outcome: 'skipped', code: 'CHANGED_SINCE' })
      if (isExpired(locked, work.now())) return settleItems(tx, item, { outcome: 'skipped', code: 'SUSPENSION_OVER' })
      await carryOut(work, locked, { sessions: deps.sessions, userId: item.userId })
      await settleItems(tx, item, { outcome: 'changed', was: account })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await settleItems(deps.db, item, { outcome: 'skipped', refusal: error })
  }
}

function isExpired({ to_status, to_until }: BulkItem, now: Date): boolean {
  return to_status === 'suspended' && to_until !== null && to_until <= now
}

async function carryOut(work: Work, item: BulkItem, target: Target): Promise<void> {
  if (item.to_deleted !== item.from_deleted)
    await (item.to_deleted ? deleteUser(work, target) : restoreUser(work, target))
  if (item.to_status === item.from_status) return
  const { to_status: status, to_reason: status_reason, to_until: until } = item
  const suspended_until = until?.toISOString() ?? null
  const fields = { status, status_reason, ...(status === 'suspended' && { suspended_until }) }
  await updateUser(work, { ...target, fields })
}
