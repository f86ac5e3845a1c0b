import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inBatches } from '../../platform/lists/cursor.ts'
import { toIdColumn, toOrder, selectRows, type List, type ListPage } from '../../platform/lists/list-rows.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'

export type Person = { id: number; username: string; name: string }

/** Null once the account is purged. */
export function selectPerson(user: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${user}.user_id is not null
    then json_build_object('id', ${user}.user_id, 'username', ${user}.username, 'name', ${user}.name) end`
}

/** A list that is read by pages and as a file. `rows`: of the ids in `chosen`, in this order. */
export function defineReport<Filter, By extends string, Row>(
  list: List<Filter, By>,
  rows: (chosen: RawBuilder<unknown>, order: RawBuilder<unknown>) => RawBuilder<Row>,
) {
  /** The rows of these ids, in their order. */
  const byIds = async (db: Db | Tx, ids: number[]): Promise<Row[]> => {
    const chosen = sql`select * from unnest(${int8Array(ids)}::bigint[]) with ordinality c(${sql.id(list.id)}, place)`
    return (await rows(chosen, sql`chosen.place`).execute(db)).rows
  }
  return {
    byIds,
    /** `total`: how many rows match, where that is known. */
    page: async (
      source: ListSource,
      { total, ...wanted }: { filter: Filter; page: ListPage<By>; total?: number },
    ): Promise<Row[]> => byIds(source.db, (await findPage(source, list, { ...wanted, total })).ids),
    stream: (db: Db, filter: Filter, order: Pick<ListPage<By>, 'by' | 'direction'>): AsyncGenerator<Row[]> => {
      const all = { list, filter, page: { ...order, perPage: 0, offset: 0 } }
      return inBatches(db, rows(sql`select ${toIdColumn(list)} ${selectRows(all)}`, toOrder(list, order)))
    },
  }
}
