import {
  measureAccounts,
  RECENT_DAYS,
  measureEngagement,
  measureCompletedSwaps,
  measureSwapRequests,
  measureDailyUsers,
} from './measures.ts'
import type { Measure } from './measure.ts'
import type { EventRows, UserRows } from './rows.queries.ts'

/** Events of the slice; accounts at its end; users of its UTC days, or of the `last` days up to its last (`window`:
 * a month). */
type Rows = { events: EventRows } | { accounts: 'active' | 'inactive' } | { users: UserRows; last?: number | 'window' }

export const UNITS = ['accounts', 'users', 'swaps', 'products', 'messages', 'pushes', 'ratio'] as const

/** `cut`: by the caller's time zone, or by whole UTC days of the same dates. */
export type Key = {
  key: string
  label: string
  unit: (typeof UNITS)[number]
  cut: 'zone' | 'utc_days'
  rows?: Rows
}

export type Insight = {
  operationId: string
  unit: Key['unit'] | 'mixed'
  summary: string
  definition: (window: number) => string
  intervals: readonly ('hour' | 'day' | 'week' | 'month')[]
  keys: readonly Key[]
  /** Whether to add mean, least and most. */
  spread: boolean
  measure: Measure
}

const UTC_DAYS = 'A day of activity is a UTC day, whatever `timezone` says.'
const ACTIVE = 'A user is active on a day with at least one signed-in call of their own.'
const ANY_INTERVAL = ['hour', 'day', 'week', 'month'] as const

/** The keys are the last parts of the calls' addresses (decisions C12 and C13, ADR 20). */
export const INSIGHTS = {
  'active-inactive-accounts': {
    operationId: 'insightAccounts',
    unit: 'accounts',
    summary: 'Active and inactive accounts at the end of each slice, and how recently they were active',
    definition: () =>
      `Accounts at the end of each slice: active are those of status active, inactive all others that are not deleted. created: accounts made in the slice. engaged_28d and dormant_28d part the accounts, of whatever status, at the end of the UTC day of the slice’s last date: engaged are those that were active on any of the ${RECENT_DAYS} days up to it, dormant all others, also those that never were. In UTC their sum is active + inactive; in another zone it is that of a moment some hours apart. ${ACTIVE} ${UTC_DAYS}`,
    intervals: ANY_INTERVAL,
    keys: [
      { key: 'active', label: 'Active accounts', unit: 'accounts', cut: 'zone', rows: { accounts: 'active' } },
      { key: 'inactive', label: 'Inactive accounts', unit: 'accounts', cut: 'zone', rows: { accounts: 'inactive' } },
      events('created', 'New accounts', 'accounts', 'accounts_created'),
      { ...users('engaged_28d', 'Active within 28 days', { users: 'engaged', last: RECENT_DAYS }), unit: 'accounts' },
      { ...users('dormant_28d', 'Not active for 28 days', { users: 'idle', last: RECENT_DAYS }), unit: 'accounts' },
    ],
    spread: false,
    measure: measureAccounts,
  },
  'daily-active-users': {
    operationId: 'insightActiveUsers',
    unit: 'users',
    summary: 'Distinct users who were active on each day, in each week or month, and in the whole range',
    definition: () =>
      `Different users of each slice; the total counts each user of the range once. ${ACTIVE} ${UTC_DAYS}`,
    // Activity is stored by the day.
    intervals: ['day', 'week', 'month'],
    keys: [users('value', 'Active users', { users: 'active' })],
    spread: true,
    measure: measureDailyUsers,
  },
  'total-swap-requests-sent': {
    operationId: 'insightSwapRequests',
    unit: 'swaps',
    summary: 'Swap requests by the time they were sent',
    definition: () =>
      'Swaps that were asked for in the slice, whatever became of them; counter-offers are rounds of the same request.',
    intervals: ANY_INTERVAL,
    keys: [events('value', 'Swap requests', 'swaps', 'swaps_requested')],
    spread: true,
    measure: measureSwapRequests,
  },
  'total-successful-swaps': {
    operationId: 'insightSuccessfulSwaps',
    unit: 'swaps',
    summary:
      'Completed swaps, their ratio to the requests in the same time, and the share of those requests that were completed',
    definition: () =>
      'Swaps that both sides confirmed, by the time of completion. period_ratio: these by the requests sent in the same slice, whichever requests they came from; it may exceed 1. completed_in_30d and cohort_rate: the requests sent in the slice that were completed within 30 days, so far; final 30 days after the slice’s end.',
    intervals: ANY_INTERVAL,
    keys: [
      events('value', 'Completed swaps', 'swaps', 'swaps_completed'),
      events('requested', 'Swap requests', 'swaps', 'swaps_requested'),
      events('completed_in_30d', 'Of these requests, completed in 30 days', 'swaps', 'requests_completed_in_30d'),
      { key: 'period_ratio', label: 'Completed by requested', unit: 'ratio', cut: 'zone' },
      { key: 'cohort_rate', label: 'Requests completed in 30 days', unit: 'ratio', cut: 'zone' },
    ],
    spread: true,
    measure: measureCompletedSwaps,
  },
  'engagement-overview': {
    operationId: 'insightEngagement',
    unit: 'mixed',
    summary: 'Daily, weekly and monthly users, new and lost users, the funnel, messages and pushes',
    definition: (window) =>
      `${ACTIVE} ${UTC_DAYS} active_users: different users of the slice; daily_users: the mean of its days; weekly_users and monthly_users: different users of the 7 and ${window} days that end with its last. stickiness: daily and weekly users by monthly. new_users: active for the first time ever; resurrected_users: returns after more than ${window} days; dormant_users: ${window} days had passed without them; monthly users change by new + resurrected - dormant. returning_users: came at most ${window} days after the time before. Products, swaps and messages count by the time they were made, accepted or completed; pushes by the time the provider accepted them, its receipt came, or the user opened them. Pushes are copies, one a device: a tap opens all copies of the message that the person has, and pushes_opened counts each.`,
    intervals: ANY_INTERVAL,
    keys: [
      users('active_users', 'Active users', { users: 'active' }),
      { key: 'daily_users', label: 'Users a day', unit: 'users', cut: 'utc_days' },
      users('weekly_users', 'Weekly users', { users: 'active', last: 7 }),
      users('monthly_users', 'Monthly users', { users: 'active', last: 'window' }),
      { key: 'stickiness_daily', label: 'Daily by monthly users', unit: 'ratio', cut: 'utc_days' },
      { key: 'stickiness_weekly', label: 'Weekly by monthly users', unit: 'ratio', cut: 'utc_days' },
      users('new_users', 'New', { users: 'added' }),
      users('returning_users', 'Returning', { users: 'returning' }),
      users('resurrected_users', 'Resurrected', { users: 'resurrected' }),
      users('dormant_users', 'Dormant', { users: 'dormant' }),
      events('products_listed', 'Products listed', 'products', 'products_listed'),
      events('swaps_requested', 'Swaps requested', 'swaps', 'swaps_requested'),
      events('swaps_accepted', 'Swaps accepted', 'swaps', 'swaps_accepted'),
      events('swaps_completed', 'Swaps completed', 'swaps', 'swaps_completed'),
      events('messages_sent', 'Messages', 'messages', 'messages_sent'),
      { key: 'pushes_sent', label: 'Pushes sent', unit: 'pushes', cut: 'zone' },
      { key: 'pushes_delivered', label: 'Pushes delivered', unit: 'pushes', cut: 'zone' },
      { key: 'pushes_opened', label: 'Pushes opened', unit: 'pushes', cut: 'zone' },
    ],
    spread: false,
    measure: measureEngagement,
  },
} as const satisfies Record<string, Insight>

export type InsightName = keyof typeof INSIGHTS

export function isOfUtcDays({ keys }: Insight): boolean {
  return keys.every(({ cut }) => cut === 'utc_days')
}

export function toMetric(name: string): string {
  return name.replaceAll('-', '_')
}

function users(key: string, label: string, rows: Rows & { users: UserRows }): Key {
  return { key, label, unit: 'users', cut: 'utc_days', rows }
}

function events(key: string, label: string, unit: Key['unit'], name: EventRows): Key {
  return { key, label, unit, cut: 'zone', rows: { events: name } }
}
