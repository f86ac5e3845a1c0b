import { sql, type RawBuilder } from 'kysely'
import type { Counted } from '../db/count.ts'
import type { Facets, KeptList } from './list-counts.queries.ts'
import type { SearchedFields, SearchReach } from './pattern.ts'

export type Order = {
  keys: [RawBuilder<unknown>, ...RawBuilder<unknown>[]]
  isUnique?: boolean
  /** Where rows without a key stand: as the lowest of all, or last both ways. Absent: there are none. */
  nulls?: 'lowest' | 'last'
  /** Rows that were made at one time lie apart in it. */
  isScattered?: boolean
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
  /** The order in which the rows of a filter stand together, because it is a range of its key. */
  rangeOf?(filter: Filter): By | undefined
  /** Slices of the range: in an index, the rows of each stand in the order `by`. */
  slices?: { by: By; number: RawBuilder<number>; boundsOf(filter: Filter): { first?: number; last?: number } }
  /** True when the rows of a filter are surely few enough to look at each. */
  isShort?(filter: Filter): boolean
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
  const { keys } = list.orders[page.by]
  const names = chosenKeys(list.orders[page.by])
  const chosen = [
    sql`${idOf(list)} as ${ID}`,
    ...(columns === 'id' ? [] : keys.map((key, place) => sql`${key} as ${names[place]!}`)),
    ...(columns === 'searched' ? (list.searched?.fields ?? []) : []),
  ]
  return sql`select ${sql.join(chosen)} from ${sql.table(list.table)} ${sql.id(list.alias)}
    where ${allOf([...list.conditionsOf(filter), ...more])}`
}

export function allOf(conditions: RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

function idOf<Filter, By extends string>({ alias, id }: List<Filter, By>): RawBuilder<unknown> {
  return sql.ref(`${alias}.${id}`)
}

export function inOrder<Filter, By extends string>(wanted: Wanted<Filter, By>): RawBuilder<unknown> {
  return sql`${rowsOf(wanted, { columns: 'id' })} order by ${orderOf(wanted.list, wanted.page)}`
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
