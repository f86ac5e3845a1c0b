import type { Role, UserStatus } from '../../platform/tables/tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Account, AccountChange } from '../../identity/accounts/accounts.queries.ts'
import { PASSWORD_LENGTH } from '../../platform/secrets/password-length.ts'
import { outranks } from '../../platform/rights/permissions.ts'

type Changeable =
  'email' | 'username' | 'name' | 'phone' | 'city' | 'avatar_url' | 'role' | 'status' | 'status_reason' | 'is_test_user'

/** Absent fields do not change. Times are ISO 8601 text. */
export type UserChange = Partial<Pick<Account, Changeable>> & { suspended_until?: string | null }

/** 422 for a promotion without a new password, unless its owner signed in with a long one (decision C2). */
export function refuseUnknownPassword(
  account: Pick<Account, 'role' | 'has_long_password'>,
  role: Role | undefined,
): void {
  if (role === undefined || !outranks(role, account.role) || account.has_long_password) return
  const least = PASSWORD_LENGTH.leastOfAdministrators
  throw errors.validation({
    password: [`must be given with this role: the present one may have fewer than ${least} characters`],
  })
}

/** The columns that change. A new status drops the reason and end of the old one; a new address is not verified. 422
 * for an end without a suspension, or in the past. */
export function toAccountChange(before: Account, { suspended_until, ...input }: UserChange, now: Date): AccountChange {
  const status = input.status ?? before.status
  const until = suspended_until === undefined || suspended_until === null ? suspended_until : new Date(suspended_until)
  if (until) refuseEnd(until, status, now)
  const change: AccountChange = {
    ...(status !== before.status && { status_reason: null, suspended_until: null }),
    ...(input.email !== undefined && input.email !== before.email && { email_verified_at: null }),
    ...input,
    ...(until !== undefined && { suspended_until: until }),
  }
  const fields = Object.keys(change) as (keyof AccountChange & keyof Account)[]
  return Object.fromEntries(
    fields.filter((field) => !isSame(change[field], before[field])).map((field) => [field, change[field]]),
  )
}

function refuseEnd(until: Date, status: UserStatus, now: Date): void {
  if (status !== 'suspended')
    throw errors.validation({ suspended_until: ['is allowed only with the status suspended'] })
  if (Number.isNaN(until.getTime()) || until <= now)
    throw errors.validation({ suspended_until: ['must be in the future'] })
}

export const OWN_FIELDS = ['email', 'username', 'name', 'phone', 'city', 'avatar_url'] as const

const AUDITED = [
  ...OWN_FIELDS,
  'role',
  'status',
  'status_reason',
  'suspended_until',
  'is_test_user',
  'email_verified_at',
  'deleted_at',
] as const

/** The audit log has it; of a password it says only that it changed. */
export function findDifference(
  before: Account | null,
  after: Account,
): { before: Record<string, unknown> | null; after: Record<string, unknown> } {
  const changed = AUDITED.filter((field) => !isSame(before?.[field] ?? null, after[field]))
  const hasNewPassword = before !== null && before.password_hash !== after.password_hash
  return {
    before: before && Object.fromEntries(changed.map((field) => [field, before[field]])),
    after: {
      ...Object.fromEntries(changed.map((field) => [field, after[field]])),
      ...(hasNewPassword && { password: 'changed' }),
    },
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other
}
