import { sql, type RawBuilder } from 'kysely'
import { estimateEach } from '../../platform/db/count.ts'
import { inOneMessage, type Source } from '../../platform/db/one-message.ts'
import type { Condition } from '../../platform/tables/marketplace-tables.ts'
import { notBlocked } from '../../identity/blocks/blocks.queries.ts'
import { cardsOf, type Card } from './cards.queries.ts'

export type BrowseFilter = {
  /** Each must be in the title or the description. */
  words?: string[] | undefined
  categoryIds?: number[] | undefined
  city?: string | undefined
  condition?: Condition | undefined
  /** Absent: everybody but the viewer. */
  ownerId?: number | undefined
}

/** The keys of the last row of the page before. */
export type BrowseKeys = { newest: [listingId: number]; most_liked: [likes: number, listingId: number] }

export type BrowsePage = {
  viewerId: number
  filter: BrowseFilter
  limit: number
} & (
  | { by: 'newest'; after: BrowseKeys['newest'] | undefined }
  | { by: 'most_liked'; after: BrowseKeys['most_liked'] | undefined }
)

// Up to so many matches are collected and sorted as fast as a page is read.
const FEW = 5_000
// If there are more matches, this many rows of the order usually hold a page of them.
const WINDOW = 6_000
// The index of words reads this many entries in the time that one row takes.
const ENTRIES_FOR_A_ROW = 20

/** Up to `limit` + 1 cards after a cursor. Without words, one index holds filter and order. Few matches of words are
 * collected and sorted; for many, the first rows of the order are read, and all matches when those do not fill a
 * page. */
export async function findCards(source: Source, page: BrowsePage): Promise<Card[]> {
  const { words } = page.filter
  if (words === undefined) return run(source, page, inOrder(page), true)
  const sought = await rankWords(source, page, words)
  if (sought.estimated > FEW) {
    const met = await run(source, page, amongFirst(page, words), true)
    if (met.length > page.limit) return met
  }
  // The offset keeps the planner from using the index of the order because of the limit.
  return run(source, page, sql`select * from (${matchesOf(page, sought)} offset 0) l ${cut(page)}`, false)
}

type Sought = { byIndex: string[]; byLook: string[]; estimated: number }

/** Estimates the matches, and says which words the index is asked for: all entries of a frequent word take longer
 * than a look at the matches of a rare one. */
async function rankWords(source: Source, page: BrowsePage, words: string[]): Promise<Sought> {
  const together = { byIndex: words, byLook: [] }
  const [estimated = 0, ...each] = await estimateEach(source, [
    matchesOf({ ...page, after: undefined }, together),
    ...words.map(rowsWith),
  ])
  const most = ENTRIES_FOR_A_ROW * Math.max(1, Math.min(...each))
  const isRare = (_: string, place: number) => (each[place] ?? 0) <= most
  return {
    estimated,
    byIndex: words.filter(isRare),
    byLook: words.filter((word, place) => !isRare(word, place)),
  }
}

async function run(source: Source, page: BrowsePage, rows: RawBuilder<unknown>, byOrder: boolean): Promise<Card[]> {
  const [cards = []] = await inOneMessage(source, [cardsOf(page.viewerId, rows, orderOf(page))], {
    name: 'browse',
    ...(byOrder && { plans: 'by order' }),
  })
  return cards as Card[]
}

const COLUMNS = sql`l.product_id, l.listing_id, l.like_count, l.is_listed`

function inOrder(page: BrowsePage): RawBuilder<unknown> {
  const { categoryIds } = page.filter
  const conditions = [...placeOf(page), ...conditionOf(page)]
  if (categoryIds === undefined) return sql`select ${COLUMNS} from listings l where ${all(conditions)} ${cut(page)}`
  // An index holds the products of one category in order: the first ones of each, put together.
  return sql`select l.* from unnest(${categoryIds}::bigint[]) c(category_id)
    cross join lateral (
      select ${COLUMNS} from listings l where ${all([...conditions, sql<boolean>`l.category_id = c.category_id`])} ${cut(page)}) l
    ${cut(page)}`
}

function amongFirst(page: BrowsePage, words: string[]): RawBuilder<unknown> {
  return sql`select ${COLUMNS} from (
      select l.* from listings l where ${all(placeOf(page))} order by ${orderOf(page)} limit ${WINDOW}) l
    where ${all([...narrowOf(page), ...words.map(holds)])} ${cut(page)}`
}

function matchesOf(page: BrowsePage, { byIndex, byLook }: Pick<Sought, 'byIndex' | 'byLook'>): RawBuilder<unknown> {
  const found = [...placeOf(page), ...narrowOf(page), ...byIndex.map(holds)]
  const rows = sql`select l.* from listings l where ${all(found)}`
  if (byLook.length === 0) return sql`select ${COLUMNS} from (${rows}) l`
  return sql`select ${COLUMNS} from (${rows} offset 0) l where ${all(byLook.map(holds))}`
}

function rowsWith(word: string): RawBuilder<unknown> {
  return sql`select l.product_id from listings l where l.is_listed and ${holds(word)}`
}

function holds(word: string): RawBuilder<boolean> {
  return sql<boolean>`l.words @@ listing_query(${word})`
}

/** The conditions by which indexes in the page's order begin, and those that nearly all rows meet. */
function placeOf({ viewerId, filter, ...page }: BrowsePage): RawBuilder<boolean>[] {
  const { city, ownerId } = filter
  const isOfOther = [sql<boolean>`l.user_id <> ${viewerId}`, notBlocked(viewerId, sql`l.user_id`)]
  return [
    sql<boolean>`l.is_listed`,
    ...(ownerId === undefined ? isOfOther : [sql<boolean>`l.user_id = ${ownerId}`]),
    ...(city === undefined ? [] : [sql<boolean>`l.city = lower(btrim(${city}))`]),
    ...afterOf(page),
  ]
}

function narrowOf(page: BrowsePage): RawBuilder<boolean>[] {
  const { categoryIds } = page.filter
  return [
    ...conditionOf(page),
    ...(categoryIds === undefined ? [] : [sql<boolean>`l.category_id = any(${categoryIds}::bigint[])`]),
  ]
}

function conditionOf({ filter: { condition } }: BrowsePage): RawBuilder<boolean>[] {
  return condition === undefined ? [] : [sql<boolean>`l.condition = ${condition}`]
}

function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** One row more than the page has. */
function cut(page: BrowsePage): RawBuilder<unknown> {
  return sql`order by ${orderOf(page)} limit ${page.limit + 1}`
}

function afterOf(page: Pick<BrowsePage, 'by' | 'after'>): RawBuilder<boolean>[] {
  if (page.after === undefined) return []
  if (page.after.length === 1) return [sql<boolean>`l.listing_id < ${page.after[0]}::bigint`]
  return [sql<boolean>`(l.like_count, l.listing_id) < (${page.after[0]}::bigint, ${page.after[1]}::bigint)`]
}

function orderOf({ by }: Pick<BrowsePage, 'by'>): RawBuilder<unknown> {
  return by === 'newest' ? sql`l.listing_id desc` : sql`l.like_count desc, l.listing_id desc`
}
