import { countAccountsAt, sumEvents } from './buckets.queries.ts'
import { todayOf } from './days.ts'
import { countActiveBefore } from './histogram.queries.ts'
import { activeWithin, newSince } from './histogram.ts'
import { boundsOf, sumOf, type Measure, type Values } from './measure.ts'
import { daysOf, readHistogram } from './users.ts'

/** The recency that stands beside the status, in days (decision C13). */
export const RECENT_DAYS = 28

/** Accounts by their status at the end of each slice, and how many of the users were there lately. */
export const measureAccounts: Measure = async (db, period, { now }) => {
  const days = daysOf(period)
  const [events, start, histogram, before] = await Promise.all([
    sumEvents(db, ['accounts_created', 'active_change', 'inactive_change'], boundsOf(period)),
    countAccountsAt(db, period.from),
    readHistogram(db, period, RECENT_DAYS),
    countActiveBefore(db, days.firstDay),
  ])
  const newBy = newSince(histogram, days)
  const today = todayOf(now)
  let { active, inactive } = start
  const slices = period.slices.map((slice, index): Values => {
    const event = events[index]!
    active += event.active_change
    inactive += event.inactive_change
    const levels = slice.start < now ? { active, inactive } : { active: null, inactive: null }
    const recent = period.interval !== 'hour' && slice.firstDay <= today
    const engaged = recent ? activeWithin(histogram, slice.lastDay, RECENT_DAYS) : null
    return {
      ...levels,
      created: event.accounts_created,
      engaged_28d: engaged,
      dormant_28d: engaged === null ? null : before + newBy(slice.lastDay) - engaged,
    }
  })
  return { slices, totals: { ...lastKnown(slices), created: sumOf(slices, 'created') } }
}

/** Levels have no sum: what they were at last. */
function lastKnown(slices: Values[]): Values {
  const last = (key: string) => slices.findLast((values) => values[key] !== null)?.[key] ?? null
  return Object.fromEntries(['active', 'inactive', 'engaged_28d', 'dormant_28d'].map((key) => [key, last(key)]))
}
