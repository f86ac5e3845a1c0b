import { sql, type RawBuilder } from 'kysely'
import { countOrEstimate, estimateRows } from '../db/count.ts'
import { inOneMessage, unlessTooLong, type Message, type Source } from '../db/one-message.ts'
import type { PlanKind } from '../db/planner.ts'
import type { Estimate } from './estimates.queries.ts'
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
import type { Walk } from './walks.queries.ts'
import { anyFieldContains, indexedContains, reachOf, type SearchedFields, type SearchReach } from './pattern.ts'

type Searching<Filter, By extends string> = Wanted<Filter, By> & {
  searched: SearchedFields
  search: string
  reach: SearchReach
}

export type ListSource = Source & { keptTotals: KeptTotals; walk: Walk; estimate: Estimate }

const FEW = 10_000
const FEW_IN_RANGE = 400_000
const SORTED_IN_A_MS = 8_000
// From each slice of a range as many rows are read as the page ends at.
const SLICED_DEPTH = 1_000
const SLICES = 2 ** 31 - 2
// A search with more matches than this finds the first of them sooner on the way through the order.
const MANY = 20_000
const WINDOW = 20_000
const SURELY_LONG = 40_000
const SEARCH_PATIENCE_MS = 25

/**
 * A page and how many rows match (ADR 035); `total`: where the caller knows it. Of many matches the first soon come on
 * the way through the order's index. Few are collected and sorted: the planner would go through the index for them too.
 */
export async function findPage<Filter, By extends string>(
  source: ListSource,
  list: List<Filter, By>,
  { filter, page, total }: { filter: Filter; page: ListPage<By>; total?: number | undefined },
): Promise<Found> {
  const wanted = { list, filter, page }
  const { searched, kept } = list
  const search = searched?.textOf(filter)
  if (search !== undefined && searched !== undefined)
    return searchPage(source, { ...wanted, searched, search, reach: reachOf(search) })
  const facets = kept?.facetsOf(filter)
  const known = kept && facets ? await source.keptTotals({ list: kept.list, facets }) : total
  if (known !== undefined && known > FEW)
    return { ids: await source.walk(inOrder(wanted), page), total: { total: known, isEstimate: false } }
  const matches = rowsOf(wanted, { columns: 'id' })
  const estimated = known ?? (await estimateRows(source, matches))
  if (estimated <= FEW) return collect(source, wanted, rowsOf(wanted))
  const range = list.rangeOf?.(filter)
  const isAcross = range !== undefined && range !== page.by && list.orders[page.by].isScattered !== true
  const [ids, counted] = await Promise.all([
    isAcross ? pageOfRange(source, wanted, { range, estimated }) : idsOf(source, sql`${inOrder(wanted)} ${cut(page)}`),
    countOrEstimate(source, matches, { estimated }),
  ])
  return { ids, total: counted }
}

/**
 * A page of a range in an order across it, at one end of which its rows may lie: merged from the first rows of each of
 * its slices. Without slices the rows of the range are sorted, many of them only after a limited try through the order.
 */
async function pageOfRange<Filter, By extends string>(
  source: Source,
  wanted: Wanted<Filter, By>,
  { range, estimated }: { range: By; estimated: number },
): Promise<number[]> {
  const { list, page } = wanted
  const { direction, offset, perPage } = page
  const sorted = (rows: RawBuilder<unknown>) =>
    idsOf(source, sql`${rows} order by ${chosenOrder(list, page)} ${cut(page)}`, { plans: 'by order' })
  if (page.by === list.slices?.by && offset + perPage <= SLICED_DEPTH) return sorted(firstOfSlices(wanted, list.slices))
  if (estimated > FEW_IN_RANGE) {
    const patienceMs = Math.round(estimated / SORTED_IN_A_MS)
    const ordered = sql`${inOrder(wanted)} ${cut(page)}`
    const met = await unlessTooLong(idsOf(source, ordered, { plans: 'by order', patienceMs }))
    if (met !== undefined) return met
  }
  // The offset keeps the order of the page from choosing the index: in that order most rows would come late.
  const rows = sql`${rowsOf(wanted)} order by ${orderOf(list, { by: range, direction })} offset 0`
  return sorted(sql`select ${ID} from (${rows}) t`)
}

/** Of each slice that the table has within the bounds of a filter, the rows among which those of a page are. */
function firstOfSlices<Filter, By extends string>(
  wanted: Wanted<Filter, By>,
  { number, boundsOf }: NonNullable<List<Filter, By>['slices']>,
): RawBuilder<unknown> {
  const { list, page } = wanted
  const { first = -SLICES, last = SLICES } = boundsOf(wanted.filter)
  const next = (after: RawBuilder<unknown>) => sql`(
    select ${number} from ${sql.table(list.table)} ${sql.id(list.alias)}
    where ${number} > ${after} and ${number} <= ${last}::int order by ${number} limit 1)`
  return sql`
    with recursive slices(n) as (
      select ${next(sql`${first - 1}::int`)} union all select ${next(sql`slices.n`)} from slices where slices.n is not null)
    select ${ID} from slices cross join lateral (
      ${rowsOf(wanted, { more: [sql`${number} = slices.n`] })} order by ${orderOf(list, page)} limit ${page.offset + page.perPage}) t`
}

/** Of a text that no index finds anywhere, each row of a short list is looked at; of a longer one, `SEARCH_REACH`. */
async function searchPage<Filter, By extends string>(
  source: ListSource,
  wanted: Searching<Filter, By>,
): Promise<Found> {
  const { reach } = wanted
  const small = reach === 'anywhere' ? undefined : await searchShortList(source, wanted)
  if (small !== undefined) return { ...small, reach: 'anywhere' }
  if (reach !== 'first_20000') return { ...(await searchByIndex(source, wanted)), reach }
  const { ids, total } = await collect(source, wanted, nearest({ ...wanted, reach: 'anywhere' }), 'by order')
  return { ids, total: { ...total, isEstimate: true }, reach }
}

async function searchByIndex<Filter, By extends string>(
  source: ListSource,
  wanted: Searching<Filter, By>,
): Promise<Found> {
  const { list, filter, searched, search, reach, page } = wanted
  const { byIndex, hidden, besides } = indexedContains(searched, search, reach)
  const matches = rowsOf(wanted, { more: [byIndex, ...besides] })
  // Without the check that a text is within one field, which no statistics know.
  const estimated = await source.estimate(rowsOf(wanted, { more: [byIndex] }))
  if (estimated <= MANY) {
    // Where no other index competes, planning need not weigh the text again, which takes half a millisecond.
    const text = list.conditionsOf(filter).length <= 1 ? hidden : byIndex
    const rows = rowsOf(wanted, { more: [text, ...besides] })
    // The guess may be far too low: it collects no more matches than are worth it.
    const found = await collect(source, wanted, sql`${rows} limit ${MANY + 1}`, 'by matches')
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
