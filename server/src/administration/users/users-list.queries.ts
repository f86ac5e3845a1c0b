import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countOrEstimate, estimateRows, type Counted } from '../../platform/db/count.ts'
import { oneHolds, reachOf, type SearchReach } from '../../platform/lists/pattern.ts'
import {
  conditionsBesideSearch,
  estimatedConditions,
  SEARCHED,
  userConditions,
  type UserFilter,
} from './users-filter.queries.ts'

type Order = { key: RawBuilder<unknown>; isUnique?: boolean; mayBeNull?: boolean }

/** The orders of the list, each that of an index. What is unique has no ties for the id to break. */
const ORDERS = {
  id: { key: sql`u.user_id`, isUnique: true },
  username: { key: sql`lower(u.username)`, isUnique: true },
  email: { key: sql`lower(u.email)`, isUnique: true },
  name: { key: sql`lower(u.name)` },
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

export type UserPage = { perPage: number; offset: number; by: UserOrder; direction: 'asc' | 'desc' }

/** A page of ids, how many match, and where a search looked. */
export type FoundUsers = { ids: number[]; total: Counted; reach?: SearchReach }

const FEW = 10_000
const FEW_IN_RANGE = 50_000
const MANY = 20_000
// The orders in which those registered at one time lie scattered.
const NAMES: readonly UserOrder[] = ['username', 'email', 'name']
const WINDOW = 20_000
// So far above the window that looking would only end with the planner's guess.
const SURELY_LONG = 40_000
// Of a search with many matches the count is not worth waiting for.
const SEARCH_PATIENCE_MS = 25

/**
 * The ids of a page of the users that match, in their order, and how many match: an estimate above 100,000. Of many matches
 * the first are soon met on the way through the index of the order. A few are collected and sorted: the planner would go
 * through the index for them too, all of it when they lie at its end. So are those of a time of registration, which do
 * lie at one end of all orders but those by name (ADR 016).
 */
export async function findUsers(db: Db, filter: UserFilter, page: UserPage): Promise<FoundUsers> {
  const { search } = filter
  if (search !== undefined) return searchUsers(db, { ...filter, search }, page)
  const matches = keyed(userConditions(filter), page)
  const estimated = await estimateRows(db, matches)
  const isRange = (filter.from !== undefined || filter.to !== undefined) && !NAMES.includes(page.by)
  if (isRange && estimated <= FEW_IN_RANGE) return going(db, 'by any index', (tx) => collect(tx, matches, page))
  if (estimated <= FEW) return collect(db, matches, page)
  const [ids, total] = await Promise.all([
    idsOf(db, sql`${matches} order by ${orderOf(page, ORDERS[page.by].key)} ${cut(page)}`),
    countOrEstimate(db, sql`select 1 from users u where ${userConditions(filter)}`, { estimated }),
  ])
  return { ids, total }
}

type Searching = UserFilter & { search: string }

/**
 * The same for a search. A text that the index cannot find anywhere is found so in a list of up to 20,000 users, by looking at
 * each; of a longer list at the beginnings of words, or among the first 20,000 users of the order. Of many matches a page is
 * looked for among those 20,000 first; when they do not hold it, all matches are collected after all.
 */
async function searchUsers(db: Db, filter: Searching, page: UserPage): Promise<FoundUsers> {
  const reach = reachOf(filter.search)
  const small = reach === 'anywhere' ? undefined : await searchSmallList(db, filter, page)
  if (small !== undefined) return { ...small, reach: 'anywhere' }
  if (reach === 'first_20000') {
    const { ids, total } = await going(db, 'by order', (tx) => collect(tx, nearestOf(filter, page, 'anywhere'), page))
    return { ids, total: { ...total, isEstimate: true }, reach }
  }
  return { ...(await searchByIndex(db, filter, page, reach)), reach }
}

async function searchByIndex(db: Db, filter: Searching, page: UserPage, reach: SearchReach): Promise<FoundUsers> {
  const matches = keyed(userConditions(filter, reach), page)
  const estimated = await estimateRows(db, keyed(estimatedConditions(filter, reach), page))
  const collecting = () => going(db, 'by matches', (tx) => collect(tx, matches, page))
  if (estimated <= MANY) return collecting()
  const nearest = nearestOf(filter, page, reach)
  const [ids, total] = await Promise.all([
    going(db, 'by order', (tx) => idsOf(tx, sql`${nearest} order by ${orderOf(page, KEY)} ${cut(page)}`)),
    countOrEstimate(db, matches, { patienceMs: SEARCH_PATIENCE_MS, estimated }),
  ])
  return ids.length === page.perPage ? { ids, total } : collecting()
}

/** Those that match among the first 20,000 users of the order that the other filters leave. */
function nearestOf(filter: Searching, page: UserPage, reach: SearchReach): RawBuilder<unknown> {
  return sql`
    select u.* from (
      ${keyed(conditionsBesideSearch(filter), page, SEARCHED_COLUMNS)}
      order by ${orderOf(page, ORDERS[page.by].key)} limit ${WINDOW}) u
    where ${oneHolds(SEARCHED, filter.search, reach)}`
}

/** Looks at every user that the other filters leave; undefined when they are more than 20,000. */
async function searchSmallList(db: Db, filter: Searching, page: UserPage): Promise<FoundUsers | undefined> {
  const listed = keyed(conditionsBesideSearch(filter), page, SEARCHED_COLUMNS)
  if ((await estimateRows(db, listed)) > SURELY_LONG) return undefined
  // The offset keeps the search from becoming a condition of the list, for which the planner may choose its index.
  const matches = sql`select u.* from (${listed} offset 0) u where ${oneHolds(SEARCHED, filter.search, 'anywhere')}`
  return going(db, 'by any index', async (tx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (
        select from users u where ${conditionsBesideSearch(filter)} limit ${WINDOW + 1}) t`.execute(tx)
    return (rows[0]?.n ?? 0) > WINDOW ? undefined : collect(tx, matches, page)
  })
}

const SEARCHED_COLUMNS = sql`, u.username, u.email, u.name`
const KEY = sql`u.key`

/** The users of a condition with the key of the page's order, as `key`. */
function keyed(
  condition: RawBuilder<boolean>,
  { by }: UserPage,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`select u.user_id, ${ORDERS[by].key} as key ${more} from users u where ${condition}`
}

/** A page of users that are all collected before they are sorted, and how many they are. */
async function collect(db: Db | Tx, users: RawBuilder<unknown>, page: UserPage): Promise<FoundUsers> {
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with found as materialized (${users})
    select (select count(*) from found) as total,
      array(select u.user_id from found u order by ${orderOf(page, KEY)} ${cut(page)}) as ids`.execute(db)
  const { ids = [], total = 0 } = rows[0] ?? {}
  return { ids, total: { total, isEstimate: false } }
}

async function idsOf(db: Db | Tx, users: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`${users}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Runs `find` by the index of what is searched, by that of an order, or by any, whatever the planner would rather do. */
async function going<T>(db: Db, way: keyof typeof WAYS, find: (tx: Tx) => Promise<T>): Promise<T> {
  const [inOrder, byMatch] = WAYS[way]
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', ${byMatch}, true),
      set_config('enable_indexscan', ${inOrder}, true), set_config('enable_indexonlyscan', ${inOrder}, true)`.execute(
      tx,
    )
    return find(tx)
  })
}

const WAYS = { 'by matches': ['off', 'on'], 'by order': ['on', 'off'], 'by any index': ['on', 'on'] } as const

/** What never was comes before what was. */
function orderOf({ by, direction }: UserPage, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const order: Order = ORDERS[by]
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  if (order.isUnique === true) return sql`${key} ${way}`
  const nulls = direction === 'asc' ? sql`nulls first` : sql`nulls last`
  return sql`${key} ${way} ${order.mayBeNull === true ? nulls : sql``}, u.user_id ${way}`
}

function cut({ perPage, offset }: UserPage): RawBuilder<unknown> {
  return sql`limit ${perPage} offset ${offset}`
}
