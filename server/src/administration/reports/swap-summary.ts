import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/db/marketplace-tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { SwapFilter } from './swap-report.queries.ts'
import { countSwaps, foldSwapTallies, rebuildSwapTallies, tallySwaps, type SwapTally } from './swap-tallies.queries.ts'

export const SWAP_STATUSES = [
  'pending',
  'countered',
  'accepted',
  'completed',
  'declined',
  'withdrawn',
  'expired',
  'cancelled',
  'disputed',
  'invalidated',
] as const satisfies SwapStatus[]

export type SwapSummary = {
  by_status: Record<SwapStatus, number>
  total: number
  completion_rate: number | null
  median_hours_to_response: number | null
  median_hours_to_complete: number | null
}

/**
 * What the swaps of a filter come to (decision C11; ADR 018), exact at this moment. The filter by status is left out: each
 * status has its own count.
 */
export async function summariseSwaps(db: Db, filter: SwapFilter): Promise<SwapSummary> {
  const { statuses: _, ...all } = filter
  const ofSome = [all.userId, all.peopleIds, all.productId, all.groupId]
  const isTallied = ofSome.every((part) => part === undefined)
  return summaryOf(await (isTallied ? tallySwaps(db, all) : countSwaps(db, all)))
}

/** How many swaps match a filter whose summary is known. */
export function totalOf(summary: SwapSummary, { statuses = [...SWAP_STATUSES] }: SwapFilter): number {
  return statuses.reduce((sum, status) => sum + summary.by_status[status], 0)
}

/** The summary out of its tallies. Medians are hours, cut down as `quarters_between` says. */
export function summaryOf(tallies: SwapTally[]): SwapSummary {
  const counts = SWAP_STATUSES.map((status) => [status, countOf(tallies, status)] as const)
  const total = counts.reduce((sum, [, n]) => sum + n, 0)
  const byStatus = Object.fromEntries(counts) as SwapSummary['by_status']
  return {
    by_status: byStatus,
    total,
    completion_rate: total === 0 ? null : Math.round((byStatus.completed / total) * 10_000) / 10_000,
    median_hours_to_response: medianOf(tallies, 'to_response'),
    median_hours_to_complete: medianOf(tallies, 'to_complete'),
  }
}

function countOf(tallies: SwapTally[], measure: SwapTally['measure']): number {
  return tallies.filter((tally) => tally.measure === measure).reduce((sum, { n }) => sum + n, 0)
}

/** Of an even number of times, the shorter one in the middle. */
function medianOf(tallies: SwapTally[], measure: SwapTally['measure']): number | null {
  const times = tallies.filter((tally) => tally.measure === measure).toSorted((a, b) => a.quarters - b.quarters)
  const middle = Math.ceil(times.reduce((sum, { n }) => sum + n, 0) / 2)
  let passed = 0
  for (const { quarters, n } of times) {
    passed += n
    if (n > 0 && passed >= middle) return quarters / 4
  }
  return null
}

/** Folds what has changed into the tallies, so that reading them stays fast; the summary is the same before and after. */
export async function keepSwapTallies({ db }: Pick<Deps, 'db'>): Promise<void> {
  await inTransaction(db, foldSwapTallies)
}

/** Makes the tallies anew from the swaps; gives how many cells they have. */
export function rebuildTallies({ db }: Pick<Deps, 'db'>): Promise<number> {
  return rebuildSwapTallies(db)
}
