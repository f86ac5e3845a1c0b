import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { changeAccount, keepASuperAdmin, lockedAccount } from '../../identity/accounts/accounts.ts'
import {
  presentAccount,
  record,
  recordStatusChange,
  refuseOtherVersion,
  userRow,
  type AdministrationDeps,
  type Request,
} from './account-changes.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import type { UserRow } from '../users/profile.queries.ts'
import { mayManage } from './rights.ts'
import { enterMarket, isBarred, leaveMarket } from './market-access.ts'

const RESTORABLE_MS = 30 * 86_400_000

/**
 * Deletes an account softly (decision C7): it can be restored for 30 days. From now on it has no sessions, gets no
 * pushes, its products are hidden and its open swaps are closed. 404 for one that is not there or deleted already; 409
 * for oneself and for the last super administrator; 403 and 412 as above.
 */
export async function deleteUser(deps: AdministrationDeps, tx: Tx, request: Request): Promise<Account> {
  const { actor, userId } = request
  const at = fromNow(deps.clock)
  const restorableUntil = fromNow(deps.clock, RESTORABLE_MS)
  const before = await presentAccount(tx, userId)
  if (userId === actor.userId) throw errors.conflict('Nobody deletes their own account here.')
  if (!mayManage(actor, before)) throw errors.forbidden({ entity: 'user', entityId: userId })
  await refuseOtherVersion(tx, before, request)
  if (before.role === 'super_admin') await keepASuperAdmin(tx, userId)
  const after = await changeAccount(tx, before, { deleted_at: at, purge_after: restorableUntil, updated_at: at })
  await recordStatusChange(tx, after, { from: before.status, to: 'deleted', actor, note: null, at })
  await leaveMarket(deps, tx, { userId, reason: 'user_deleted', actorId: actor.userId, at })
  await deps.sessions.endAllOf(userId, 'account deleted', tx)
  await record(tx, deps, actor, 'user.delete', { before, after })
  afterCommit(tx, () => deps.sessions.forget(userId))
  return after
}

/**
 * Restores a deleted account, within 30 days (decision C7), with its products; closed swaps stay closed. 404 when there
 * is none, 409 INVALID_STATE when it is not deleted or its time is over; 403 and 412 as above.
 */
export async function restoreUser(deps: AdministrationDeps, tx: Tx, request: Request): Promise<UserRow> {
  const { actor, userId } = request
  const at = fromNow(deps.clock)
  const before = await lockedAccount(tx, userId)
  if (!mayManage(actor, before)) throw errors.forbidden({ entity: 'user', entityId: userId })
  if (before.deleted_at === null) throw errors.invalidState('This account is not deleted.')
  if (before.purge_after !== null && before.purge_after <= at)
    throw errors.invalidState('The time in which this account could be restored is over.')
  await refuseOtherVersion(tx, before, request)
  const after = await changeAccount(tx, before, { deleted_at: null, purge_after: null, updated_at: at })
  await recordStatusChange(tx, after, { from: 'deleted', to: after.status, actor, note: null, at })
  if (!isBarred(after.status)) await enterMarket(tx, [userId])
  await record(tx, deps, actor, 'user.restore', { before, after })
  return userRow(tx, userId)
}
