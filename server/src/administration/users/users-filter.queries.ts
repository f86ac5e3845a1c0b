import { sql, type RawBuilder } from 'kysely'
import { joinedHold, oneHolds, type SearchedFields, type SearchReach } from '../../platform/lists/pattern.ts'
import type { Role, UserStatus } from '../../platform/db/tables.ts'

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

/** What a search looks into; joined as in the index `users_search`. */
export const SEARCHED: SearchedFields = {
  joined: sql`(' ' || u.username || ' ' || u.email || ' ' || u.name)`,
  fields: [sql`u.username`, sql`u.email`, sql`u.name`],
}

/** The condition that a filter is, on `users u`. Its search looks into the whole text unless `reach` says otherwise. */
export function userConditions(filter: UserFilter, reach: SearchReach = 'anywhere'): RawBuilder<boolean> {
  const others = conditionsOf(filter)
  return all(filter.search === undefined ? others : [...others, oneHolds(SEARCHED, filter.search, reach)])
}

/** The same as the planner can estimate it: without the check that a text is within one field. */
export function estimatedConditions(filter: UserFilter, reach: SearchReach): RawBuilder<boolean> {
  const others = conditionsOf(filter)
  return all(filter.search === undefined ? others : [...others, joinedHold(SEARCHED, filter.search, reach)])
}

/** The same without the search. */
export function conditionsBesideSearch(filter: UserFilter): RawBuilder<boolean> {
  return all(conditionsOf(filter))
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
