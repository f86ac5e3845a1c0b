import type { SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import { SUBSCRIPTION_STATUSES } from '../../platform/shared/words.ts'
import type { SubscriptionTally } from './subscription-report.queries.ts'

// Subscriptions that will be paid again. A trial may not be, and a cancelled one is not.
const RECURRING = new Set<SubscriptionStatus>(['active', 'past_due'])

/** Yearly plans count a twelfth; cents are rounded once, in the sum (decision C11). */
export function sumSubscriptions(tallies: SubscriptionTally[]) {
  const counts = SUBSCRIPTION_STATUSES.map((status) => [status, sum(tallies, 'n', (tally) => tally.status === status)])
  const recurring = tallies.filter((tally) => RECURRING.has(tally.status))
  const currencies = [...new Set(recurring.map((tally) => tally.currency))]
  const mrr = currencies.map((currency) => [
    currency,
    Math.round(sum(recurring, 'cents_a_month', (tally) => tally.currency === currency)),
  ])
  return {
    ...(Object.fromEntries(counts) as Record<SubscriptionStatus, number>),
    started_in_period: sum(tallies, 'started'),
    ended_in_period: sum(tallies, 'ended'),
    mrr_unit: 'cents' as const,
    mrr_by_currency: Object.fromEntries(mrr) as Record<string, number>,
  }
}

function sum(
  tallies: SubscriptionTally[],
  column: 'n' | 'started' | 'ended' | 'cents_a_month',
  which: (tally: SubscriptionTally) => boolean = () => true,
): number {
  return tallies.filter(which).reduce((total, tally) => total + tally[column], 0)
}
