import { sql, type RawBuilder } from 'kysely'
import {
  between,
  type Found,
  joinWithAnd,
  type List,
  type ListPage,
  type Order,
  type RowCondition,
} from '../../platform/lists/list-rows.ts'
import { USER_TEXT, toUserSearch } from '../../identity/accounts/user-search.queries.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import type { Facets } from '../../platform/lists/list-counts.queries.ts'
import { containsWords } from '../../platform/lists/pattern.ts'
import type { Role, UserStatus } from '../../platform/tables/tables.ts'

const ORDERS = {
  id: { keys: [sql`u.user_id`], isUnique: true },
  username: { keys: [sql`lower(u.username)`], isUnique: true },
  email: { keys: [sql`lower(u.email)`], isUnique: true },
  name: { keys: [sql`lower(u.name)`] },
  role: { keys: [sql`u.role`] },
  status: { keys: [sql`u.status`] },
  last_active_at: { keys: [sql`u.last_active_at`], nulls: 'lowest' },
  created_at: { keys: [sql`u.created_at`] },
  updated_at: { keys: [sql`u.updated_at`] },
  deleted_at: { keys: [sql`u.deleted_at`], nulls: 'lowest' },
} satisfies Record<string, Order>

export type UserOrder = keyof typeof ORDERS

export const USER_ORDERS = Object.keys(ORDERS) as UserOrder[]

export type UserPage = ListPage<UserOrder>

const USERS: List<UserFilter, UserOrder> = {
  table: 'users',
  alias: 'u',
  id: 'user_id',
  orders: ORDERS,
  searched: { text: USER_TEXT, readSearch: ({ search }) => search && toUserSearch(search) },
  toConditions,
  kept: { list: 'users', toFacets },
}

export function findUsers(source: ListSource, filter: UserFilter, page: UserPage): Promise<Found> {
  const { deleted, statuses, roles } = filter
  const hasOneKey = { deleted_at: deleted === 'exclude', status: statuses?.length === 1, role: roles?.length === 1 }
  // Where all have the same key, the ids alone tell the order.
  const by = page.by in hasOneKey && hasOneKey[page.by as keyof typeof hasOneKey] ? 'id' : page.by
  return findPage(source, USERS, { filter, page: { ...page, by } })
}

export type UserFilter = {
  search?: string | undefined
  /** It finds words of the username and the name, for who may not know addresses and numbers. */
  named?: string | undefined
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

/** The conditions are on `users u`; the search looks into the whole text. */
export function userConditions(filter: UserFilter): RawBuilder<boolean> {
  const { search } = filter
  return joinWithAnd([
    ...toConditions(filter),
    search !== undefined && containsWords(USER_TEXT, toUserSearch(search), 'anywhere'),
  ])
}

function toConditions(filter: UserFilter): RowCondition[] {
  const { statuses, roles, isEmailVerified, isTestUser } = filter
  return [
    filter.deleted === 'exclude' && sql`u.deleted_at is null`,
    filter.deleted === 'only' && sql`u.deleted_at is not null`,
    statuses && sql`u.status in (${sql.join(statuses)})`,
    roles && sql`u.role in (${sql.join(roles)})`,
    isEmailVerified !== undefined && (isEmailVerified ? VERIFIED : UNVERIFIED),
    isTestUser !== undefined && (isTestUser ? sql`u.is_test_user` : sql`not u.is_test_user`),
    filter.named !== undefined && containsWords(NAMES, toUserSearch(filter.named), 'anywhere'),
    ...between(sql`u.created_at`, filter.from, filter.to),
    ...between(sql`u.last_active_at`, filter.lastActiveFrom, filter.lastActiveTo),
    filter.keptUntil && sql`(u.purge_after is null or u.purge_after > ${filter.keptUntil})`,
  ]
}

const NAMES = sql<string>`unaccented(' ' || u.username || ' ' || u.name)`
const VERIFIED = sql`u.email_verified_at is not null`
const UNVERIFIED = sql`u.email_verified_at is null`

/** They are in the order of `user_facets`. Undefined when the filter has other conditions. */
function toFacets(filter: UserFilter): Facets | undefined {
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
