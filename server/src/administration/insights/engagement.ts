import { ACCOUNT_EVENTS, EVENT_NAMES, sumEvents } from './buckets.queries.ts'
import { todayOf, type Days } from '../../platform/shared/days.ts'
import { countActive } from './histogram.queries.ts'
import { activeIn, activeWithin, dailyAverage, lifecycleOf, type Histogram } from './histogram.ts'
import { boundsOf, firstSlices, ratio, sumOf, type Measure, type Values } from './measure.ts'
import { daysOf, readHistogram } from './users.ts'

const WEEK = 7

const EVENTS = EVENT_NAMES.filter((name) => !ACCOUNT_EVENTS.includes(name) && name !== 'requests_completed_in_30d')

export const measureEngagement: Measure = async (db, period, { now, window }) => {
  const today = todayOf(now)
  const [events, histogram] = await Promise.all([
    sumEvents(db, EVENTS, boundsOf(period)),
    readHistogram(db, period, window),
  ])
  // Unknown by the hour, and for future days.
  const areKnown = (days: Days) => period.interval !== 'hour' && days.firstDay <= today
  const slices = period.slices.map((slice, index): Values => {
    const counted = Object.fromEntries(EVENTS.map((name) => [name, events[index]![name]]))
    return areKnown(slice) ? { ...usersOf(histogram, slice, window), ...counted } : counted
  })
  return {
    slices,
    totalsOf: async (count) => {
      const first = slices.slice(0, count)
      const { firstDay, lastDay } = daysOf(firstSlices(period, count))
      const days = { firstDay, lastDay: Math.min(lastDay, today) }
      const counted = Object.fromEntries(EVENTS.map((name) => [name, sumOf(first, name)]))
      if (!areKnown(days)) return counted
      const active_users = await countActive(db, { firstDay, lastDay })
      return { ...usersOf(histogram, days, window), active_users, returning_users: null, ...counted }
    },
  }
}

function usersOf(histogram: Histogram, days: Days, window: number): Values {
  const average = dailyAverage(histogram, days)
  const weekly = activeWithin(histogram, days.lastDay, WEEK)
  const monthly = activeWithin(histogram, days.lastDay, window)
  const { added, returning, resurrected, dormant } = lifecycleOf(histogram, days, window)
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
