import { can } from '../../platform/rights/permissions.ts'
import type { Role } from '../../platform/tables/tables.ts'
import type { StoredExport } from './exports.queries.ts'

/** True when this role's files mask addresses and phone numbers (decision C8). */
export function isMaskedFor(role: Role | null): boolean {
  return role === null || !can(role, 'users.contact')
}

export function mayFetch(role: Role, { masked }: Pick<StoredExport, 'masked'>): boolean {
  return masked === true || !isMaskedFor(role)
}
