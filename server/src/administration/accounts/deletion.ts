import type { AdministrationDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { workIn } from '../../platform/work/work.ts'
import { changeAccount, keepASuperAdmin, lockedAccount } from '../../identity/accounts/accounts.ts'
import {
  askForChange,
  mustWait,
  presentAccount,
  record,
  recordStatusChange,
  refuseOtherVersion,
  unapproved,
  userRow,
  type Request,
} from './account-changes.ts'
import { queueMail } from '../../identity/mails/mails.ts'
import { endTokensOf } from '../../identity/mails/tokens.ts'
import { WRONG_PASSWORD } from '../../identity/sign-in/auth.ts'
import type { Asked } from '../../identity/approvals/approvals.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import type { UserRow } from '../users/profile.queries.ts'
import { mayManage } from './rights.ts'
import { isBarred, leaveMarket } from './market-access.ts'
import { historyOf } from '../../marketplace/history/history.ts'
import { showProductsOf } from '../../marketplace/products/products.queries.ts'

const RESTORABLE_MS = 30 * 86_400_000

/** Deletes an account softly (decision C7): no sessions, no pushes, products hidden, open swaps closed. 409 for
 * oneself and for the last super administrator; 403 and 412 as `updateUser`. */
export async function deleteUser(deps: AdministrationDeps, tx: Tx, request: Request): Promise<Account> {
  const { actor, userId } = request
  const before = await presentAccount(tx, userId)
  if (userId === actor.userId) throw errors.conflict('Delete your own account with /api/v1/account/delete.')
  if (!mayManage(actor, before)) throw errors.forbidden({ entity: 'user', entityId: userId })
  await refuseOtherVersion(tx, before, request)
  const after = await deleteSoftly(deps, tx, before, actor)
  await record(tx, deps, actor, 'user.delete', { before, after })
  return after
}

/** Deletes one's own account likewise (ADR 15). `confirmed`: the hash that the password was checked against; 422
 * when it has changed since. */
export async function deleteOwnAccount(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { userId, confirmed }: { userId: number; confirmed: string },
): Promise<Account> {
  const before = await presentAccount(tx, userId)
  if (confirmed !== before.password_hash) throw errors.validation(WRONG_PASSWORD)
  const after = await deleteSoftly(deps, tx, before, actor)
  await queueMail(workIn(deps, tx, actor), { kind: 'account_deleted', userId, address: before.email })
  if (before.role !== 'user') await record(tx, deps, actor, 'user.delete', { before, after })
  return after
}

/** Restores an account that its owner deleted within 30 days; they sign in afterwards. 401 when the password has
 * changed since `confirmed`, 409 INVALID_STATE for accounts of staff, and for those that an administrator deleted. */
export async function restoreOwnAccount(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { userId, confirmed }: { userId: number; confirmed: string },
): Promise<Account> {
  const before = await lockedAccount(tx, userId)
  if (confirmed !== before.password_hash) throw errors.invalidCredentials()
  refuseUnrestorable(deps, before)
  const [last] = (await historyOf(tx, 'user', userId)).filter(({ to_state: to }) => to === 'deleted')
  if (before.role !== 'user' || last?.actor !== 'user')
    throw errors.invalidState('An administrator must restore this account.')
  return restore(deps, tx, before, { ...actor, userId })
}

async function deleteSoftly(deps: AdministrationDeps, tx: Tx, before: Account, actor: Actor): Promise<Account> {
  const { user_id: userId } = before
  const at = fromNow(deps.clock)
  if (before.role === 'super_admin') await keepASuperAdmin(tx, userId)
  const work = workIn(deps, tx, actor)
  const change = { deleted_at: at, purge_after: fromNow(deps.clock, RESTORABLE_MS) }
  const after = await changeAccount(work, { before, change })
  await recordStatusChange(tx, after, { from: before.status, to: 'deleted', actor, note: null, at })
  await leaveMarket(deps, tx, { userId, reason: 'user_deleted', actorId: actor.userId, at })
  await deps.sessions.end(work, { userId, reason: 'account deleted' })
  await endTokensOf(tx, userId)
  return after
}

/** Restores an account within 30 days (decision C7); closed swaps stay closed. 409 INVALID_STATE when it is not
 * deleted or its time is over; 403 and 412 as `updateUser`. */
export async function restoreUser(deps: AdministrationDeps, tx: Tx, request: Request): Promise<UserRow> {
  const { actor, userId } = request
  const before = await lockedAccount(tx, userId)
  await refuseRestoration(deps, tx, request, before)
  if (before.role !== 'user' && mustWait(deps, request)) throw unapproved()
  const after = await restore(deps, tx, before, actor)
  await record(tx, deps, actor, 'user.restore', { before, after })
  return userRow(tx, userId)
}

async function restore(deps: AdministrationDeps, tx: Tx, before: Account, actor: Actor): Promise<Account> {
  const at = fromNow(deps.clock)
  const after = await changeAccount(workIn(deps, tx, actor), {
    before,
    change: { deleted_at: null, purge_after: null },
  })
  await recordStatusChange(tx, after, { from: 'deleted', to: after.status, actor, note: null, at })
  if (!isBarred(after.status)) await showProductsOf(tx, [after.user_id])
  return after
}

/** Asks where a second administrator must approve that an account with rights comes back (ADR 12). */
export async function restoreUserOrAsk(deps: AdministrationDeps, tx: Tx, request: Request): Promise<UserRow | Asked> {
  const before = await lockedAccount(tx, request.userId)
  if (!mustWait(deps, request) || before.role === 'user') return restoreUser(deps, tx, request)
  await refuseRestoration(deps, tx, request, before)
  return askForChange(deps, tx, request, before, {})
}

async function refuseRestoration(deps: AdministrationDeps, tx: Tx, request: Request, before: Account): Promise<void> {
  if (!mayManage(request.actor, before)) throw errors.forbidden({ entity: 'user', entityId: before.user_id })
  refuseUnrestorable(deps, before)
  await refuseOtherVersion(tx, before, request)
}

function refuseUnrestorable({ clock }: Pick<AdministrationDeps, 'clock'>, before: Account): void {
  if (before.deleted_at === null) throw errors.invalidState('This account is not deleted.')
  if (before.purge_after !== null && before.purge_after <= fromNow(clock))
    throw errors.invalidState('This account can no longer be restored.')
}
