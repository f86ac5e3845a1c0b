import type { Role } from '../../platform/tables/tables.ts'
import type { Config } from '../../platform/config/config.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { can } from '../../platform/rights/permissions.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Work } from '../../platform/work/work.ts'
import {
  addAccount,
  changeAccount,
  keepASuperAdmin,
  listKnownWords,
  refuseTaken,
} from '../../identity/accounts/accounts.ts'
import { mustBeApproved, type Pending } from '../../identity/approvals/approvals.ts'
import type { IdentityDeps } from '../../identity/deps.ts'
import { queueMail, sendsMail } from '../../identity/mails/mails.ts'
import { confirmPassword, hashed, WRONG_PASSWORD, type HashedPassword } from '../../identity/sign-in/auth.ts'
import type { Account, AccountChange } from '../../identity/accounts/accounts.queries.ts'
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
import { isLongPassword, refuseShortPassword } from '../../platform/secrets/password-length.ts'
import { toAccountChange, refuseUnknownPassword, type UserChange } from './user-fields.ts'
import { findEmail, type UserRow } from '../users/profile.queries.ts'
import { givesPower, mayGive, refuseChange } from './rights.ts'
import { isBarred } from '../../identity/accounts/barred.ts'
import { leaveMarket } from './market-access.ts'
import { showUserProducts } from '../../marketplace/products/products.queries.ts'

export type NewUser = Pick<Account, 'email' | 'name'> &
  Omit<UserChange, 'status_reason' | 'suspended_until'> & { password: string }

type PreparedUser = Omit<NewUser, 'password'> & { secret: HashedPassword }

/** It runs before the transaction, because hashing takes long. 403 for a role that the caller may not give, 422 for a
 * short password of an administrator. */
export async function prepareUser(
  deps: Pick<IdentityDeps, 'passwords'>,
  by: Pick<Actor, 'role'>,
  { password, ...about }: NewUser,
): Promise<PreparedUser> {
  const { role = 'user' } = about
  if (!mayGive(by, role)) throw errors.forbidden({ entity: 'user' })
  refuseShortPassword(role, isLongPassword(password))
  return { ...about, secret: await hashed(deps, password, [about.email, about.name, about.username ?? '']) }
}

/** 409 DUPLICATE for a taken address or username (decision C6). */
export async function createUser(
  work: Work,
  { secret, role = 'user', status = 'active', ...about }: PreparedUser,
): Promise<UserRow> {
  const account = await addAccount(work, { ...about, role, status, ...secret })
  const { user_id: userId, email: address } = account
  await recordStatusChange(work, { userId, from: null, to: status })
  await recordChange(work, 'user.create', null, account)
  await queueMail(work, { kind: 'address_confirm', userId, address })
  return userRow(work.tx, userId)
}

type PreparedChange = {
  fields: UserChange
  /** The stored hash that the own password was checked against; absent when no confirmation was needed. */
  confirmed?: string | undefined
  /** `text`: absent where it was judged before. */
  newPassword?: { secret: HashedPassword; text?: string } | undefined
}

/** `sessionId`: of the caller; it stays when they change their own password. */
export type AccountEdit = Target & PreparedChange & { sessionId?: string }

/** It runs before the transaction. 422 when `current_password` is needed and missing or wrong, 429 after too many
 * wrong ones. */
export async function prepareChange(
  deps: IdentityDeps,
  account: { userId: number; isOwn: boolean; site: string },
  { password, current_password: current, ...fields }: UserChange & { password?: string; current_password?: string },
): Promise<PreparedChange> {
  const confirmed = await confirmOwn(deps, account, { current, password, email: fields.email })
  if (password === undefined) return { fields, confirmed }
  const given = [fields.email ?? '', fields.name ?? '', fields.username ?? '']
  const secret = await hashed(deps, password, [...given, ...(await listKnownWords(deps.db, account.userId))])
  return { fields, confirmed, newPassword: { secret, text: password } }
}

/** Changes an account (decision C6). 403 without the right, 409 also for the last super administrator, 412 with the
 * account for another version, 422 for a password too short for the role. A new password, role or status ends its
 * sessions, but not the one that asks. */
export async function updateUser(work: Work, edit: AccountEdit): Promise<UserRow> {
  const { tx, by } = work
  const { sessions, userId, fields, newPassword } = edit
  const at = work.now()
  const before = await presentAccount(tx, userId)
  await refuseEdit(work, before, edit)
  if (mustWait(work, edit) && givesPower(before, fields, newPassword)) throw unapproved()
  const input: AccountChange = { ...toAccountChange(before, fields, at), ...newPassword?.secret }
  const isOwn = by.userId === userId
  const change = isOwn ? await holdOwnAddress(work, { before, email: fields.email, change: input }) : input
  if (Object.keys(change).length === 0) return userRow(tx, userId)
  if (endsSuperAdmin(before, change)) await keepASuperAdmin(tx, userId)
  const after = await changeAccount(work, { before, change })
  await followStatus(work, { before, after })
  await endSessions(work, edit, change)
  await tellOwner(work, { before, after })
  if (before.role !== 'user' || !isOwn) await recordChange(work, 'user.update', before, after)
  afterCommit(tx, () => sessions.forget(userId))
  return userRow(tx, userId)
}

/** The account stays suspended until somebody ends it. 403 without the right to users or a role above the account's. */
export async function suspendUser(
  work: Work,
  { sessions, userId, reason }: Pick<Target, 'sessions' | 'userId'> & { reason: string | null },
): Promise<void> {
  const { role } = work.by
  if (role === null || !can(role, 'users')) throw errors.forbidden({ entity: 'user', entityId: userId })
  const account = await presentAccount(work.tx, userId)
  // A ban weighs more, and stays.
  if (account.status === 'banned') return refuseUnmanaged(work, account)
  const status = { status: 'suspended', suspended_until: null } as const
  await updateUser(work, { sessions, userId, fields: { ...status, ...(reason !== null && { status_reason: reason }) } })
}

/** Asks where a second administrator must approve the change (ADR 12). Errors as in `updateUser`. */
export async function updateUserOrAsk(work: Work, edit: AccountEdit): Promise<UserRow | Pending> {
  const { userId, fields, newPassword } = edit
  const before = await presentAccount(work.tx, userId)
  if (!mustWait(work, edit) || !givesPower(before, fields, newPassword)) return updateUser(work, edit)
  await refuseEdit(work, before, edit)
  toAccountChange(before, fields, work.now())
  return askForChange(work, before, { fields, ...(newPassword && { secret: newPassword.secret }) })
}

/** 422 for a new administrator where a second one must approve roles. */
export function refuseRoleOfNew(config: Config, role: Role | undefined): void {
  if (role === undefined || role === 'user' || !mustBeApproved(config, 'role')) return
  throw errors.validation({
    role: ['must be user: change the role afterwards, because a second administrator must approve it'],
  })
}

async function refuseEdit({ tx, by }: Work, before: Account, edit: AccountEdit): Promise<void> {
  const { fields, confirmed, newPassword, expected } = edit
  refuseChange(by, before, fields)
  await refuseOtherVersion(tx, before, expected)
  // Somebody may have changed the account since it was confirmed.
  if (confirmed !== undefined && confirmed !== before.password_hash) throw errors.validation(WRONG_PASSWORD)
  const isUnconfirmed = by.userId === before.user_id && edit.isApproved !== true && confirmed === undefined
  if (isUnconfirmed && fields.email !== undefined && fields.email !== before.email) throw errors.validation(NO_PASSWORD)
  if (newPassword === undefined) refuseUnknownPassword(before, fields.role)
  else if (newPassword.text !== undefined)
    refuseShortPassword(fields.role ?? before.role, isLongPassword(newPassword.text))
}

async function followStatus(work: Work, { before, after }: { before: Account; after: Account }): Promise<void> {
  const { user_id: userId, status: to, status_reason: note } = after
  if (before.status === to) return
  await recordStatusChange(work, { userId, from: before.status, to, note })
  if (isBarred(to) && !isBarred(before.status)) await leaveMarket(work, { userId, reason: `user_${to}` })
  if (isBarred(before.status) && !isBarred(to)) await showUserProducts(work.tx, [userId])
}

const NO_PASSWORD = { current_password: ['is required to change your own password or address'] }

/** The hash that the present password was checked against; undefined when no confirmation is needed. */
async function confirmOwn(
  deps: IdentityDeps,
  { userId, isOwn, site }: { userId: number; isOwn: boolean; site: string },
  { current, password, email }: Record<'current' | 'password' | 'email', string | undefined>,
): Promise<string | undefined> {
  if (!isOwn) {
    if (current !== undefined) throw errors.validation({ current_password: ['is allowed only for your own account'] })
    return undefined
  }
  const isNewAddress = email !== undefined && email !== (await findEmail(deps.db, userId))
  if (password === undefined && !isNewAddress) return undefined
  if (current === undefined) throw errors.validation(NO_PASSWORD)
  return confirmPassword(deps, { userId, password: current, site })
}

async function endSessions(work: Work, edit: AccountEdit, change: AccountChange): Promise<void> {
  const { sessions, userId, sessionId } = edit
  const ending = (['status', 'role', 'password_hash'] as const).find((field) => change[field] !== undefined)
  if (ending === undefined) return
  const exceptFor = ending === 'password_hash' && work.by.userId === userId ? sessionId : undefined
  await sessions.end(work, { userId, reason: `${ending.split('_')[0]} changed`, exceptFor })
}

function endsSuperAdmin(before: Account, { role, status }: AccountChange): boolean {
  if (before.role !== 'super_admin') return false
  return (role !== undefined && role !== 'super_admin') || (status !== undefined && status !== 'active')
}

/** If the service sends mail, a new address of one's own waits in `pending_email` until it is confirmed (ADR 10).
 * The present address takes a waiting one back. 409 DUPLICATE when it is taken. */
async function holdOwnAddress(
  work: Work,
  { before, email, change }: { before: Account; email: string | undefined; change: AccountChange },
): Promise<AccountChange> {
  if (email === undefined || !sendsMail(work)) return change
  if (email === before.email) return before.pending_email === null ? change : { ...change, pending_email: null }
  await refuseTaken(work.tx, { email, username: null, userId: before.user_id })
  const { email: _email, email_verified_at: _verified, ...others } = change
  // A new password would take a waiting address back that is not named with it.
  const isNamed = email !== before.pending_email || others.password_hash !== undefined
  return isNamed ? { ...others, pending_email: email } : others
}

/** Queues the mails that a change causes: to confirm an address, and to tell the owner. */
async function tellOwner(work: Work, { before, after }: { before: Account; after: Account }): Promise<void> {
  const { user_id: userId } = after
  const tell = (kind: 'password_changed' | 'address_changed' | 'address_confirm', address: string) =>
    queueMail(work, { kind, userId, address })
  const hasNewPassword = after.password_hash !== before.password_hash
  if (hasNewPassword) await tell('password_changed', before.email)
  if (after.email !== before.email) {
    await tell('address_changed', before.email)
    await tell('address_confirm', after.email)
  }
  // A new password has ended the links of before.
  if (after.pending_email !== null && (hasNewPassword || after.pending_email !== before.pending_email))
    await tell('address_confirm', after.pending_email)
}
