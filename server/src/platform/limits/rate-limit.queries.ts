import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import { must } from '../shared/must.ts'

export type Hits = { key: string; windowStart: number; expiresAt: number; hits: number }

/** Gives the new totals in the same order. `hits` may be negative. No key may stand twice in one call. */
export async function addHits(db: Db | Tx, batch: Hits[]): Promise<number[]> {
  // The order of the keys keeps two processes from waiting for each other's rows.
  const { rows } = await sql<{ key: string; window_start: Date; hits: number }>`
    insert into rate_limits (key, window_start, hits, expires_at)
    select key, window_start, hits, expires_at
    from unnest(
      ${batch.map(({ key }) => key)}::text[],
      ${batch.map(({ windowStart }) => new Date(windowStart))}::timestamptz[],
      ${batch.map(({ hits }) => hits)}::int[],
      ${batch.map(({ expiresAt }) => new Date(expiresAt))}::timestamptz[]
    ) as added (key, window_start, hits, expires_at)
    order by key, window_start
    on conflict (key, window_start) do update set hits = rate_limits.hits + excluded.hits
    returning key, window_start, hits`.execute(db)
  const totals = new Map(rows.map((row) => [`${row.key} ${row.window_start.getTime()}`, row.hits]))
  return batch.map(({ key, windowStart }) => must(totals.get(`${key} ${windowStart}`), 'total of a limit'))
}

export async function findHits(db: Db, { key, windowStart }: Pick<Hits, 'key' | 'windowStart'>): Promise<number> {
  const row = await db
    .selectFrom('rate_limits')
    .select('hits')
    .where((on) => on.and({ key, window_start: new Date(windowStart) }))
    .executeTakeFirst()
  return row?.hits ?? 0
}
