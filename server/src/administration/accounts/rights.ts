import type { Role } from '../../platform/tables/tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import { outranks, ROLES } from '../../identity/permissions/permissions.ts'
import type { UserChange } from './changes.ts'

/** Fields that users may change in their own account. */
const HARMLESS: readonly string[] = [
  'email',
  'username',
  'name',
  'phone',
  'city',
  'avatar_url',
] satisfies (keyof UserChange)[]

/** True when the actor may give `role`: their own, or one below (decision C6). */
export function mayGive({ role: own }: Pick<Actor, 'role'>, role: Role): boolean {
  return own !== null && !outranks(role, own)
}

/** True when the actor may change or delete the account: its role is lower, or the actor is a super administrator. */
export function mayManage({ role: own }: Pick<Actor, 'role'>, { role }: Pick<Account, 'role'>): boolean {
  return own !== null && (own === 'super_admin' || outranks(own, role))
}

/** The roles whose accounts the actor may change. */
export function managedBy(actor: Pick<Actor, 'role'>): Role[] {
  return ROLES.filter((role) => mayManage(actor, { role }))
}

/**
 * 403 for an account of an equal or higher role, except harmless fields and the password of one's own, and for a role
 * that the actor may not give; 409 for one's own status.
 */
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
