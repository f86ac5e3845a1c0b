import type { Role, UserStatus } from '../tables/tables.ts'
import { ROLES } from '../shared/words.ts'

const ADMIN = [
  'panel',
  'campaigns',
  'users',
  'products',
  'products.write',
  'verification',
  'product-reports',
  'user-reports',
  'catalogue',
  'groups',
  'swaps',
  'reports',
  'insights',
  'audit',
  'approvals',
] as const

/** Decision A10. `users.contact`: to take addresses and phone numbers of many people along, as files (decision C8). */
const PERMISSIONS = {
  user: [],
  analyst: ['panel', 'reports', 'insights'],
  moderator: ['panel', 'products', 'verification', 'product-reports', 'user-reports', 'groups', 'swaps'],
  admin: ADMIN,
  super_admin: [...ADMIN, 'users.contact'],
} as const satisfies Record<Role, readonly string[]>

export type Permission = (typeof PERMISSIONS)[Role][number]

/** A role with all rights. */
export const RIGHTS: readonly Permission[] = PERMISSIONS.super_admin

export function can(role: Role, permission: Permission): boolean {
  return listPermissions(role).includes(permission)
}

/** Addresses and phone numbers of people: analysts work with names. */
export function seesContact(role: Role): boolean {
  return can(role, 'users')
}

export function listPermissions(role: Role): readonly Permission[] {
  return PERMISSIONS[role]
}

/** Only then may it change or create such an account (decision C6). */
export function outranks(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(other)
}

/** Who makes a request, as the account is in the database now. */
export type Principal = {
  userId: number
  sessionId: string
  username: string
  email: string
  name: string
  /** Decides about rights: `user` without a required second factor, and 12 h after the session was opened. */
  role: Role
  accountRole: Role
  lacksFactor: boolean
  status: UserStatus
  createdAt: Date
  openedAt: Date
  expiresAt: Date
}
