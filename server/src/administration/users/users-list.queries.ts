import { sql } from 'kysely'
import type { Source } from '../../platform/db/one-message.ts'
import { findPage, type Found, type List, type ListPage, type Order } from '../../platform/lists/search.queries.ts'
import { conditionsOf, facetsOf, SEARCHED, type UserFilter } from './users-filter.queries.ts'

/** The orders of the list, each that of an index. */
const ORDERS = {
  id: { key: sql`u.user_id`, isUnique: true },
  username: { key: sql`lower(u.username)`, isUnique: true, isScattered: true },
  email: { key: sql`lower(u.email)`, isUnique: true, isScattered: true },
  name: { key: sql`lower(u.name)`, isScattered: true },
  role: { key: sql`u.role` },
  status: { key: sql`u.status` },
  last_active_at: { key: sql`u.last_active_at`, mayBeNull: true },
  created_at: { key: sql`u.created_at` },
  updated_at: { key: sql`u.updated_at` },
  deleted_at: { key: sql`u.deleted_at`, mayBeNull: true },
} as const satisfies Record<string, Order>

export type UserOrder = keyof typeof ORDERS

/** What the list can be sorted by. */
export const USER_ORDERS = Object.keys(ORDERS) as UserOrder[]

export type UserPage = ListPage<UserOrder>

const USERS: List<UserFilter, UserOrder> = {
  table: 'users',
  alias: 'u',
  id: 'user_id',
  orders: ORDERS,
  searched: SEARCHED,
  conditionsOf,
  facetsOf,
  rangeOf: ({ from, to }) => (from === undefined && to === undefined ? undefined : 'created_at'),
}

/** The ids of a page of the users that match, in their order, and how many match (decision C4). */
export function findUsers(source: Source, filter: UserFilter, page: UserPage): Promise<Found> {
  return findPage(source, USERS, { filter, page })
}
