import { sql, type RawBuilder } from 'kysely'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'
import { joinWithAnd, type RowCondition } from '../../platform/lists/list-rows.ts'
import type { Condition } from '../../platform/tables/marketplace-tables.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'
import { selectCards, type Card } from './cards.queries.ts'

export type BrowseFilter = {
  words?: string[] | undefined
  categoryIds?: number[] | undefined
  city?: string | undefined
  condition?: Condition | undefined
  ownerId?: number | undefined
}

export type BrowsePage = {
  viewerId: number
  filter: BrowseFilter
  limit: number
  by: 'newest' | 'most_liked'
  /** The keys of the last row of the page before: its place, after its likes in the order by likes. */
  after: readonly number[] | undefined
}

// This many rows of the order usually hold a page of the matches of frequent words.
const WINDOW = 6_000

/**
 * Up to `limit` cards after a cursor. Words are looked for among the first rows of the order, and when these do not
 * fill the page by the index of words.
 */
export async function findCards(source: Source, page: BrowsePage): Promise<Card[]> {
  const { words } = page.filter
  const rows = sql`select ${COLUMNS} from listings l where ${joinWithAnd(toConditions(page))}`
  if (words === undefined) return run(source, page, sql`${rows} ${cut(page)}`)
  const holding = sql`l.words @@ listing_query(${words.join(' ')})`
  const first = sql`
    select l.* from listings l where ${joinWithAnd(toConditions(page))} order by ${toOrder(page)} limit ${WINDOW}`
  const met = await run(source, page, sql`select ${COLUMNS} from (${first}) l where ${holding} ${cut(page)}`)
  if (met.length === page.limit) return met
  // The offset keeps the planner from using the index of the order because of the limit.
  return run(source, page, sql`select * from (${rows} and ${holding} offset 0) l ${cut(page)}`)
}

async function run(source: Source, page: BrowsePage, rows: RawBuilder<unknown>): Promise<Card[]> {
  const statement = selectCards(page.viewerId, rows, toOrder(page))
  const [cards = []] = await inOneMessage(source, [statement], { name: 'browse', plans: 'by any index' })
  return cards as Card[]
}

const COLUMNS = sql`l.product_id, l.listing_id, l.like_count, l.is_listed`

function toConditions({ viewerId, filter, ...page }: BrowsePage): RowCondition[] {
  const { city, ownerId, categoryIds, condition } = filter
  const isOfOther = [sql`l.user_id <> ${viewerId}`, notBlocked(viewerId, sql`l.user_id`)]
  return [
    sql`l.is_listed`,
    ...(ownerId === undefined ? isOfOther : [sql`l.user_id = ${ownerId}`]),
    city !== undefined && sql`l.city = lower(btrim(${city}))`,
    categoryIds && inCategories(categoryIds),
    condition && sql`l.condition = ${condition}`,
    ...toAfterConditions(page),
  ]
}

/** An index has the products of one category in order. */
function inCategories(ids: number[]): RawBuilder<boolean> {
  return ids.length === 1 ? sql`l.category_id = ${ids[0]}` : sql`l.category_id = any(${ids}::bigint[])`
}

function cut(page: BrowsePage): RawBuilder<unknown> {
  return sql`order by ${toOrder(page)} limit ${page.limit}`
}

function toAfterConditions(page: Pick<BrowsePage, 'by' | 'after'>): RowCondition[] {
  if (page.after === undefined) return []
  if (page.by === 'newest') return [sql`l.listing_id < ${page.after[0]}::bigint`]
  return [sql`(l.like_count, l.listing_id) < (${page.after[0]}::bigint, ${page.after[1]}::bigint)`]
}

function toOrder({ by }: Pick<BrowsePage, 'by'>): RawBuilder<unknown> {
  return by === 'newest' ? sql`l.listing_id desc` : sql`l.like_count desc, l.listing_id desc`
}
