import type { Db, Tx } from '../../platform/db/connect.ts'
import { swapReport, type SwapRow } from './swap-report.queries.ts'

export async function reportedSwaps(db: Db | Tx, swapIds: number[]): Promise<Map<number, SwapRow>> {
  const rows = swapIds.length === 0 ? [] : await swapReport.byIds(db, swapIds)
  return new Map(rows.map((row) => [row.swap_id, row]))
}
