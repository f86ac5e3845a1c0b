import type { Role } from '../../db/tables.ts'

/** What a role may do beyond what every account may. The one table of rights (decision A10). */
const PERMISSIONS = {
  user: [],
  analyst: ['panel'],
  moderator: ['panel'],
  admin: ['panel', 'campaigns'],
  super_admin: ['panel', 'campaigns'],
} as const satisfies Record<Role, readonly string[]>

export type Permission = (typeof PERMISSIONS)[Role][number]

/** True when accounts of `role` hold `permission`. */
export function can(role: Role, permission: Permission): boolean {
  return permissionsOf(role).includes(permission)
}

/** The permissions of a role, as the login answer lists them. */
export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role]
}
