import { sql } from 'kysely'
import type { Found, List, ListPage, Order } from '../../platform/lists/list-rows.ts'
import { USER_TEXT, userSearchOf } from '../../identity/accounts/searched.queries.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import { conditionsOf, facetsOf, type UserFilter } from './users-filter.queries.ts'

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
  searched: { text: USER_TEXT, searchOf: ({ search }) => search && userSearchOf(search) },
  conditionsOf,
  kept: { list: 'users', facetsOf },
}

export function findUsers(source: ListSource, filter: UserFilter, page: UserPage): Promise<Found> {
  const { deleted, statuses, roles } = filter
  const hasOneKey = { deleted_at: deleted === 'exclude', status: statuses?.length === 1, role: roles?.length === 1 }
  // Where all have the same key, the ids alone tell the order.
  const by = page.by in hasOneKey && hasOneKey[page.by as keyof typeof hasOneKey] ? 'id' : page.by
  return findPage(source, USERS, { filter, page: { ...page, by } })
}
