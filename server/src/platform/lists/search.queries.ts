import { sql, type RawBuilder } from 'kysely'
import { countOrEstimate, estimateEach } from '../db/count.ts'
import { inOneMessage, type Source } from '../db/one-message.ts'
import type { PlanKind } from '../db/planner.ts'
import { must } from '../shared/must.ts'
import type { KeptTotals } from './list-counts.ts'
import { toIdColumn, toOrder, selectRows, type Found, type List, type ListPage, type ListRequest } from './list-rows.ts'
import { containsEachWord, containsWords, findReach, type SearchReach } from './pattern.ts'

export type ListSource = Source & { keptTotals: KeptTotals }

type Searching<Filter, By extends string> = ListRequest<Filter, By> & { text: RawBuilder<string>; search: string }

// This many matches of a search are counted exactly, and this many rows looked at one by one.
const MANY = 20_000
const SEARCH_PATIENCE_MS = 25

/** The ids of a page, and how many rows match (ADR 13). `total`: where the caller knows it. */
export async function findPage<Filter, By extends string>(
  source: ListSource,
  list: List<Filter, By>,
  { filter, page, total }: { filter: Filter; page: ListPage<By>; total?: number | undefined },
): Promise<Found> {
  const request = { list, filter, page }
  const search = list.searched?.readSearch(filter)
  if (list.searched && search !== undefined) return searchPage(source, { ...request, ...list.searched, search })
  const [ids, counted] = await Promise.all([
    findIds(source, request, selectRows(request)),
    findTotal(source, request, total),
  ])
  return { ids, total: counted }
}

async function findTotal<Filter, By extends string>(
  source: ListSource,
  request: ListRequest<Filter, By>,
  known: number | undefined,
): Promise<Found['total']> {
  const { kept } = request.list
  const facets = kept?.toFacets(request.filter)
  if (kept && facets) return { total: await source.keptTotals({ list: kept.list, facets }), isEstimate: false }
  if (known !== undefined) return { total: known, isEstimate: false }
  return countOrEstimate(source, sql`select ${selectRows(request)}`, { plans: 'by any index' })
}

/** A text that no index finds is looked for in each row of a short list; in a longer one as `reach` says. */
async function searchPage<Filter, By extends string>(source: Source, request: Searching<Filter, By>): Promise<Found> {
  const reach = findReach(request.search)
  if (reach === 'anywhere') return { ...(await searchByIndex(source, request, reach)), reach }
  const { total } = await collect(source, request, sql`select * ${selectRows(request)} limit ${MANY + 1}`)
  const isShort = total.total <= MANY
  if (!isShort && reach === 'word_beginnings') return { ...(await searchByIndex(source, request, reach)), reach }
  const found = await collect(source, request, amongFirst(request, 'anywhere'))
  if (isShort) return { ...found, reach: 'anywhere' }
  return { ids: found.ids, total: { total: found.total.total, isEstimate: true }, reach }
}

/** Few matches are collected and sorted. Many usually fill a page from the first rows of the order. */
async function searchByIndex<Filter, By extends string>(
  source: Source,
  request: Searching<Filter, By>,
  reach: SearchReach,
): Promise<Found> {
  const { list, page, text, search } = request
  const matches = selectRows(request, [containsWords(text, search, reach)])
  // The planner takes words for independent of each other, and those that stand together once often do so again.
  const each = containsEachWord(text, search, reach).map((condition) => sql`select ${selectRows(request, [condition])}`)
  const estimated = Math.min(...(await estimateEach(source, each)))
  if (estimated <= MANY) {
    // The estimate may be far too low: no more matches are collected than are worth it.
    const found = await collect(source, request, sql`select * ${matches} limit ${MANY + 1}`, 'by matches')
    if (found.total.total <= MANY) return found
  }
  const ids = await findIds(source, request, sql`from (${amongFirst(request, reach)}) ${sql.id(list.alias)}`)
  if (ids.length < page.perPage) return collect(source, request, sql`select * ${matches}`, 'by matches')
  const counting = { patienceMs: SEARCH_PATIENCE_MS, estimated: Math.max(estimated, MANY + 1) }
  return { ids, total: await countOrEstimate(source, sql`select ${matches}`, counting) }
}

function amongFirst<Filter, By extends string>(
  request: Searching<Filter, By>,
  reach: SearchReach,
): RawBuilder<unknown> {
  const { list, page, text, search } = request
  return sql`
    select * from (select * ${selectRows(request)} order by ${toOrder(list, page)} limit ${MANY}) ${sql.id(list.alias)}
    where ${containsWords(text, search, reach)}`
}

async function findIds<Filter, By extends string>(
  source: Source,
  { list, page }: ListRequest<Filter, By>,
  rows: RawBuilder<unknown>,
): Promise<number[]> {
  const ids = sql`
    select array(
      select ${toIdColumn(list)} ${rows} order by ${toOrder(list, page)} limit ${page.perPage} offset ${page.offset})
        as ids`
  const [found = []] = await inOneMessage(source, [ids], { name: 'ids of a page', plans: 'by any index' })
  return (found as { ids: number[] }[])[0]?.ids ?? []
}

async function collect<Filter, By extends string>(
  source: Source,
  { list, page }: ListRequest<Filter, By>,
  rows: RawBuilder<unknown>,
  plans: PlanKind = 'by any index',
): Promise<Found> {
  const first = page.offset + 1
  const found = sql`
    select count(*) as total,
      coalesce((array_agg(${toIdColumn(list)} order by ${toOrder(list, page)}))
        [${first}::int:${first + page.perPage - 1}::int], '{}') as ids
    from (${rows}) ${sql.id(list.alias)}`
  const [answer = []] = await inOneMessage(source, [found], { name: 'collect matches', plans })
  const { ids, total } = must((answer as { ids: number[]; total: number }[])[0], 'collected matches')
  return { ids, total: { total, isEstimate: false } }
}
