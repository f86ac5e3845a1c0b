import type { SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import { SUBSCRIPTION_STATUSES } from '../../platform/shared/words.ts'
import type { SubscriptionFilter, SubscriptionTally } from './subscription-report.queries.ts'

export type SubscriptionSummary = {
  byStatus: Record<SubscriptionStatus, number>
  startedInPeriod: number
  endedInPeriod: number
  /** Cents a month, by currency. */
  mrrByCurrency: Record<string, number>
}

// What will be paid again. A trial may not be, and a cancelled subscription is not.
const RECURRING = new Set<SubscriptionStatus>(['active', 'past_due'])

/** Yearly plans count a twelfth; cents are rounded once, in the sum (decision C11). */
export function sumSubscriptions(tallies: SubscriptionTally[]): SubscriptionSummary {
  const counts = SUBSCRIPTION_STATUSES.map((status) => [status, sum(tallies, 'n', (tally) => tally.status === status)])
  const recurring = tallies.filter((tally) => RECURRING.has(tally.status))
  const currencies = [...new Set(recurring.map((tally) => tally.currency))]
  const mrr = currencies.map((currency) => [
    currency,
    Math.round(sum(recurring, 'cents_a_month', (tally) => tally.currency === currency)),
  ])
  return {
    byStatus: Object.fromEntries(counts) as Record<SubscriptionStatus, number>,
    startedInPeriod: sum(tallies, 'started'),
    endedInPeriod: sum(tallies, 'ended'),
    mrrByCurrency: Object.fromEntries(mrr) as Record<string, number>,
  }
}

export function subscriptionsIn(
  summary: SubscriptionSummary,
  { statuses = [...SUBSCRIPTION_STATUSES] }: SubscriptionFilter,
): number {
  return statuses.reduce((total, status) => total + summary.byStatus[status], 0)
}

function sum(
  tallies: SubscriptionTally[],
  column: 'n' | 'started' | 'ended' | 'cents_a_month',
  which: (tally: SubscriptionTally) => boolean = () => true,
): number {
  return tallies.filter(which).reduce((total, tally) => total + tally[column], 0)
}
