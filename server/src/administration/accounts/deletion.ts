import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { changeAccount, keepASuperAdmin, lockedAccount } from '../../identity/accounts/accounts.ts'
import {
  askForChange,
  mustWait,
  presentAccount,
  recordChange,
  recordStatusChange,
  refuseOtherVersion,
  refuseUnmanaged,
  unapproved,
  userRow,
  type Target,
} from './account-changes.ts'
import { queueMail } from '../../identity/mails/mails.ts'
import { WRONG_PASSWORD } from '../../identity/sign-in/auth.ts'
import type { Pending } from '../../identity/approvals/approvals.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { UserRow } from '../users/profile.queries.ts'
import { isBarred } from '../../identity/accounts/barred.ts'
import { leaveMarket } from './market-access.ts'
import { findHistory } from '../../marketplace/history/history.ts'
import { showUserProducts } from '../../marketplace/products/products.queries.ts'

const RESTORABLE_MS = 30 * 86_400_000

/** Deletes an account softly (decision C7): no sessions, no pushes, products hidden, open swaps closed. 409 for
 * oneself and for the last super administrator; 403 and 412 as `updateUser`. */
export async function deleteUser(work: Work, { sessions, userId, expected }: Target): Promise<Account> {
  const before = await presentAccount(work.tx, userId)
  if (userId === work.by.userId) throw errors.conflict('Delete your own account with /api/v1/account/delete.')
  refuseUnmanaged(work, before)
  await refuseOtherVersion(work.tx, before, expected)
  const after = await deleteSoftly(work, sessions, before)
  await recordChange(work, 'user.delete', before, after)
  return after
}

/** Deletes one's own account likewise (ADR 15). `confirmed`: the hash that the password was checked against; 422
 * when it has changed since. */
export async function deleteOwnAccount(
  work: Work,
  { sessions, userId, confirmed }: Target & { confirmed: string },
): Promise<Account> {
  const before = await presentAccount(work.tx, userId)
  const { email: address, password_hash, role } = before
  if (confirmed !== password_hash) throw errors.validation(WRONG_PASSWORD)
  const after = await deleteSoftly(work, sessions, before)
  await queueMail(work, { kind: 'account_deleted', userId, address })
  if (role !== 'user') await recordChange(work, 'user.delete', before, after)
  return after
}

/** Restores an account that its owner deleted within 30 days; they sign in afterwards. 401 when the password has
 * changed since `confirmed`, 409 INVALID_STATE for accounts of staff, and for those that an administrator deleted. */
export async function restoreOwnAccount(
  work: Work,
  { userId, confirmed }: { userId: number; confirmed: string },
): Promise<Account> {
  const before = await lockedAccount(work.tx, userId)
  if (confirmed !== before.password_hash) throw errors.invalidCredentials()
  refuseUnrestorable(work, before)
  const [last] = (await findHistory(work.tx, 'user', userId)).filter(({ to_state: to }) => to === 'deleted')
  if (before.role !== 'user' || last?.actor !== 'user')
    throw errors.invalidState('An administrator must restore this account.')
  return restore(work.as({ userId }), before)
}

async function deleteSoftly(work: Work, sessions: Sessions, before: Account): Promise<Account> {
  const { tx } = work
  const { user_id: userId, status: from } = before
  if (before.role === 'super_admin') await keepASuperAdmin(tx, userId)
  const change = { deleted_at: work.now(), purge_after: work.now(RESTORABLE_MS) }
  const after = await changeAccount(work, { before, change })
  await recordStatusChange(work, { userId, from, to: 'deleted' })
  await leaveMarket(work, { userId, reason: 'user_deleted' })
  await sessions.end(work, { userId, reason: 'account deleted' })
  return after
}

/** Restores an account within 30 days (decision C7); closed swaps stay closed. 409 INVALID_STATE when it is not
 * deleted or its time is over; 403 and 412 as `updateUser`. */
export async function restoreUser(work: Work, target: Target): Promise<UserRow> {
  const before = await restorable(work, target)
  if (before.role !== 'user' && mustWait(work, target)) throw unapproved()
  return restoreAndRecord(work, before)
}

async function restoreAndRecord(work: Work, before: Account): Promise<UserRow> {
  const after = await restore(work, before)
  await recordChange(work, 'user.restore', before, after)
  return userRow(work.tx, before.user_id)
}

async function restore(work: Work, before: Account): Promise<Account> {
  const after = await changeAccount(work, { before, change: { deleted_at: null, purge_after: null } })
  const { user_id: userId, status: to } = after
  await recordStatusChange(work, { userId, from: 'deleted', to })
  if (!isBarred(to)) await showUserProducts(work.tx, [userId])
  return after
}

/** Asks where a second administrator must approve that an account with rights comes back (ADR 12). */
export async function restoreUserOrAsk(work: Work, target: Target): Promise<UserRow | Pending> {
  const before = await restorable(work, target)
  if (before.role !== 'user' && mustWait(work, target)) return askForChange(work, before, {})
  return restoreAndRecord(work, before)
}

async function restorable(work: Work, { userId, expected }: Target): Promise<Account> {
  const before = await lockedAccount(work.tx, userId)
  refuseUnmanaged(work, before)
  refuseUnrestorable(work, before)
  await refuseOtherVersion(work.tx, before, expected)
  return before
}

function refuseUnrestorable(work: Work, before: Account): void {
  if (before.deleted_at === null) throw errors.invalidState('This account is not deleted.')
  if (before.purge_after !== null && before.purge_after <= work.now())
    throw errors.invalidState('This account can no longer be restored.')
}
