import type { Tx } from '../../platform/db/connect.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import type { AdministrationDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { workIn } from '../../platform/work/work.ts'
import { addAccount, changeAccount, keepASuperAdmin, knownOf } from '../../identity/accounts/accounts.ts'
import { mustBeApproved, type Asked } from '../../identity/approvals/approvals.ts'
import { queueMail } from '../../identity/mails/mails.ts'
import { confirmPassword, hashed, WRONG_PASSWORD, type HashedPassword } from '../../identity/sign-in/auth.ts'
import type { Account, AccountChange } from '../../identity/accounts/auth.queries.ts'
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
import { changeOf, refuseShortPassword, refuseUnknownPassword, type UserChange } from './changes.ts'
import { findEmail, type UserRow } from '../users/profile.queries.ts'
import { holdOwnAddress, tellOwner } from './own-address.ts'
import { givesPower, mayGive, refuseChange } from './rights.ts'
import { isBarred, leaveMarket } from './market-access.ts'
import { showProductsOf } from '../../marketplace/products/products.queries.ts'

export type NewUser = Pick<Account, 'email' | 'name'> &
  Omit<UserChange, 'status_reason' | 'suspended_until'> & { password: string }

export type PreparedUser = Omit<NewUser, 'password'> & { secret: HashedPassword }

/** It runs before the transaction, because hashing takes long. 403 for a role that the actor may not give, 422 for a
 * short password of an administrator. */
export async function prepareUser(
  deps: Pick<AdministrationDeps, 'passwords'>,
  actor: Actor,
  { password, ...about }: NewUser,
): Promise<PreparedUser> {
  const { role = 'user' } = about
  if (!mayGive(actor, role)) throw errors.forbidden({ entity: 'user' })
  refuseShortPassword(password, role)
  return { ...about, secret: await hashed(deps, password, [about.email, about.name, about.username ?? '']) }
}

/** 409 DUPLICATE for a taken address or username (decision C6). */
export async function createUser(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { secret, role = 'user', status = 'active', ...about }: PreparedUser,
): Promise<UserRow> {
  const at = fromNow(deps.clock)
  const work = workIn(deps, tx, actor)
  const account = await addAccount(work, { ...about, role, status, ...secret })
  await recordStatusChange(tx, account, { from: null, to: status, actor, note: null, at })
  await record(tx, deps, actor, 'user.create', { before: null, after: account })
  await queueMail(work, { kind: 'address_confirm', userId: account.user_id, address: account.email })
  return userRow(tx, account.user_id)
}

export type PreparedChange = {
  fields: UserChange
  /** The stored hash that the own password was checked against; absent when no confirmation was needed. */
  confirmed?: string | undefined
  /** `text`: absent where it was judged before. */
  newPassword?: { secret: HashedPassword; text?: string } | undefined
}

/** It runs before the transaction. 422 when `current_password` is needed and missing or wrong, 429 after too many
 * wrong ones. */
export async function prepareChange(
  deps: AdministrationDeps,
  request: Request,
  { password, current_password: current, ...fields }: UserChange & { password?: string; current_password?: string },
): Promise<PreparedChange> {
  const confirmed = await confirmOwn(deps, request, { current, password, email: fields.email })
  if (password === undefined) return { fields, confirmed }
  const given = [fields.email ?? '', fields.name ?? '', fields.username ?? '']
  const secret = await hashed(deps, password, [...given, ...(await knownOf(deps.db, request.userId))])
  return { fields, confirmed, newPassword: { secret, text: password } }
}

/** Changes an account (decision C6). 403 without the right, 409 also for the last super administrator, 412 with the
 * account for another version, 422 for a password too short for the role. A new password, role or status ends its
 * sessions, but not the one that asks. */
export async function updateUser(
  deps: AdministrationDeps,
  tx: Tx,
  request: Request,
  { fields, confirmed, newPassword }: PreparedChange,
): Promise<UserRow> {
  const { actor, userId } = request
  const at = fromNow(deps.clock)
  const before = await presentAccount(tx, userId)
  refuseChange(actor, before, fields)
  await refuseOtherVersion(tx, before, request)
  // Somebody may have changed it since it was confirmed.
  if (confirmed !== undefined && confirmed !== before.password_hash) throw errors.validation(WRONG_PASSWORD)
  refusePasswordFor(before, { fields, newPassword })
  if (mustWait(deps, request) && givesPower(before, fields, newPassword)) throw unapproved()
  const asked: AccountChange = { ...changeOf(before, fields, at), ...newPassword?.secret }
  const isOwn = actor.userId === userId
  const change = isOwn
    ? await holdOwnAddress(workIn(deps, tx, actor), { before, wanted: fields.email, change: asked })
    : asked
  if (Object.keys(change).length === 0) return userRow(tx, userId)
  if (endsSuperAdmin(before, change)) await keepASuperAdmin(tx, userId)
  const after = await changeAccount(workIn(deps, tx, actor), { before, change })
  await followStatus(deps, tx, { before, after, actor, at })
  await endSessions(deps, tx, request, change)
  await tellOwner(workIn(deps, tx, actor), { before, after })
  if (before.role !== 'user' || !isOwn) await record(tx, deps, actor, 'user.update', { before, after })
  afterCommit(tx, () => deps.sessions.forget(userId))
  return userRow(tx, userId)
}

/** Asks where a second administrator must approve the change (ADR 12). Errors as in `updateUser`. */
export async function updateUserOrAsk(
  deps: AdministrationDeps,
  tx: Tx,
  request: Request,
  prepared: PreparedChange,
): Promise<UserRow | Asked> {
  const { fields, newPassword } = prepared
  const before = await presentAccount(tx, request.userId)
  if (!mustWait(deps, request) || !givesPower(before, fields, newPassword))
    return updateUser(deps, tx, request, prepared)
  refuseChange(request.actor, before, fields)
  await refuseOtherVersion(tx, before, request)
  refusePasswordFor(before, prepared)
  changeOf(before, fields, fromNow(deps.clock))
  return askForChange(deps, tx, request, before, { fields, ...(newPassword && { secret: newPassword.secret }) })
}

/** 422 for a new administrator where a second one must approve roles. */
export function refuseRoleOfNew({ config }: Pick<AdministrationDeps, 'config'>, role: Role | undefined): void {
  if (role === undefined || role === 'user' || !mustBeApproved(config, 'role')) return
  throw errors.validation({
    role: ['must be user: change the role afterwards, because a second administrator must approve it'],
  })
}

/** 422 for a password that is too short for the role, or may be. */
function refusePasswordFor(
  before: Account,
  { fields: { role }, newPassword }: Pick<PreparedChange, 'fields' | 'newPassword'>,
): void {
  if (newPassword === undefined) refuseUnknownPassword(before, role)
  else if (newPassword.text !== undefined) refuseShortPassword(newPassword.text, role ?? before.role)
}

async function followStatus(
  deps: AdministrationDeps,
  tx: Tx,
  { before, after, actor, at }: { before: Account; after: Account; actor: Actor; at: Date },
): Promise<void> {
  if (before.status === after.status) return
  const note = after.status_reason
  await recordStatusChange(tx, after, { from: before.status, to: after.status, actor, note, at })
  const [wasBarred, bars] = [isBarred(before.status), isBarred(after.status)]
  const { user_id: userId } = after
  if (bars && !wasBarred)
    await leaveMarket(deps, tx, { userId, reason: `user_${after.status}`, actorId: actor.userId, at })
  if (wasBarred && !bars) await showProductsOf(tx, [userId])
}

/** The hash that the present password was checked against; undefined when no confirmation is needed. */
async function confirmOwn(
  deps: AdministrationDeps,
  { actor, userId, from }: Request,
  given: { current: string | undefined; password: string | undefined; email: string | undefined },
): Promise<string | undefined> {
  const { current, password, email } = given
  if (actor.userId !== userId) {
    if (current !== undefined) throw errors.validation({ current_password: ['is allowed only for your own account'] })
    return undefined
  }
  const isNewAddress = email !== undefined && email !== (await findEmail(deps.db, userId))
  if (password === undefined && !isNewAddress) return undefined
  if (current === undefined)
    throw errors.validation({ current_password: ['is required to change your own password or address'] })
  return confirmPassword(deps, { userId, password: current, site: from.site })
}

async function endSessions(
  deps: AdministrationDeps,
  tx: Tx,
  { actor, userId, from }: Request,
  change: AccountChange,
): Promise<void> {
  const ending = (['status', 'role', 'password_hash'] as const).find((field) => change[field] !== undefined)
  if (ending === undefined) return
  const exceptFor = ending === 'password_hash' && actor.userId === userId ? from.sessionId : undefined
  const reason = `${ending.split('_')[0]} changed`
  await deps.sessions.end(workIn(deps, tx, actor), { userId, reason, exceptFor })
}

function endsSuperAdmin(before: Account, { role, status }: AccountChange): boolean {
  if (before.role !== 'super_admin') return false
  return (role !== undefined && role !== 'super_admin') || (status !== undefined && status !== 'active')
}
