import type { Db } from '../db/connect.ts'
import { countResults } from './provider-state.queries.ts'

// Decision B11: over 30 % of the last 1,000 results.
const WINDOW = 1_000
const GONE_LIMIT = 300
const FLUSH_AT = 200

/** Watches how many results say that a device is gone. */
export type RemovalGuard = {
  /** Counts results; gives false when so many are gone that none may be removed. */
  allows(results: number, gone: number): Promise<boolean>
}

/**
 * Makes the guard. All processes share its counts; clean results are gathered here first, so that a single push costs
 * no write.
 */
export function createRemovalGuard(db: Db): RemovalGuard {
  let gathered = 0
  const allows = async (results: number, gone: number) => {
    gathered += results
    if (gathered === 0 || (gone === 0 && gathered < FLUSH_AT)) return true
    const counted = gathered
    gathered = 0
    const recent = await countResults(db, counted, gone, WINDOW / 2)
    return !(recent.gone > GONE_LIMIT && recent.gone > recent.results * (GONE_LIMIT / WINDOW))
  }
  return { allows }
}
