import type { PushDeps } from '../../push/deps.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { SWAP_STATUSES } from '../../platform/shared/words.ts'
import { ratio } from '../insights/measure.ts'
import type { SwapFilter } from './swap-report.queries.ts'
import { countSwaps, foldSwapTallies, tallySwaps, type SwapTally } from './swap-tallies.queries.ts'

/** Exact at this moment (decision C11; ADR 14). Ignores the filter by status and counts each status. */
export async function summariseSwaps(db: Db, filter: SwapFilter) {
  const { statuses: _, ...all } = filter
  const ofSome = [all.userId, all.peopleIds, all.productId, all.groupId]
  const isTallied = ofSome.every((part) => part === undefined)
  return sumSwaps(await (isTallied ? tallySwaps(db, all) : countSwaps(db, all)))
}

export function sumStatuses<Status extends string>(
  counts: Record<NoInfer<Status>, number>,
  statuses: readonly Status[],
): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0)
}

/** Medians are hours, rounded down as by `quarters_between`. */
export function sumSwaps(tallies: SwapTally[]) {
  const counts = SWAP_STATUSES.map((status) => [status, sumTallies(tallies, status)] as const)
  const total = counts.reduce((sum, [, n]) => sum + n, 0)
  const by_status = Object.fromEntries(counts) as Record<SwapStatus, number>
  return {
    by_status,
    total,
    completion_rate: ratio(by_status.completed, total),
    median_hours_to_response: findMedian(tallies, 'to_response'),
    median_hours_to_complete: findMedian(tallies, 'to_complete'),
  }
}

function sumTallies(tallies: SwapTally[], measure: SwapTally['measure']): number {
  return tallies.filter((tally) => tally.measure === measure).reduce((sum, { n }) => sum + n, 0)
}

/** The median of an even number of durations is the shorter one in the middle. */
function findMedian(tallies: SwapTally[], measure: SwapTally['measure']): number | null {
  const times = tallies.filter((tally) => tally.measure === measure).toSorted((a, b) => a.quarters - b.quarters)
  const middle = Math.ceil(times.reduce((sum, { n }) => sum + n, 0) / 2)
  let passed = 0
  for (const { quarters, n } of times) {
    passed += n
    if (n > 0 && passed >= middle) return quarters / 4
  }
  return null
}

/** Adds the pending changes to the tallies, so that reading stays fast. */
export async function keepSwapTallies({ db }: Pick<PushDeps, 'db'>): Promise<void> {
  await inTransaction(db, foldSwapTallies)
}
