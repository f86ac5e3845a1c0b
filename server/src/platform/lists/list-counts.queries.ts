import { sql, type RawBuilder } from 'kysely'
import { inOneMessage, type Source } from '../db/one-message.ts'
import { must } from '../shared/must.ts'
import type { Db } from '../db/connect.ts'

/** Each with the facets of a row, as the triggers of `server/migrations` write them. */
const KEPT = {
  users: sql`user_facets(deleted_at, status, role, email_verified_at, is_test_user)`,
  products: sql`product_facets(deleted_at, status, verification, condition, hidden_at)`,
  listings: sql`listing_facets(is_listed, category_id)`,
} as const satisfies Record<string, RawBuilder<unknown>>

export type KeptList = keyof typeof KEPT

/** The values that each facet may have, in the order of the list's facets; undefined: any. */
export type Facets = (readonly (string | boolean)[] | undefined)[]

export function keptTotal(list: KeptList, facets: Facets): RawBuilder<{ n: number }> {
  const conditions = facets.flatMap((values, index) =>
    values === undefined ? [] : [sql`facets[${sql.lit(index + 1)}] in (${sql.join(values.map(String))})`],
  )
  return sql`select coalesce(sum(n), 0)::bigint as n from list_counts
    where ${sql.join([sql`list = ${list}`, ...conditions], sql` and `)}`
}

export type Counted = { list: KeptList; facets: Facets }

export async function findKeptTotal(source: Source, { list, facets }: Counted): Promise<number> {
  const [rows] = await inOneMessage(source, [keptTotal(list, facets)], { name: 'findKeptTotal' })
  return must((rows as { n: number }[] | undefined)?.[0], 'kept total').n
}

/** Counts a list again. Writers of its table wait meanwhile, readers do not. */
export async function rebuildListCounts(db: Db, list: KeptList): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
    await sql`lock table ${sql.table(list)} in share row exclusive mode`.execute(tx)
    await sql`delete from list_counts where list = ${list}`.execute(tx)
    await sql`insert into list_counts (list, facets, n) select ${list}, ${KEPT[list]}, count(*)
      from ${sql.table(list)} group by 2`.execute(tx)
    const { rows } = await keptTotal(list, []).execute(tx)
    return rows[0]?.n ?? 0
  })
}

export type WrongCount = { list: KeptList; facets: string[]; kept: number; counted: number }

export async function findWrongCounts(db: Db): Promise<WrongCount[]> {
  const lists = Object.entries(KEPT).map(
    ([list, facets]) => sql`
      select ${list} as list, coalesce(k.facets, c.facets) as facets, coalesce(k.n, 0)::bigint as kept,
        coalesce(c.n, 0) as counted
      from (select facets, sum(n) as n from list_counts where list = ${list} group by 1) k
      full join (select ${facets} as facets, count(*) as n from ${sql.table(list)} group by 1) c on c.facets = k.facets
      where coalesce(k.n, 0) <> coalesce(c.n, 0)`,
  )
  const { rows } = await sql<WrongCount>`${sql.join(lists, sql` union all `)} order by 1, 2`.execute(db)
  return rows
}

export const KEPT_LISTS = Object.keys(KEPT) as KeptList[]
