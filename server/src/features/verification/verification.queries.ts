import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { countOrEstimate } from '../../db/count.ts'

// The words of the index: those that their owners submitted and that others can see.
const WAITING = sql`
  select product_id from products
  where verification = 'pending' and status in ('active', 'reserved', 'paused') and deleted_at is null and hidden_at is null`

/** A page of the products that wait for verification, the longest waiting first. */
export async function listWaiting(db: Db, page: { perPage: number; offset: number }): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    ${WAITING} order by submitted_at, product_id limit ${page.perPage} offset ${page.offset}`.execute(db)
  return rows.map((row) => row.product_id)
}

/** How many wait; an estimate above 100,000. */
export function countWaiting(db: Db) {
  return countOrEstimate(db, WAITING)
}
