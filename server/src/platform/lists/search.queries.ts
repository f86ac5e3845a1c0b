import { sql, type RawBuilder } from 'kysely'
import { countOrEstimate, estimateRows } from '../db/count.ts'
import { inOneMessage, unlessTooLong, type Message, type Source } from '../db/one-message.ts'
import type { PlanKind } from '../db/planner.ts'
import type { KeptTotals } from './list-counts.ts'
import {
  chosenOrder,
  cut,
  ID,
  inOrder,
  orderOf,
  rowsOf,
  type Found,
  type List,
  type ListPage,
  type Wanted,
} from './list-rows.ts'
import { anyFieldContains, indexedContains, reachOf, type SearchedFields, type SearchReach } from './pattern.ts'

type Searching<Filter, By extends string> = Wanted<Filter, By> & {
  searched: SearchedFields
  search: string
  reach: SearchReach
}

export type ListSource = Source & { keptTotals: KeptTotals }

const FEW = 10_000
const FEW_IN_RANGE = 400_000
const SORTED_IN_A_MS = 8_000
// A search with more matches than this finds the first of them sooner on the way through the order.
const MANY = 20_000
const WINDOW = 20_000
const SURELY_LONG = 40_000
const SEARCH_PATIENCE_MS = 25

/**
 * A page and how many rows match (ADR 035). Of many matches the first soon come on the way through the order's index.
 * Few are collected and sorted: the planner would go through the index for them too, all of it if they lie at its end.
 */
export async function findPage<Filter, By extends string>(
  source: ListSource,
  list: List<Filter, By>,
  { filter, page }: { filter: Filter; page: ListPage<By> },
): Promise<Found> {
  const wanted = { list, filter, page }
  const { searched, kept } = list
  const search = searched?.textOf(filter)
  if (search !== undefined && searched !== undefined)
    return searchPage(source, { ...wanted, searched, search, reach: reachOf(search) })
  const facets = kept?.facetsOf(filter)
  if (kept !== undefined && facets !== undefined)
    return pageOfFacets(source, wanted, await source.keptTotals({ list: kept.list, facets }))
  const matches = rowsOf(wanted, { columns: 'id' })
  const estimated = await estimateRows(source, matches)
  if (estimated <= FEW) return collect(source, wanted, rowsOf(wanted))
  const range = list.rangeOf?.(filter)
  const isAcross = range !== undefined && range !== page.by && list.orders[page.by].isScattered !== true
  const [ids, total] = await Promise.all([
    isAcross ? pageOfRange(source, wanted, estimated) : idsOf(source, inOrder(wanted)),
    countOrEstimate(source, matches, { estimated }),
  ])
  return { ids, total }
}

/** A range whose rows may lie at one end of the order: first a limited try through the order, then collect and sort. */
async function pageOfRange<Filter, By extends string>(
  source: Source,
  wanted: Wanted<Filter, By>,
  estimated: number,
): Promise<number[]> {
  if (estimated > FEW_IN_RANGE) {
    const patienceMs = Math.round(estimated / SORTED_IN_A_MS)
    const met = await unlessTooLong(idsOf(source, inOrder(wanted), { plans: 'by order', patienceMs }))
    if (met !== undefined) return met
  }
  // The offset keeps the order from choosing the index.
  const sorted = sql`select ${ID} from (${rowsOf(wanted)} offset 0) t order by ${chosenOrder(wanted.list, wanted.page)} ${cut(wanted.page)}`
  return idsOf(source, sorted, { plans: 'by order' })
}

async function pageOfFacets<Filter, By extends string>(
  source: Source,
  wanted: Wanted<Filter, By>,
  total: number,
): Promise<Found> {
  if (total <= FEW) return collect(source, wanted, rowsOf(wanted))
  return { ids: await idsOf(source, inOrder(wanted), { plans: 'by order' }), total: { total, isEstimate: false } }
}

/** A text that no index finds anywhere: looks at each row of a short list; see `SEARCH_REACH` for a longer one. */
async function searchPage<Filter, By extends string>(source: Source, wanted: Searching<Filter, By>): Promise<Found> {
  const { reach } = wanted
  const small = reach === 'anywhere' ? undefined : await searchShortList(source, wanted)
  if (small !== undefined) return { ...small, reach: 'anywhere' }
  if (reach !== 'first_20000') return { ...(await searchByIndex(source, wanted)), reach }
  const { ids, total } = await collect(source, wanted, nearest({ ...wanted, reach: 'anywhere' }), 'by order')
  return { ids, total: { ...total, isEstimate: true }, reach }
}

async function searchByIndex<Filter, By extends string>(source: Source, wanted: Searching<Filter, By>): Promise<Found> {
  const { list, searched, search, reach, page } = wanted
  const { byIndex, besides } = indexedContains(searched, search, reach)
  const matches = rowsOf(wanted, { more: [byIndex, ...besides] })
  // Without the check that a text is within one field, which no statistics know.
  const estimated = await estimateRows(source, rowsOf(wanted, { more: [byIndex] }))
  if (estimated <= MANY) {
    // The guess may be far too low: it collects no more matches than are worth it.
    const found = await collect(source, wanted, sql`${matches} limit ${MANY + 1}`, 'by matches')
    if (found.total.total <= MANY) return found
  }
  const [ids, total] = await Promise.all([
    idsOf(source, sql`${nearest(wanted)} order by ${chosenOrder(list, page)} ${cut(page)}`, { plans: 'by order' }),
    countOrEstimate(source, matches, { patienceMs: SEARCH_PATIENCE_MS, estimated: Math.max(estimated, MANY + 1) }),
  ])
  return ids.length === page.perPage ? { ids, total } : collect(source, wanted, matches, 'by matches')
}

async function searchShortList<Filter, By extends string>(
  source: Source,
  wanted: Searching<Filter, By>,
): Promise<Found | undefined> {
  const { list, filter, searched, search } = wanted
  const listed = rowsOf(wanted, { columns: 'searched' })
  const isShort = list.isShort?.(filter) === true
  if (!isShort && (await estimateRows(source, listed)) > SURELY_LONG) return undefined
  const [counted = []] = await inOneMessage(
    source,
    [sql`select count(*) as n from (${rowsOf(wanted, { columns: 'id' })} limit ${WINDOW + 1}) t`],
    { name: 'count a window', plans: 'by any index' },
  )
  if (((counted as { n: number }[])[0]?.n ?? 0) > WINDOW) return undefined
  // The offset keeps the search from becoming a condition of the list, for which the planner may choose its index.
  const matches = sql`
    select * from (${listed} offset 0) ${sql.id(list.alias)} where ${anyFieldContains(searched, search, 'anywhere')}`
  return collect(source, wanted, matches, 'by any index')
}

function nearest<Filter, By extends string>(wanted: Searching<Filter, By>): RawBuilder<unknown> {
  const { list, page, searched, search, reach } = wanted
  return sql`
    select * from (
      ${rowsOf(wanted, { columns: 'searched' })} order by ${orderOf(list, page)} limit ${WINDOW}) ${sql.id(list.alias)}
    where ${anyFieldContains(searched, search, reach)}`
}

async function idsOf(source: Source, rows: RawBuilder<unknown>, message: Message = {}): Promise<number[]> {
  const [found = []] = await inOneMessage(source, [rows], { name: 'ids of a page', ...message })
  return (found as { list_id: number }[]).map((row) => row.list_id)
}

async function collect<Filter, By extends string>(
  source: Source,
  wanted: Wanted<Filter, By>,
  rows: RawBuilder<unknown>,
  plans?: PlanKind,
): Promise<Found> {
  const page = sql`
    with found as materialized (${rows})
    select (select count(*) from found) as total,
      array(select ${ID} from found order by ${chosenOrder(wanted.list, wanted.page)} ${cut(wanted.page)}) as ids`
  const [found = []] = await inOneMessage(source, [page], { name: 'collect matches', ...(plans && { plans }) })
  const { ids = [], total = 0 } = (found as { ids: number[]; total: number }[])[0] ?? {}
  return { ids, total: { total, isEstimate: false } }
}
