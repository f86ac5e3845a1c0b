import { sql, type RawBuilder } from 'kysely'
import type { Counted } from '../db/count.ts'
import type { Facets, KeptList } from './list-counts.queries.ts'
import type { SearchedFields, SearchReach } from './pattern.ts'

export type Order = {
  keys: [RawBuilder<unknown>, ...RawBuilder<unknown>[]]
  isUnique?: boolean
  /** Where rows without a key are sorted: as the lowest, or last in both directions. Absent: there are none. */
  nulls?: 'lowest' | 'last'
  /** Rows that were made at one time lie apart in it. */
  isScattered?: boolean
  /** All values of its key in order, if they are few. */
  values?: readonly string[]
}

export type List<Filter, By extends string> = {
  table: string
  alias: string
  id: string
  orders: Record<By, Order>
  searched?: SearchedFields & { textOf(filter: Filter): string | undefined }
  conditionsOf(filter: Filter): RawBuilder<boolean>[]
  /** Undefined: the filter has conditions besides the facets. */
  kept?: { list: KeptList; facetsOf(filter: Filter): Facets | undefined }
  /** What bounds the rows that a walk through an order may pass. */
  walkOf?(filter: Filter, by: By): RawBuilder<boolean>[]
  /** The rows stand together in the index of one order only. */
  isGroup?: boolean
  /** The order in which the rows of a filter lie together, for a page in the order `by`; undefined: spread evenly. */
  rangeOf?(filter: Filter, by: By): By | undefined
  /**
   * Slices of the rows of a range, within bounds. For each order of `by` an index has the rows of each slice in it;
   * the first is the order of rows with the same key.
   */
  slices?: {
    range: By
    by: readonly [By, ...By[]]
    number: RawBuilder<number>
    boundsOf(filter: Filter): { first?: number; last?: number }
  }
}

export type ListPage<By extends string> = { perPage: number; offset: number; by: By; direction: 'asc' | 'desc' }

export type Found = { ids: number[]; total: Counted; reach?: SearchReach }

export type Wanted<Filter, By extends string> = { list: List<Filter, By>; filter: Filter; page: ListPage<By> }

export const ID = sql`list_id`

function chosenKeys({ keys }: Order): RawBuilder<unknown>[] {
  return keys.map((_, place) => sql.ref(`list_key_${place}`))
}

/** `id`, which an index holds; `keyed`: with the key of the page's order; `searched`: with the searched fields too. */
export function rowsOf<Filter, By extends string>(
  { list, filter, page }: Wanted<Filter, By>,
  { columns = 'keyed', more = [] }: { columns?: 'id' | 'keyed' | 'searched'; more?: RawBuilder<boolean>[] } = {},
): RawBuilder<unknown> {
  const chosen = [
    columns === 'id' ? sql`${idOf(list)} as ${ID}` : keyed(list, page),
    ...(columns === 'searched' ? (list.searched?.fields ?? []) : []),
  ]
  return sql`select ${sql.join(chosen)} from ${tableOf(list)} where ${allOf([...list.conditionsOf(filter), ...more])}`
}

function keyed<Filter, By extends string>(list: List<Filter, By>, page: Direction<By>): RawBuilder<unknown> {
  const { keys } = list.orders[page.by]
  const names = chosenKeys(list.orders[page.by])
  return sql.join([sql`${idOf(list)} as ${ID}`, ...keys.map((key, place) => sql`${key} as ${names[place]!}`)])
}

export function tableOf<Filter, By extends string>({ table, alias }: List<Filter, By>): RawBuilder<unknown> {
  return sql`${sql.table(table)} ${sql.id(alias)}`
}

/** All rows that a walk through an order may pass. */
export function passedBy<Filter, By extends string>({ list, filter, page }: Wanted<Filter, By>): RawBuilder<unknown> {
  return sql`from ${tableOf(list)} where ${allOf(list.walkOf?.(filter, page.by) ?? [])}`
}

/** The matches in order; `passed`: those among so many first rows of it. */
export function inOrder<Filter, By extends string>(wanted: Wanted<Filter, By>, passed?: number): RawBuilder<unknown> {
  const { list, filter, page } = wanted
  if (passed === undefined && list.isGroup !== true)
    return sql`${rowsOf(wanted, { columns: 'id' })} order by ${orderOf(list, page)}`
  // Either keeps the conditions from choosing another index.
  const limit = passed === undefined ? sql`offset 0` : sql`limit ${passed}`
  const alias = sql.id(list.alias)
  return sql`
    select ${ID} from (
      select ${alias}.*, ${keyed(list, page)} ${passedBy(wanted)} order by ${orderOf(list, page)} ${limit}) ${alias}
    where ${allOf(list.conditionsOf(filter))} order by ${chosenOrder(list, page)}`
}

/** A group of the rows of a list, which an order has together. */
export function narrowed<Filter, By extends string>(
  list: List<Filter, By>,
  condition: RawBuilder<boolean>,
): List<Filter, By> {
  return {
    ...list,
    conditionsOf: (filter) => [...list.conditionsOf(filter), condition],
    walkOf: (filter, by) => [...(list.walkOf?.(filter, by) ?? []), condition],
    isGroup: true,
  }
}

/** From inclusive, to exclusive; undefined: open. */
export function between(key: RawBuilder<unknown>, from: Date | undefined, to: Date | undefined): RawBuilder<boolean>[] {
  return [
    ...(from === undefined ? [] : [sql<boolean>`${key} >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`${key} < ${to}`]),
  ]
}

export function allOf(conditions: RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

function idOf<Filter, By extends string>({ alias, id }: List<Filter, By>): RawBuilder<unknown> {
  return sql.ref(`${alias}.${id}`)
}

export function orderOf<Filter, By extends string>(list: List<Filter, By>, page: Direction<By>): RawBuilder<unknown> {
  return ordering(list.orders[page.by], page, list.orders[page.by].keys, idOf(list))
}

export function chosenOrder<Filter, By extends string>(
  list: List<Filter, By>,
  page: Direction<By>,
): RawBuilder<unknown> {
  return ordering(list.orders[page.by], page, chosenKeys(list.orders[page.by]), ID)
}

type Direction<By extends string> = Pick<ListPage<By>, 'by' | 'direction'>

function ordering(
  { isUnique, nulls }: Order,
  { direction }: { direction: 'asc' | 'desc' },
  keys: RawBuilder<unknown>[],
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const way = sql.raw(direction)
  // An index is read backwards only when nulls stand where it has them: named only where there can be any.
  const place = nulls === undefined ? '' : nulls === 'last' || direction === 'desc' ? 'nulls last' : 'nulls first'
  const sorted = keys.map((key) => sql`${key} ${way} ${sql.raw(place)}`)
  return sql.join(isUnique === true ? sorted : [...sorted, sql`${id} ${way}`])
}

export function cut({ perPage, offset }: { perPage: number; offset: number }): RawBuilder<unknown> {
  return sql`limit ${perPage} offset ${offset}`
}
