import type { Db } from '../../platform/db/connect.ts'
import { countResults } from './provider-state.queries.ts'

// Decision B11: over 30 % of the last 1,000 results.
const WINDOW = 1_000
const GONE_LIMIT = 300
/** Good results that a process counts at most before others hear of them. */
export const FLUSH_AT = 5_000

export type RemovalGuard = {
  /** `leave`: sending was resumed since `leftAt`, so they do not count; `alarm`: too many are gone. */
  assess(report: GoneReport): Promise<Verdict>
}

/** `leftAt`: when the latest of their pushes left. */
export type GoneReport = { results: number; gone: readonly unknown[]; leftAt: Date }

export type Verdict = 'remove' | 'leave' | 'alarm'

/** Good results are collected here first, so that neither a single push nor a campaign writes them. */
export function createRemovalGuard(db: Db, provider: string): RemovalGuard {
  let gathered = 0
  const assess = async ({ results, gone, leftAt }: GoneReport): Promise<Verdict> => {
    gathered += results
    if (gathered === 0 || (gone.length === 0 && gathered < FLUSH_AT)) return 'remove'
    const counted = Math.min(gathered, WINDOW)
    gathered = 0
    const recent = await countResults(db, provider, { results: counted, gone: gone.length, leftAt, half: WINDOW / 2 })
    if (recent === undefined) return 'leave'
    return recent.gone > GONE_LIMIT && recent.gone > recent.results * (GONE_LIMIT / WINDOW) ? 'alarm' : 'remove'
  }
  return { assess }
}
