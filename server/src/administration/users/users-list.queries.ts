import { sql } from 'kysely'
import {
  between,
  type Found,
  type List,
  type ListPage,
  type Order,
  type Stretch,
} from '../../platform/lists/list-rows.ts'
import { SEARCHED } from '../../identity/accounts/searched.queries.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import type { Role, UserStatus } from '../../platform/tables/tables.ts'
import { conditionsOf, facetsOf, type UserFilter } from './users-filter.queries.ts'

const HOUR_MS = 3_600_000
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
  rangeOf: ({ from, to }) => (from === undefined && to === undefined ? undefined : 'created_at'),
  walkOf,
  // The expression of the index `users_by_week`.
  slices: {
    by: 'id',
    number: sql`((((u.created_at at time zone 'UTC')::date - '1970-01-01'::date) / 7))`,
    boundsOf: ({ from, to }) => ({ ...(from && { first: weekOf(from) }), ...(to && { last: weekOf(to) }) }),
  },
}

/** Nobody was changed or active long before they registered, but for those in the index `users_before_registration`. */
function walkOf(filter: UserFilter, { by, direction }: Pick<UserPage, 'by' | 'direction'>): Stretch {
  const { from, to, lastActiveFrom, lastActiveTo } = filter
  if (by === 'created_at') return { bounds: between(sql`u.created_at`, from, to) }
  const bounds = by === 'last_active_at' ? between(sql`u.last_active_at`, lastActiveFrom, lastActiveTo) : []
  if (from === undefined || direction === 'desc' || (by !== 'last_active_at' && by !== 'updated_at')) return { bounds }
  const [key] = ORDERS[by].keys
  const start = new Date(from.getTime() - HOUR_MS)
  return {
    bounds: [...bounds, sql`${key} >= ${start}`],
    others: [
      sql`(${key} < ${start} or ${key} is null)`,
      sql`(u.last_active_at is null or u.created_at - least(u.updated_at, u.last_active_at) > interval '1 hour')`,
    ],
  }
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
