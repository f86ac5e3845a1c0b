import type { Role } from '../../platform/tables/tables.ts'

const ADMIN = [
  'panel',
  'campaigns',
  'users',
  'products',
  'products.write',
  'verification',
  'product-reports',
  'reports',
  'insights',
  'audit',
] as const

/** What a role may do beyond every account; the one table of rights (decision A10). */
const PERMISSIONS = {
  user: [],
  analyst: ['panel', 'reports', 'insights'],
  moderator: ['panel', 'products', 'verification', 'product-reports'],
  admin: ADMIN,
  super_admin: ADMIN,
} as const satisfies Record<Role, readonly string[]>

export type Permission = (typeof PERMISSIONS)[Role][number]

export function can(role: Role, permission: Permission): boolean {
  return permissionsOf(role).includes(permission)
}

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role]
}

const RANKS: Record<Role, number> = { user: 0, analyst: 1, moderator: 2, admin: 3, super_admin: 4 }

/** True when `role` is above `other`: only then may it change or create such an account (decision C6). */
export function outranks(role: Role, other: Role): boolean {
  return RANKS[role] > RANKS[other]
}
