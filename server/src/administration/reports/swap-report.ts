import type { Db, Tx } from '../../platform/db/connect.ts'
import { listSwapsOf, type SwapRow } from './swap-report.queries.ts'

/** A swap as the administration shows it. */
export type ReportedSwap = SwapRow

/** Swaps as the report on swaps shows them, by their ids; those that do not exist are absent. */
export async function reportedSwaps(db: Db | Tx, swapIds: number[]): Promise<Map<number, ReportedSwap>> {
  const rows = swapIds.length === 0 ? [] : await listSwapsOf(db, swapIds)
  return new Map(rows.map((row) => [row.swap_id, row]))
}
