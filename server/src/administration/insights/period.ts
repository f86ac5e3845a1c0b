import type { Range } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import {
  bucketsOf,
  dateIn,
  datesIn,
  earlier,
  earlierIn,
  isStartOfDay,
  startOfDay,
  type Bucket,
  type Interval,
} from '../../platform/shared/zones.ts'
import { dayOf, endOf, todayOf, type Days } from '../../platform/shared/days.ts'

export type Compare = 'previous_period' | 'previous_year' | 'none'

/** The UTC days are those of the same dates. */
export type Slice = Bucket & Days

/** `from` to before `to`, both on a quarter of an hour. */
export type Period = { from: Date; to: Date; zone: string; interval: Interval; slices: Slice[] }

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const LONGEST_DAYS: Record<Interval, number> = { hour: 31, day: 400, week: 1_100, month: 3_660 }
const EARLIEST = new Date('1970-01-01T00:00:00Z')
const LATEST = new Date('3000-01-01T00:00:00Z')

/** By default the last 30 days by day (decision C12), widened to quarters of an hour. 422 when it is too long for
 * its interval. */
export function periodOf(range: Range, interval: Interval, now: Date): Period {
  const { timezone: zone } = range
  const to = range.to ? quarterAfter(range.to) : startOfDay(dateIn(now, zone), zone, 1)
  const from = range.from ? quarterBefore(range.from) : earlier(to, zone, { days: DEFAULT_DAYS })
  if (from >= to) throw errors.validation({ start_date: ['must be before the end of the range'] })
  if (from < EARLIEST) throw errors.validation({ start_date: ['must be 1970-01-01 or later'] })
  if (to > LATEST) throw errors.validation({ end_date: ['must be before 3000-01-01'] })
  const longest = LONGEST_DAYS[interval]
  if (earlier(to, zone, { days: longest }) > from)
    throw errors.validation({ interval: [`${interval} allows a range of at most ${longest} days`] })
  const today = todayOf(now)
  const dateOf = datesIn(zone)
  const slices = bucketsOf(from, to, zone, interval).map((bucket) => {
    // An hour or a day lies within one date.
    const day = interval === 'hour' || interval === 'day' ? dayOf(bucket.date.slice(0, 10)) : undefined
    const days = day === undefined ? daysBetween(bucket, dateOf) : { firstDay: day, lastDay: day }
    return withDays(bucket, days, today)
  })
  return { from, to, zone, interval, slices }
}

/** The same dates as whole UTC days. */
export function wholeUtcDays({ from, to }: Range): Range {
  return {
    from: from && new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS),
    to: to && endOf(todayOf(to) - (to.getTime() % DAY_MS === 0 ? 1 : 0)),
    timezone: 'UTC',
  }
}

/** The same days of the year before, or as many months, days or hours that end where this begins. As many slices;
 * one without a counterpart (29 February) is empty. */
export function periodBefore(period: Period, compare: Exclude<Compare, 'none'>, now: Date): Period {
  const { zone, interval } = period
  const back = compare === 'previous_year' ? earlierIn(zone, { years: 1 }) : stepBack(period)
  const today = todayOf(now)
  const dateOf = datesIn(zone)
  const [from, ...ends] = [period.from, ...period.slices.map(({ end }) => end)].map(back)
  const slices = period.slices.map(({ isWhole }, index) => {
    const [start, end] = [ends[index - 1] ?? from!, ends[index]!]
    const date = interval === 'hour' ? start.toISOString() : dateOf(start)
    return withDays({ start, end, date, isWhole }, daysBetween({ start, end }, dateOf), today)
  })
  return { from: from!, to: ends.at(-1)!, zone, interval, slices }
}

function stepBack({ from, to, zone, interval }: Period): (moment: Date) => Date {
  const length = to.getTime() - from.getTime()
  if (interval === 'hour' || !isStartOfDay(from, zone) || !isStartOfDay(to, zone))
    return (moment) => new Date(moment.getTime() - length)
  const [first, end] = [dateIn(from, zone), dateIn(to, zone)]
  if (first.endsWith('-01') && end.endsWith('-01')) return earlierIn(zone, { months: monthOf(end) - monthOf(first) })
  return earlierIn(zone, { days: dayOf(end) - dayOf(first) })
}

function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
}

/** Leaves out future days of a slice that has begun: nobody can have been active on them. */
function withDays(bucket: Bucket, { firstDay, lastDay }: Days, today: number): Slice {
  return { ...bucket, firstDay, lastDay: firstDay <= today ? Math.min(lastDay, today) : lastDay }
}

function daysBetween({ start, end }: Pick<Bucket, 'start' | 'end'>, dateOf: (moment: Date) => string): Days {
  return { firstDay: dayOf(dateOf(start)), lastDay: dayOf(dateOf(new Date(end.getTime() - 1))) }
}

export function quarterBefore(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / QUARTER_MS) * QUARTER_MS)
}

function quarterAfter(moment: Date): Date {
  return new Date(Math.ceil(moment.getTime() / QUARTER_MS) * QUARTER_MS)
}
