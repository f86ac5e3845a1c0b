import { sumEvents, type EventName, countAccountsAt, ACCOUNT_EVENTS, EVENT_NAMES } from './buckets.queries.ts'
import { listBounds, firstSlices, ratio, measureSpread, sumSlices, type Measure, type Values } from './measure.ts'
import type { Db } from '../../platform/db/connect.ts'
import { type Days, dayEnd, dayAt } from '../../platform/shared/days.ts'
import { listGaps, countActive, countExits } from './histogram.queries.ts'
import {
  activeIn,
  GAP_CAP,
  buildHistogram,
  type Histogram,
  activeWithin,
  dailyAverage,
  measureLifecycle,
} from './histogram.ts'
import type { Period } from './period.ts'

export const measureSwapRequests = measureEvents({ value: 'swaps_requested' })

const COMPLETED = {
  value: 'swaps_completed',
  requested: 'swaps_requested',
  completed_in_30d: 'requests_completed_in_30d',
} as const

export const measureCompletedSwaps = measureEvents(COMPLETED, ({ value, requested, completed_in_30d }) => ({
  period_ratio: ratio(value, requested),
  cohort_rate: ratio(completed_in_30d, requested),
}))

/** `names`: the event behind each key; `computeRates`: what follows from their counts. */
function measureEvents<Name extends string>(
  names: Record<Name, EventName>,
  computeRates: (counts: Record<Name, number>) => Values = () => ({}),
): Measure {
  const keys = Object.keys(names) as Name[]
  const measured = (countOf: (key: Name) => number) => {
    const counts = Object.fromEntries(keys.map((key) => [key, countOf(key)])) as Record<Name, number>
    return { ...counts, ...computeRates(counts) }
  }
  return async (db, period, { now }) => {
    const events = await sumEvents(db, Object.values(names), listBounds(period))
    const slices: Values[] = events.map((event) => measured((key) => event[names[key]]))
    return {
      slices,
      sumFirst: (count) => {
        const first = slices.slice(0, count)
        return { ...measured((key) => sumSlices(first, key)), ...measureSpread(first, firstSlices(period, count), now) }
      },
    }
  }
}

/** Gives the different users of each slice, and of the whole range: never a sum of days. */
export const measureDailyUsers: Measure = async (db, period, { now }) => {
  const histogram = await readHistogram(db, period, 0)
  const slices = period.slices.map((slice) => ({ value: activeIn(histogram, slice) }))
  return {
    slices,
    sumFirst: async (count) => {
      const first = firstSlices(period, count)
      const value = await countActive(db, toDays(first))
      return { value, ...measureSpread(slices.slice(0, count), first, now) }
    },
  }
}

/** It covers the period's days and `before` days before them. */
async function readHistogram(db: Db, period: Period, before: number): Promise<Histogram> {
  const { firstDay, lastDay } = toDays(period)
  const days = { firstDay: firstDay - before, lastDay }
  return buildHistogram(await listGaps(db, days, GAP_CAP), days)
}

function toDays({ slices }: Period): Days {
  return { firstDay: slices[0]?.firstDay ?? 0, lastDay: slices.at(-1)?.lastDay ?? -1 }
}

export const RECENT_DAYS = 28

export const measureAccounts: Measure = async (db, period, { now }) => {
  const lastDays = period.slices.map((slice) => slice.lastDay)
  const [events, start, histogram, accounts, exits] = await Promise.all([
    sumEvents(db, ['accounts_created', 'active_change', 'inactive_change'], listBounds(period)),
    countAccountsAt(db, period.from),
    readHistogram(db, period, RECENT_DAYS),
    countAccountsByDay(db, period),
    countExits(db, lastDays, RECENT_DAYS),
  ])
  const today = dayAt(now)
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
    sumFirst: (count) => {
      const first = slices.slice(0, count)
      return { ...lastKnown(first), created: sumSlices(first, 'created') }
    },
  }
}

/** Gives the end of the last UTC day of each slice. It is undefined if the slices are UTC days already. */
async function countAccountsByDay(db: Db, period: Period): Promise<number[] | undefined> {
  const { firstDay } = toDays(period)
  const bounds = [dayEnd(firstDay - 1), ...period.slices.map(({ lastDay }) => dayEnd(lastDay))]
  if (listBounds(period).every((bound, index) => bound.getTime() === bounds[index]?.getTime())) return undefined
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

const WEEK = 7

const EVENTS = EVENT_NAMES.filter((name) => !ACCOUNT_EVENTS.includes(name) && name !== 'requests_completed_in_30d')

export const measureEngagement: Measure = async (db, period, { now, window }) => {
  const today = dayAt(now)
  const [events, histogram] = await Promise.all([
    sumEvents(db, EVENTS, listBounds(period)),
    readHistogram(db, period, window),
  ])
  // The value is unknown by the hour, and for future days.
  const areKnown = (days: Days) => period.interval !== 'hour' && days.firstDay <= today
  const slices = period.slices.map((slice, index): Values => {
    const counted = Object.fromEntries(EVENTS.map((name) => [name, events[index]![name]]))
    return areKnown(slice) ? { ...countUsers(histogram, slice, window), ...counted } : counted
  })
  return {
    slices,
    sumFirst: async (count) => {
      const first = slices.slice(0, count)
      const { firstDay, lastDay } = toDays(firstSlices(period, count))
      const days = { firstDay, lastDay: Math.min(lastDay, today) }
      const counted = Object.fromEntries(EVENTS.map((name) => [name, sumSlices(first, name)]))
      if (!areKnown(days)) return counted
      const active_users = await countActive(db, { firstDay, lastDay })
      return { ...countUsers(histogram, days, window), active_users, returning_users: null, ...counted }
    },
  }
}

function countUsers(histogram: Histogram, days: Days, window: number): Values {
  const average = dailyAverage(histogram, days)
  const weekly = activeWithin(histogram, days.lastDay, WEEK)
  const monthly = activeWithin(histogram, days.lastDay, window)
  const { added, returning, resurrected, dormant } = measureLifecycle(histogram, days, window)
  return {
    active_users: activeIn(histogram, days),
    daily_users: average === null ? null : Math.round(average * 10) / 10,
    weekly_users: weekly,
    monthly_users: monthly,
    stickiness_daily: ratio(average, monthly),
    stickiness_weekly: ratio(weekly, monthly),
    new_users: added,
    returning_users: returning,
    resurrected_users: resurrected,
    dormant_users: dormant,
  }
}
