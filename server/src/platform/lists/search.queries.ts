import { sql, type RawBuilder } from 'kysely'
import { countOrEstimate, estimateRows, EXACT_UP_TO } from '../db/count.ts'
import { inOneMessage, type Source } from '../db/one-message.ts'
import type { Estimate } from './estimates.queries.ts'
import type { SampleOf } from './samples.queries.ts'
import type { KeptTotals } from './list-counts.ts'
import { chosenOrder, ID, orderOf, rowsOf, type Found, type List, type ListPage, type Wanted } from './list-rows.ts'
import { chosenWay, collect, idsOf } from './pages.queries.ts'
import { anyFieldContains, indexedContains, reachOf, type SearchedFields, type SearchReach } from './pattern.ts'
import type { Walk } from './walks.queries.ts'
import { cheapestWay } from './ways.ts'

type Searching<Filter, By extends string> = Wanted<Filter, By> & {
  searched: SearchedFields
  search: string
  reach: SearchReach
}

export type ListSource = Source & {
  keptTotals: KeptTotals
  walk: Walk
  estimate: Estimate
  sampleOf: SampleOf
}

// So many matches of a search are counted exactly, and so many rows looked at one by one.
const MANY = 20_000
const SEARCH_PATIENCE_MS = 25

/** A page by the cheapest way (ADR 063), and how many rows match (ADR 035). `total`: where the caller knows it. */
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
  const matches = rowsOf(wanted, { columns: 'id' })
  const estimated = known ?? (await estimateRows(source, matches))
  const choice = await chosenWay(source, wanted, { matches: estimated, read: estimated })
  if (choice.sure === 'sort' && choice.tried === undefined && estimated <= EXACT_UP_TO)
    return collect(source, wanted, rowsOf(wanted))
  const [ids, counted] = await Promise.all([
    idsOf(source, wanted, { ...choice, read: estimated }),
    known === undefined ? countOrEstimate(source, matches, { estimated }) : { total: known, isEstimate: false },
  ])
  return { ids, total: counted }
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
  const { ids, total } = await collect(source, wanted, nearest({ ...wanted, reach: 'anywhere' }, MANY), 'by order')
  return { ids, total: { ...total, isEstimate: true }, reach }
}

async function searchByIndex<Filter, By extends string>(
  source: ListSource,
  wanted: Searching<Filter, By>,
): Promise<Found> {
  const { list, filter, searched, search, reach, page } = wanted
  const sample = searched.index === undefined ? [] : await source.sampleOf(searched.index)
  const { byIndex, hidden, besides, parts } = indexedContains(searched, search, { reach, sample })
  const matches = rowsOf(wanted, { more: [byIndex, ...besides] })
  // Without the check that a text is within one field, which no statistics know.
  const estimates = await Promise.all(parts.map((part) => source.estimate(rowsOf(wanted, { more: [part] }))))
  const estimated = Math.min(...estimates)
  if (estimated <= MANY) {
    // Where no other index competes, planning need not weigh the text again, which takes half a millisecond.
    const text = list.conditionsOf(filter).length <= 1 ? hidden : byIndex
    const rows = rowsOf(wanted, { more: [text, ...besides] })
    // The guess may be far too low: it collects no more matches than are worth it.
    const found = await collect(source, wanted, sql`${rows} limit ${MANY + 1}`, 'by matches')
    if (found.total.total <= MANY) return found
  }
  const many = Math.max(estimated, MANY + 1)
  const all = await source.estimate(rowsOf(wanted, { columns: 'id' }))
  const { sure, tried } = cheapestWay({
    all,
    matches: many,
    read: many,
    depth: page.offset + page.perPage,
    matchesAre: 'compared',
  })
  if (sure === 'walk' || tried !== undefined) {
    const [ids, total] = await Promise.all([
      source.walk(sql`select ${ID} from (${nearest(wanted, tried)}) t order by ${chosenOrder(list, page)}`, page),
      estimated > MANY
        ? countOrEstimate(source, matches, { patienceMs: SEARCH_PATIENCE_MS, estimated })
        : { total: many, isEstimate: true },
    ])
    if (ids.length === page.perPage) return { ids, total }
  }
  return collect(source, wanted, matches, 'by matches')
}

async function searchShortList<Filter, By extends string>(
  source: Source,
  wanted: Searching<Filter, By>,
): Promise<Found | undefined> {
  const { list, searched, search } = wanted
  const [counted = []] = await inOneMessage(
    source,
    [sql`select count(*) as n from (${rowsOf(wanted, { columns: 'id' })} limit ${MANY + 1}) t`],
    { name: 'count a window', plans: 'by any index' },
  )
  if (((counted as { n: number }[])[0]?.n ?? 0) > MANY) return undefined
  // The offset keeps the search from becoming a condition of the list, for which the planner may choose its index.
  const matches = sql`
    select * from (${rowsOf(wanted, { columns: 'searched' })} offset 0) ${sql.id(list.alias)} where ${anyFieldContains(searched, search, 'anywhere')}`
  return collect(source, wanted, matches, 'by any index')
}

/** Of the first rows of the order those that match; all of them, if not said how many. */
function nearest<Filter, By extends string>(wanted: Searching<Filter, By>, passed?: number): RawBuilder<unknown> {
  const { list, page, searched, search, reach } = wanted
  return sql`
    select * from (
      ${rowsOf(wanted, { columns: 'searched' })} order by ${orderOf(list, page)} ${passed === undefined ? sql`` : sql`limit ${passed}`}) ${sql.id(list.alias)}
    where ${anyFieldContains(searched, search, reach)}`
}
