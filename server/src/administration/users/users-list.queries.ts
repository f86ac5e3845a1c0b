import { sql, type RawBuilder } from 'kysely'
import { between, type Found, type List, type ListPage, type Order } from '../../platform/lists/list-rows.ts'
import { SEARCHED } from '../../identity/accounts/searched.queries.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import type { Role, UserStatus } from '../../platform/tables/tables.ts'
import { conditionsOf, facetsOf, type UserFilter } from './users-filter.queries.ts'

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7

const ORDERS = {
  id: { keys: [sql`u.user_id`], isUnique: true },
  username: { keys: [sql`lower(u.username)`], isUnique: true, isScattered: true },
  email: { keys: [sql`lower(u.email)`], isUnique: true, isScattered: true },
  name: { keys: [sql`lower(u.name)`], isScattered: true },
  role: { keys: [sql`u.role`], values: ['admin', 'analyst', 'moderator', 'super_admin', 'user'] satisfies Role[] },
  status: { keys: [sql`u.status`], values: ['active', 'banned', 'inactive', 'suspended'] satisfies UserStatus[] },
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
  searched: { ...SEARCHED, textOf: ({ search }) => search },
  conditionsOf,
  kept: { list: 'users', facetsOf },
  rangeOf: ({ from, to, lastActiveFrom, lastActiveTo }, by) => {
    if (from !== undefined || to !== undefined) return 'created_at'
    // The index by activity has the keys of the other orders, so only this one would read the table.
    if (by === 'updated_at') return undefined
    return lastActiveFrom === undefined && lastActiveTo === undefined ? undefined : 'last_active_at'
  },
  walkOf,
  // The expression of the indexes `users_by_week`, `users_by_week_active` and `users_by_week_updated`.
  slices: {
    range: 'created_at',
    by: ['id', 'last_active_at', 'updated_at'],
    number: sql`((((u.created_at at time zone 'UTC')::date - '1970-01-01'::date) / 7))`,
    boundsOf: ({ from, to }) => ({ ...(from && { first: weekOf(from) }), ...(to && { last: weekOf(to) }) }),
  },
}

function walkOf({ from, to, lastActiveFrom, lastActiveTo }: UserFilter, by: UserOrder): RawBuilder<boolean>[] {
  if (by === 'created_at') return between(sql`u.created_at`, from, to)
  return by === 'last_active_at' ? between(sql`u.last_active_at`, lastActiveFrom, lastActiveTo) : []
}

function weekOf(moment: Date): number {
  return Math.trunc(Math.floor(moment.getTime() / DAY_MS) / DAYS_OF_WEEK)
}

export function findUsers(source: ListSource, filter: UserFilter, page: UserPage): Promise<Found> {
  const { deleted, statuses, roles } = filter
  const hasOneKey = { deleted_at: deleted === 'exclude', status: statuses?.length === 1, role: roles?.length === 1 }
  // Where all have the same key, the ids alone tell the order.
  const by = page.by in hasOneKey && hasOneKey[page.by as keyof typeof hasOneKey] ? 'id' : page.by
  return findPage(source, USERS, { filter, page: { ...page, by } })
}
