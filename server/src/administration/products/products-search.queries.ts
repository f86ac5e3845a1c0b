import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countOrEstimate, estimateRows, type Counted } from '../../platform/db/count.ts'
import type { Condition, ProductStatus, Verification } from '../../platform/db/marketplace-tables.ts'
import { oneHolds, reachOf, type SearchedFields, type SearchReach } from '../../platform/lists/pattern.ts'

export type ProductFilter = {
  statuses?: ProductStatus[] | undefined
  verifications?: Verification[] | undefined
  userId?: number | undefined
  categoryIds?: number[] | undefined
  conditions?: Condition[] | undefined
  hasOpenReports?: boolean | undefined
  deleted: 'exclude' | 'only' | 'include'
  search?: string | undefined
  /** When it was listed; from inclusive, to exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  /** Only those that wait for verification: their owners submitted them, and others can see them. */
  isWaiting?: boolean | undefined
  /** When it was submitted. */
  submittedFrom?: Date | undefined
  submittedTo?: Date | undefined
}

const ORDERS = {
  id: sql`p.product_id`,
  title: sql`p.title`,
  status: sql`p.status`,
  verification: sql`p.verification`,
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
  submitted_at: sql`p.submitted_at`,
  // The expression of the index: no estimate stands below an estimate of nothing.
  estimated_value_cents: sql`coalesce(p.estimated_value_cents, -1)`,
}

export type ProductOrder = keyof typeof ORDERS

/** What a list of products can be sorted by. */
export const PRODUCT_ORDERS = Object.keys(ORDERS) as ProductOrder[]

export type ProductPage = { perPage: number; offset: number; by: ProductOrder; direction: 'asc' | 'desc' }
/** A page of ids, how many match, and where a search looked. */
export type FoundProducts = { ids: number[]; total: Counted; reach?: SearchReach }

/** The ids of a page of the products that match, in their order, and how many match: an estimate above 100,000. */
export async function findProducts(db: Db, filter: ProductFilter, page: ProductPage): Promise<FoundProducts> {
  if (filter.search !== undefined) return searchProducts(db, { ...filter, search: filter.search }, page)
  const matches = sql`select p.product_id from products p where ${allOf(filter)}`
  const [{ rows }, total] = await Promise.all([
    sql<{ product_id: number }>`${matches} order by ${orderOf(page)} ${cut(page)}`.execute(db),
    countOrEstimate(db, matches),
  ])
  return { ids: rows.map((row) => row.product_id), total }
}

const FEW = 10_000
const WINDOW = 20_000
// So far above the window that looking would only end with the planner's guess.
const SURELY_LONG = 40_000
// What any order needs.
const ORDERED_BY = sql`p.product_id, p.title, p.status, p.verification, p.created_at, p.updated_at, p.submitted_at,
  p.estimated_value_cents`

/** What a search looks into; joined as in the index `products_text`. */
const SEARCHED: SearchedFields = {
  joined: sql`(' ' || p.title || ' ' || p.description)`,
  fields: [sql`p.title`, sql`p.description`],
}

type Searching = ProductFilter & { search: string }

/**
 * A search, with the way to go chosen by how many match: the planner's guess, when it is wrong, reads the whole table to find
 * twenty (measured: 7 s of 1.5 million products). Up to 10,000 matches are taken from the index and sorted. Of more, a page is
 * soon met on the way through the list in its order, so 20,000 products are looked at; when they do not hold it, all matches
 * are taken after all. A text that the index cannot find anywhere is found so in a list of up to 20,000 products, by looking at
 * each; of a longer list at the beginnings of words, or in the first 20,000 alone.
 */
async function searchProducts(db: Db, filter: Searching, page: ProductPage): Promise<FoundProducts> {
  const reach = reachOf(filter.search)
  const small = reach === 'anywhere' ? undefined : await searchSmallList(db, filter, page)
  if (small !== undefined) return { ...small, reach: 'anywhere' }
  const holds = oneHolds(SEARCHED, filter.search, reach)
  const matches = sql`select ${ORDERED_BY} from products p where ${allOf(filter)} and ${holds}`
  const nearest = sql`
    select ${ORDERED_BY} from (
      select * from products p where ${allOf(filter)} order by ${orderOf(page)} limit ${WINDOW}) p
    where ${holds}`
  return db.transaction().execute(async (tx) => {
    if (reach === 'first_20000') {
      await goBy(tx, 'order')
      const found = await pageOf(tx, nearest, page)
      return { ...found, total: { ...found.total, isEstimate: true }, reach }
    }
    await goBy(tx, 'matches')
    const few = await pageOf(tx, sql`${matches} limit ${FEW + 1}`, page)
    if (few.total.total <= FEW) return { ...few, reach }
    const counting = countOrEstimate(db, matches)
    const [ids, total] = await Promise.all([manyMatches(tx, { matches, nearest }, page), counting])
    return { ids, total: { ...total, total: Math.max(total.total, few.total.total) }, reach }
  })
}

/** Looks at every product that the other filters leave; undefined when they are more than 20,000. */
async function searchSmallList(db: Db, filter: Searching, page: ProductPage): Promise<FoundProducts | undefined> {
  const listed = sql`select ${ORDERED_BY}, p.description from products p where ${allOf(filter)}`
  // What waits is few of many, which no estimate knows, and has an index of its own.
  if (filter.isWaiting !== true && (await estimateRows(db, listed)) > SURELY_LONG) return undefined
  // The offset keeps the search from becoming a condition of the list, for which the planner may choose its index.
  const matches = sql`
    select ${ORDERED_BY} from (${listed} offset 0) p where ${oneHolds(SEARCHED, filter.search, 'anywhere')}`
  return db.transaction().execute(async (tx) => {
    await goBy(tx, 'any index')
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (select from products p where ${allOf(filter)} limit ${WINDOW + 1}) t`.execute(tx)
    return (rows[0]?.n ?? 0) > WINDOW ? undefined : pageOf(tx, matches, page)
  })
}

async function manyMatches(
  tx: Tx,
  { matches, nearest }: { matches: RawBuilder<unknown>; nearest: RawBuilder<unknown> },
  page: ProductPage,
): Promise<number[]> {
  await goBy(tx, 'order')
  const met = await pageOf(tx, nearest, page)
  if (met.ids.length === page.perPage) return met.ids
  await goBy(tx, 'matches')
  return (await pageOf(tx, matches, page)).ids
}

/** Makes the statements of a transaction go by the index of matches, by the index of an order, or by any. */
async function goBy(tx: Tx, way: keyof typeof WAYS): Promise<void> {
  const [inOrder, byMatch] = WAYS[way]
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', ${byMatch}, true),
    set_config('enable_indexscan', ${inOrder}, true), set_config('enable_indexonlyscan', ${inOrder}, true)`.execute(tx)
}

const WAYS = { matches: ['off', 'on'], order: ['on', 'off'], 'any index': ['on', 'on'] } as const

async function pageOf(tx: Tx, products: RawBuilder<unknown>, page: ProductPage): Promise<FoundProducts> {
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with found as materialized (${products})
    select (select count(*) from found) as total,
      array(select p.product_id from found p order by ${orderOf(page)} ${cut(page)}) as ids`.execute(tx)
  const { ids = [], total = 0 } = rows[0] ?? {}
  return { ids, total: { total, isEstimate: false } }
}

function orderOf({ by, direction }: ProductPage): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return by === 'id' ? sql`p.product_id ${way}` : sql`${ORDERS[by]} ${way}, p.product_id ${way}`
}

function cut({ perPage, offset }: ProductPage): RawBuilder<unknown> {
  return sql`limit ${perPage} offset ${offset}`
}

// The words of the index `products_waiting`.
const WAITING = sql`p.verification = 'pending' and p.status in ('active', 'reserved', 'paused') and p.deleted_at is null and p.hidden_at is null`

/** All conditions of a filter but its search. */
function allOf(filter: ProductFilter): RawBuilder<unknown> {
  const { statuses, verifications, userId, categoryIds, conditions, hasOpenReports, from, to } = filter
  const { submittedFrom, submittedTo } = filter
  const reported = sql`exists (
    select 1 from reported_products r where r.product_id = p.product_id and r.undecided_count > 0)`
  const all = [
    sql`true`,
    ...(filter.deleted === 'exclude' ? [sql`p.deleted_at is null`] : []),
    ...(filter.deleted === 'only' ? [sql`p.deleted_at is not null`] : []),
    ...(statuses === undefined ? [] : [sql`p.status in (${sql.join(statuses)})`]),
    ...(verifications === undefined ? [] : [sql`p.verification in (${sql.join(verifications)})`]),
    ...(userId === undefined ? [] : [sql`p.user_id = ${userId}`]),
    ...(categoryIds === undefined ? [] : [sql`p.category_id = any(${categoryIds})`]),
    ...(conditions === undefined ? [] : [sql`p.condition in (${sql.join(conditions)})`]),
    ...(hasOpenReports === undefined ? [] : [hasOpenReports ? reported : sql`not ${reported}`]),
    ...(from === undefined ? [] : [sql`p.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`p.created_at < ${to}`]),
    ...(filter.isWaiting === true ? [WAITING] : []),
    ...(submittedFrom === undefined ? [] : [sql`p.submitted_at >= ${submittedFrom}`]),
    ...(submittedTo === undefined ? [] : [sql`p.submitted_at < ${submittedTo}`]),
  ]
  return sql.join(all, sql` and `)
}
