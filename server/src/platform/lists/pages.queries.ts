import { sql, type RawBuilder } from 'kysely'
import { estimateRows } from '../db/count.ts'
import { inOneMessage, type Source } from '../db/one-message.ts'
import type { PlanKind } from '../db/planner.ts'
import type { Estimate } from './estimates.queries.ts'
import {
  chosenOrder,
  cut,
  ID,
  inOrder,
  narrowed,
  orderOf,
  passedBy,
  rowsOf,
  tableOf,
  type Found,
  type List,
  type Wanted,
} from './list-rows.ts'
import type { Walk } from './walks.queries.ts'
import { cheapestWay, type Choice } from './ways.ts'

type PageSource = Source & { walk: Walk; estimate: Estimate }

// The number of slices of a range that is open on a side.
const SLICES = 100
const EVERY_SLICE = 2 ** 31 - 2

/** The cheapest way to a page, by the numbers of matches and of rows to read (ADR 063). */
export async function chosenWay<Filter, By extends string>(
  source: PageSource,
  wanted: Wanted<Filter, By>,
  { matches, read }: { matches: number; read: number },
): Promise<Choice> {
  const { list, filter, page } = wanted
  const { rangeOf, slices, orders } = list
  const depth = page.offset + page.perPage
  const all = source.estimate(sql`select ${passedBy(wanted)}`)
  const range = rangeOf?.(filter, page.by)
  if (range === undefined || range === page.by || orders[page.by].isScattered === true)
    return cheapestWay({ all: await all, matches, depth, matchesAre: 'spread' })
  const isSliced = slices?.range === range && (slices.by.includes(page.by) || orders[page.by].values !== undefined)
  const { first, last } = slices?.boundsOf(filter) ?? {}
  const parts = first === undefined || last === undefined ? SLICES : last - first + 1
  const rows = slices && isSliced ? await source.estimate(sql`select from ${tableOf(list)}`) : Infinity
  const merged = (parts * depth * rows) / Math.max(1, matches)
  return cheapestWay({ all: await all, matches, depth, matchesAre: 'together', read, merged })
}

/** The ids of a page, in order. */
export async function idsOf<Filter, By extends string>(
  source: PageSource,
  wanted: Wanted<Filter, By>,
  { sure, tried, read }: Choice & { read: number },
): Promise<number[]> {
  const { list, page } = wanted
  const { slices } = list
  if (tried !== undefined) {
    const ids = await source.walk(inOrder(wanted, tried), page)
    if (ids.length === page.perPage) return ids
  }
  if (sure === 'walk') return source.walk(inOrder(wanted), page)
  if (sure === 'merge' && slices?.by.includes(page.by) === false)
    return idsByValue(source, wanted, { by: slices.by[0], read })
  // The offset prevents the planner from using the index of the page's order, in which most rows would come late.
  const by = list.rangeOf?.(wanted.filter, page.by)
  const whole = sql`${rowsOf(wanted)} ${by ? sql`order by ${orderOf(list, { ...page, by })}` : sql``} offset 0`
  const rows = sure === 'merge' && slices ? firstOfSlices(wanted, slices) : whole
  return source.walk(sql`select ${ID} from (${rows}) t order by ${chosenOrder(list, page)}`, page)
}

/** Those with the first value of the order's key come first, in the order of the slices. */
async function idsByValue<Filter, By extends string>(
  source: PageSource,
  wanted: Wanted<Filter, By>,
  { by, read }: { by: By; read: number },
): Promise<number[]> {
  const { list, page, filter } = wanted
  const { keys, values = [] } = list.orders[page.by]
  const end = page.offset + page.perPage
  const ids: number[] = []
  for (const value of page.direction === 'asc' ? values : values.toReversed()) {
    const part = {
      list: narrowed(list, sql`${keys[0]} = ${value}`),
      filter,
      page: { ...page, by, offset: 0, perPage: end - ids.length },
    }
    const matches = await estimateRows(source, rowsOf(part, { columns: 'id' }))
    // Without a try, because the try of the whole range has failed.
    const { sure } = await chosenWay(source, part, { matches, read })
    ids.push(...(await idsOf(source, part, { sure, read })))
    if (ids.length === end) break
  }
  return ids.slice(page.offset)
}

/** For each slice within the bounds of a filter, the rows that may be on the page. */
function firstOfSlices<Filter, By extends string>(
  wanted: Wanted<Filter, By>,
  { number, boundsOf }: NonNullable<List<Filter, By>['slices']>,
): RawBuilder<unknown> {
  const { list, page } = wanted
  const { first = -EVERY_SLICE, last = EVERY_SLICE } = boundsOf(wanted.filter)
  const next = (after: RawBuilder<unknown>) => sql`(
    select ${number} from ${tableOf(list)}
    where ${number} > ${after} and ${number} <= ${last}::int order by ${number} limit 1)`
  return sql`
    with recursive slices(n) as (
      select ${next(sql`${first - 1}::int`)} union all select ${next(sql`slices.n`)} from slices where slices.n is not null)
    select t.* from slices cross join lateral (
      ${rowsOf(wanted, { more: [sql`${number} = slices.n`] })} order by ${orderOf(list, page)} limit ${page.offset + page.perPage}) t`
}

/** A page of all matches, which are few, and their number. */
export async function collect<Filter, By extends string>(
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
