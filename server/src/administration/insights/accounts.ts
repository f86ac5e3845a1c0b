import { countAccountsAt, sumEvents } from './buckets.queries.ts'
import { endOf, todayOf } from '../../platform/shared/days.ts'
import { countExits } from './histogram.queries.ts'
import { activeWithin } from './histogram.ts'
import { boundsOf, sumOf, type Measure, type Values } from './measure.ts'
import type { Period } from './period.ts'
import { daysOf, readHistogram } from './users.ts'
import type { Db } from '../../platform/db/connect.ts'

export const RECENT_DAYS = 28

export const measureAccounts: Measure = async (db, period, { now }) => {
  const lastDays = period.slices.map((slice) => slice.lastDay)
  const [events, start, histogram, accounts, exits] = await Promise.all([
    sumEvents(db, ['accounts_created', 'active_change', 'inactive_change'], boundsOf(period)),
    countAccountsAt(db, period.from),
    readHistogram(db, period, RECENT_DAYS),
    countAccountsByDay(db, period),
    countExits(db, lastDays, RECENT_DAYS),
  ])
  const today = todayOf(now)
  let { active, inactive } = start
  const slices = period.slices.map((slice, index): Values => {
    const event = events[index]!
    active += event.active_change
    inactive += event.inactive_change
    const isKnown = period.interval !== 'hour' && slice.firstDay <= today
    const engaged = isKnown ? activeWithin(histogram, slice.lastDay, RECENT_DAYS) - exits[index]! : null
    return {
      ...(slice.start < now && { active, inactive }),
      created: event.accounts_created,
      engaged_28d: engaged,
      // An account is counted a minute after it was created, but its first activity at once.
      dormant_28d: engaged === null ? null : Math.max(0, (accounts?.[index] ?? active + inactive) - engaged),
    }
  })
  return {
    slices,
    totalsOf: (count) => {
      const first = slices.slice(0, count)
      return { ...lastKnown(first), created: sumOf(first, 'created') }
    },
  }
}

/** Gives the end of the last UTC day of each slice. It is undefined if the slices are UTC days already. */
async function countAccountsByDay(db: Db, period: Period): Promise<number[] | undefined> {
  const { firstDay } = daysOf(period)
  const bounds = [endOf(firstDay - 1), ...period.slices.map(({ lastDay }) => endOf(lastDay))]
  if (boundsOf(period).every((bound, index) => bound.getTime() === bounds[index]?.getTime())) return undefined
  const [start, events] = await Promise.all([
    countAccountsAt(db, bounds[0]!),
    sumEvents(db, ['active_change', 'inactive_change'], bounds),
  ])
  let accounts = start.active + start.inactive
  return events.map((event) => (accounts += event.active_change + event.inactive_change))
}

/** Levels cannot be summed: takes the last known values. */
function lastKnown(slices: Values[]): Values {
  const last = (key: string) => slices.findLast((values) => (values[key] ?? null) !== null)?.[key] ?? null
  return Object.fromEntries(['active', 'inactive', 'engaged_28d', 'dormant_28d'].map((key) => [key, last(key)]))
}
