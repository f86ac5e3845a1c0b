import type { Role } from '../../platform/tables/tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import { outranks } from '../../platform/rights/permissions.ts'
import { ROLES } from '../../platform/shared/words.ts'
import { OWN_FIELDS, type UserChange } from './user-fields.ts'
import { isBarred } from '../../identity/accounts/barred.ts'

const HARMLESS: readonly string[] = OWN_FIELDS satisfies readonly (keyof UserChange)[]

/** Their own role, or one below (decision C6). */
export function mayGive({ role: own }: Pick<Actor, 'role'>, role: Role): boolean {
  return own !== null && !outranks(role, own)
}

export function mayManage({ role: own }: Pick<Actor, 'role'>, { role }: Pick<Account, 'role'>): boolean {
  return own !== null && (own === 'super_admin' || outranks(own, role))
}

export function managedBy(actor: Pick<Actor, 'role'>): Role[] {
  return ROLES.filter((role) => mayManage(actor, { role }))
}

/** True for what gives somebody an account with rights: a higher role, a password, an address, or its activity back. */
export function givesPower(before: Account, fields: UserChange, newPassword: object | undefined): boolean {
  const { role = before.role, email = before.email, status = before.status } = fields
  if (role === 'user') return false
  if (newPassword !== undefined || email !== before.email || outranks(role, before.role)) return true
  return status !== before.status && !isBarred(status)
}

/** True for what lets who did it act as the account, which may get rights later. */
export function gavePower(before: Account | null, after: Account): boolean {
  if (before === null || before.password_hash !== after.password_hash || before.email !== after.email) return true
  if (before.role !== after.role) return true
  const isBack = (before.deleted_at !== null || before.status !== after.status) && !isBarred(after.status)
  return after.role !== 'user' && after.deleted_at === null && isBack
}

/** 403 without the right; harmless fields and the password of one's own need none. 409 for one's own status. */
export function refuseChange(
  actor: Pick<Actor, 'role' | 'userId'>,
  account: Pick<Account, 'user_id' | 'role'>,
  change: UserChange,
): void {
  const isOwn = actor.userId === account.user_id
  const target = { entity: 'user', entityId: account.user_id }
  const isHarmless = Object.keys(change).every((field) => HARMLESS.includes(field))
  if (!mayManage(actor, account) && !(isOwn && isHarmless)) throw errors.forbidden(target)
  if (change.role !== undefined && !mayGive(actor, change.role)) throw errors.forbidden(target)
  if (isOwn && change.status !== undefined) throw errors.conflict('You cannot change the status of your own account.')
}
