import { sql, type RawBuilder } from 'kysely'
import type { Db } from './connect.ts'

const EXACT_UP_TO = 100_000
// So far above what is counted that counting would only end with the planner's guess.
const SURELY_MORE = 130_000
const PATIENCE_MS = 150
const QUERY_CANCELED = '57014'

export type Counted = { total: number; isEstimate: boolean }

/**
 * How many rows a query has: exact up to 100,000, and the planner's estimate above, or when counting takes longer than
 * `patienceMs`. So a page never waits for its count. `rows` is a select without limit and order; `estimated` is its
 * estimate, when the caller has it.
 */
export async function countOrEstimate(
  db: Db,
  rows: RawBuilder<unknown>,
  { patienceMs = PATIENCE_MS, estimated }: { patienceMs?: number; estimated?: number } = {},
): Promise<Counted> {
  const guess = estimated ?? (await estimateRows(db, rows))
  if (guess > SURELY_MORE) return { total: guess, isEstimate: true }
  const counted = await countUpTo(db, rows, patienceMs)
  if (counted !== undefined && counted <= EXACT_UP_TO) return { total: counted, isEstimate: false }
  return { total: Math.max(counted ?? 0, guess), isEstimate: true }
}

/** Undefined when it takes too long. */
async function countUpTo(db: Db, rows: RawBuilder<unknown>, patienceMs: number): Promise<number | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`.execute(tx)
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

/** How many rows the planner thinks that a query has. */
export async function estimateRows(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: plans } = await sql<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
  }>`explain (format json) ${rows}`.execute(db)
  return plans[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}
