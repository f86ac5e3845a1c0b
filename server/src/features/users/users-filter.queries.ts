import { sql, type RawBuilder } from 'kysely'
import type { Role, UserStatus } from '../../db/tables.ts'

/** What a list of users is narrowed by (decision C4); every part that is given must hold. */
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

// The expression of the index `users_search`.
const SEARCHED = sql`(' ' || u.username || ' ' || u.email || ' ' || u.name)`

/** The condition that a filter is, on `users u`. */
export function userConditions(filter: UserFilter): RawBuilder<boolean> {
  const others = conditionsOf(filter)
  return all(filter.search === undefined ? others : [...others, searchCondition(filter.search)])
}

/** The same without the search. */
export function conditionsBesideSearch(filter: UserFilter): RawBuilder<boolean> {
  return all(conditionsOf(filter))
}

/** The condition that a search is, on `users u`; `%` and `_` are themselves (decision A5). */
export function searchCondition(search: string): RawBuilder<boolean> {
  const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return sql`${SEARCHED} ilike ${reachOf(search) === 'beginnings' ? `% ${text}%` : `%${text}%`}`
}

/**
 * How a search is found. The index knows words by three characters, of which two may be the edge before a word and one the
 * edge after it. A text of one or two letters has none within a word: it is looked for at the beginnings of username,
 * address and words of the name. A text without a letter or digit has none at all: `unindexed`.
 */
export function reachOf(search: string): 'anywhere' | 'beginnings' | 'unindexed' {
  if (/[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(search)) return 'anywhere'
  return /^[\p{L}\p{N}]/u.test(search) ? 'beginnings' : 'unindexed'
}

function conditionsOf(filter: Omit<UserFilter, 'search'>): RawBuilder<boolean>[] {
  const { statuses, roles, isEmailVerified, isTestUser, from, to, lastActiveFrom, lastActiveTo } = filter
  return [
    ...(filter.deleted === 'exclude' ? [sql<boolean>`u.deleted_at is null`] : []),
    ...(filter.deleted === 'only' ? [sql<boolean>`u.deleted_at is not null`] : []),
    ...(statuses === undefined ? [] : [sql<boolean>`u.status in (${sql.join(statuses)})`]),
    ...(roles === undefined ? [] : [sql<boolean>`u.role in (${sql.join(roles)})`]),
    ...(isEmailVerified === undefined ? [] : [isEmailVerified ? VERIFIED : UNVERIFIED]),
    ...(isTestUser === undefined ? [] : [isTestUser ? sql<boolean>`u.is_test_user` : sql<boolean>`not u.is_test_user`]),
    ...(from === undefined ? [] : [sql<boolean>`u.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`u.created_at < ${to}`]),
    ...(lastActiveFrom === undefined ? [] : [sql<boolean>`u.last_active_at >= ${lastActiveFrom}`]),
    ...(lastActiveTo === undefined ? [] : [sql<boolean>`u.last_active_at < ${lastActiveTo}`]),
    ...(filter.keptUntil === undefined
      ? []
      : [sql<boolean>`(u.purge_after is null or u.purge_after > ${filter.keptUntil})`]),
  ]
}

const VERIFIED = sql<boolean>`u.email_verified_at is not null`
const UNVERIFIED = sql<boolean>`u.email_verified_at is null`

function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}
