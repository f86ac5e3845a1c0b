import { sql, type RawBuilder } from 'kysely'
import type { Db } from './connect.ts'

const EXACT_UP_TO = 100_000
const PATIENCE_MS = 150
const QUERY_CANCELED = '57014'

/**
 * How many rows a query has: exact up to 100,000, and the planner's estimate above, or when counting takes longer than
 * 150 ms. So a page never waits for its count. `rows` is a select without limit and order.
 */
export async function countOrEstimate(
  db: Db,
  rows: RawBuilder<unknown>,
): Promise<{ total: number; isEstimate: boolean }> {
  const counted = await countUpTo(db, rows)
  if (counted !== undefined && counted <= EXACT_UP_TO) return { total: counted, isEstimate: false }
  const least = counted === undefined ? 0 : EXACT_UP_TO + 1
  return { total: Math.max(least, await estimate(db, rows)), isEstimate: true }
}

/** Undefined when it takes too long. */
async function countUpTo(db: Db, rows: RawBuilder<unknown>): Promise<number | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(PATIENCE_MS)}, true)`.execute(tx)
      const counted = await sql<{ n: number }>`select count(*) as n from (${rows} limit ${EXACT_UP_TO + 1}) t`.execute(
        tx,
      )
      return counted.rows[0]?.n ?? 0
    })
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return undefined
    throw error
  }
}

async function estimate(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: plans } = await sql<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
  }>`explain (format json) ${rows}`.execute(db)
  return plans[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
