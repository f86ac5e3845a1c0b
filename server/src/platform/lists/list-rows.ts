import { sql, type RawBuilder } from 'kysely'
import type { Counted } from '../db/count.ts'
import type { Facets, KeptList } from './list-counts.queries.ts'
import type { SearchReach } from './pattern.ts'

export type Order = {
  keys: [RawBuilder<unknown>, ...RawBuilder<unknown>[]]
  isUnique?: boolean
  /** Where rows without a key are sorted: as the lowest, or last in both directions. Absent: there are none. */
  nulls?: 'lowest' | 'last'
}

/** False or undefined: the filter does not ask for it. */
export type RowCondition = RawBuilder<unknown> | false | undefined

export type List<Filter, By extends string> = {
  table: string
  alias: string
  id: string
  orders: Record<By, Order>
  /** `text`: the expression of a trigram index. */
  searched?: { text: RawBuilder<string>; readSearch(filter: Filter): string | undefined }
  toConditions(filter: Filter): RowCondition[]
  /** Undefined: the filter has conditions besides the facets. */
  kept?: { list: KeptList; toFacets(filter: Filter): Facets | undefined }
}

export type ListPage<By extends string> = { perPage: number; offset: number; by: By; direction: 'asc' | 'desc' }

export type Found = { ids: number[]; total: Counted; reach?: SearchReach }

export type ListRequest<Filter, By extends string> = { list: List<Filter, By>; filter: Filter; page: ListPage<By> }

export function selectRows<Filter, By extends string>(
  { list, filter }: ListRequest<Filter, By>,
  more: RowCondition[] = [],
): RawBuilder<unknown> {
  return sql`from ${sql.table(list.table)} ${sql.id(list.alias)} where ${joinWithAnd([...list.toConditions(filter), ...more])}`
}

export function toIdColumn<Filter, By extends string>({ alias, id }: List<Filter, By>): RawBuilder<unknown> {
  return sql.ref(`${alias}.${id}`)
}

export function toOrder<Filter, By extends string>(
  list: List<Filter, By>,
  { by, direction }: Pick<ListPage<By>, 'by' | 'direction'>,
): RawBuilder<unknown> {
  const { keys, isUnique, nulls } = list.orders[by]
  const way = sql.raw(direction)
  // An index is read backwards only when nulls stand where it has them: named only where there can be any.
  const place = nulls === undefined ? '' : nulls === 'last' || direction === 'desc' ? 'nulls last' : 'nulls first'
  const sorted = keys.map((key) => sql`${key} ${way} ${sql.raw(place)}`)
  return sql.join(isUnique === true ? sorted : [...sorted, sql`${toIdColumn(list)} ${way}`])
}

/** `from` is inclusive, `to` exclusive; undefined: open. */
export function between(key: RawBuilder<unknown>, from: Date | undefined, to: Date | undefined): RowCondition[] {
  return [from && sql`${key} >= ${from}`, to && sql`${key} < ${to}`]
}

export function joinWithAnd(conditions: readonly RowCondition[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== false && condition !== undefined)
  return sql`${sql.join([sql`true`, ...given], sql` and `)}`
}
