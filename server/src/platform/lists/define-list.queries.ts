import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../db/arrays.ts'
import type { Db, Tx } from '../db/connect.ts'
import { inBatches } from './cursor.ts'
import { toIdColumn, toOrder, selectRows, type Found, type List, type ListPage } from './list-rows.ts'
import { findPage, type ListSource } from './search.queries.ts'

type Rows<Row> = Omit<Found, 'ids'> & { rows: Row[] }

/** A list that is read by pages and as a file. `select`: the rows of the ids in `chosen`, in this order. */
export function defineList<Filter, By extends string, Row>(
  list: List<Filter, By>,
  select: (chosen: RawBuilder<unknown>, order: RawBuilder<unknown>) => RawBuilder<Row>,
) {
  const byIds = async (db: Db | Tx, ids: number[]): Promise<Row[]> => {
    const chosen = sql`select * from unnest(${int8Array(ids)}::bigint[]) with ordinality c(${sql.id(list.id)}, place)`
    return (await select(chosen, sql`place`).execute(db)).rows
  }
  return {
    byIds,
    /** `total`: how many rows match, where that is known. */
    page: async (
      source: ListSource,
      request: { filter: Filter; page: ListPage<By>; total?: number },
    ): Promise<Rows<Row>> => {
      const { ids, ...found } = await findPage(source, list, request)
      return { rows: await byIds(source.db, ids), ...found }
    },
    stream: (db: Db, filter: Filter, order: Pick<ListPage<By>, 'by' | 'direction'>): AsyncGenerator<Row[]> => {
      const all = { list, filter, page: { ...order, perPage: 0, offset: 0 } }
      return inBatches(db, select(sql`select ${toIdColumn(list)} ${selectRows(all)}`, toOrder(list, order)))
    },
  }
}
