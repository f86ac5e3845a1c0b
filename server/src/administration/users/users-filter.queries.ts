import { sql, type RawBuilder } from 'kysely'
import { USER_TEXT, userSearchOf } from '../../identity/accounts/searched.queries.ts'
import type { Facets } from '../../platform/lists/list-counts.queries.ts'
import { between } from '../../platform/lists/list-rows.ts'
import { containsWords } from '../../platform/lists/pattern.ts'
import type { Role, UserStatus } from '../../platform/tables/tables.ts'

export type UserFilter = {
  search?: string | undefined
  statuses?: UserStatus[] | undefined
  roles?: Role[] | undefined
  isEmailVerified?: boolean | undefined
  isTestUser?: boolean | undefined
  deleted: 'exclude' | 'only' | 'include'
  /** When the account was made; from inclusive, to exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  lastActiveFrom?: Date | undefined
  lastActiveTo?: Date | undefined
  /** Leaves out deleted accounts that are purged by then. */
  keptUntil?: Date | undefined
}

/** On `users u`; the search looks into the whole text. */
export function userConditions(filter: UserFilter): RawBuilder<boolean> {
  const search = filter.search === undefined ? [] : [containsWords(USER_TEXT, userSearchOf(filter.search), 'anywhere')]
  return sql`${sql.join([sql`true`, ...conditionsOf(filter), ...search], sql` and `)}`
}

export function conditionsOf(filter: UserFilter): RawBuilder<boolean>[] {
  const { statuses, roles, isEmailVerified, isTestUser } = filter
  return [
    ...(filter.deleted === 'exclude' ? [sql<boolean>`u.deleted_at is null`] : []),
    ...(filter.deleted === 'only' ? [sql<boolean>`u.deleted_at is not null`] : []),
    ...(statuses === undefined ? [] : [sql<boolean>`u.status in (${sql.join(statuses)})`]),
    ...(roles === undefined ? [] : [sql<boolean>`u.role in (${sql.join(roles)})`]),
    ...(isEmailVerified === undefined ? [] : [isEmailVerified ? VERIFIED : UNVERIFIED]),
    ...(isTestUser === undefined ? [] : [isTestUser ? sql<boolean>`u.is_test_user` : sql<boolean>`not u.is_test_user`]),
    ...between(sql`u.created_at`, filter.from, filter.to),
    ...between(sql`u.last_active_at`, filter.lastActiveFrom, filter.lastActiveTo),
    ...(filter.keptUntil === undefined
      ? []
      : [sql<boolean>`(u.purge_after is null or u.purge_after > ${filter.keptUntil})`]),
  ]
}

const VERIFIED = sql<boolean>`u.email_verified_at is not null`
const UNVERIFIED = sql<boolean>`u.email_verified_at is null`

/** They are in the order of `user_facets`. Undefined when the filter has other conditions. */
export function facetsOf(filter: UserFilter): Facets | undefined {
  const { deleted, statuses, roles, isEmailVerified, isTestUser } = filter
  const others = [filter.from, filter.to, filter.lastActiveFrom, filter.lastActiveTo, filter.keptUntil, filter.search]
  if (others.some((other) => other !== undefined)) return undefined
  return [
    deleted === 'include' ? undefined : [deleted === 'only'],
    statuses,
    roles,
    isEmailVerified === undefined ? undefined : [isEmailVerified],
    isTestUser === undefined ? undefined : [isTestUser],
  ]
}
