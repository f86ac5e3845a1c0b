import type { Range } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import {
  listBuckets,
  dateIn,
  datesIn,
  earlier,
  earlierIn,
  isStartOfDay,
  startOfDay,
  type Bucket,
  type Interval,
} from '../../platform/shared/zones.ts'
import { DAY_MS, dayAt, dayEnd, toDate, toDay, type Days } from '../../platform/shared/days.ts'

export type Compare = 'previous_period' | 'previous_year' | 'none'

/** The UTC days are those of the same dates. */
export type Slice = Bucket & Days

/** `from` to before `to`, both on a quarter of an hour. */
export type Period = { from: Date; to: Date; zone: string; interval: Interval; slices: Slice[] }

const QUARTER_MS = 900_000
const DEFAULT_DAYS = 30
const LONGEST_DAYS: Record<Interval, number> = { hour: 31, day: 400, week: 1_100, month: 3_660 }
const EARLIEST = new Date('1970-01-01T00:00:00Z')
const LATEST = new Date('3000-01-01T00:00:00Z')

/** The default is the last 30 days by day (decision C12), widened to quarters of an hour. 422 when the range is too
 * long for its interval. */
export function toPeriod(range: Range, interval: Interval, now: Date): Period {
  const { timezone: zone } = range
  const to = range.to ? quarterAfter(range.to) : startOfDay(dateIn(now, zone), zone, 1)
  const from = range.from ? quarterBefore(range.from) : earlier(to, zone, { days: DEFAULT_DAYS })
  if (from >= to) throw errors.validation({ start_date: ['must be before the end of the range'] })
  if (from < EARLIEST) throw errors.validation({ start_date: ['must be 1970-01-01 or later'] })
  if (to > LATEST) throw errors.validation({ end_date: ['must be before 3000-01-01'] })
  const longest = LONGEST_DAYS[interval]
  if (earlier(to, zone, { days: longest }) > from)
    throw errors.validation({ interval: [`${interval} allows a range of at most ${longest} days`] })
  const today = dayAt(now)
  const dateAt = datesIn(zone)
  const slices = listBuckets(from, to, zone, interval).map((bucket) => {
    // An hour or a day lies within one date.
    const day = interval === 'hour' || interval === 'day' ? toDay(bucket.date.slice(0, 10)) : undefined
    const days = day === undefined ? daysBetween(bucket, dateAt) : { firstDay: day, lastDay: day }
    return withDays(bucket, days, today)
  })
  return { from, to, zone, interval, slices }
}

export function wholeUtcDays({ from, to }: Range): Range {
  return {
    from: from && new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS),
    to: to && dayEnd(dayAt(to) - (to.getTime() % DAY_MS === 0 ? 1 : 0)),
    timezone: 'UTC',
  }
}

/**
 * Gives the same days of the year before, or as many months, days or hours that end where this begins. It has as many
 * slices; one without a counterpart (29 February) is empty.
 */
export function periodBefore(period: Period, compare: Exclude<Compare, 'none'>, now: Date): Period {
  const { zone, interval } = period
  const today = dayAt(now)
  const ofDays = interval !== 'hour' && isStartOfDay(period.from, zone) && isStartOfDay(period.to, zone)
  const stretches = ofDays ? daysBefore(period, compare) : timesBefore(period, compare)
  const slices = stretches.map(({ firstDay, lastDay, ...stretch }, index) =>
    withDays({ ...stretch, isWhole: period.slices[index]!.isWhole }, { firstDay, lastDay }, today),
  )
  return { from: stretches[0]!.start, to: stretches.at(-1)!.end, zone, interval, slices }
}

type Stretch = Omit<Slice, 'isWhole'>

function daysBefore({ from, to, zone, slices }: Period, compare: Compare): Stretch[] {
  const dates = [dateIn(from, zone), ...slices.slice(1).map(({ date }) => date), dateIn(to, zone)]
  const by = toStep(dates[0]!, dates.at(-1)!, compare)
  const days = dates.map((date) => dayBefore(date, by))
  const starts = days.map((day) => startOfDay(toDate(day), zone))
  return slices.map((_, index) => {
    const [start, end, firstDay] = [starts[index]!, starts[index + 1]!, days[index]!]
    // A day that its zone skipped has no UTC day either.
    const lastDay = start < end ? days[index + 1]! - 1 : firstDay - 1
    return { start, end, date: toDate(firstDay), firstDay, lastDay }
  })
}

type Step = { days: number } | { months: number }

function toStep(first: string, end: string, compare: Compare): Step {
  if (compare === 'previous_year') return { months: 12 }
  if (first.endsWith('-01') && end.endsWith('-01')) return { months: toMonth(end) - toMonth(first) }
  return { days: toDay(end) - toDay(first) }
}

function dayBefore(date: string, by: Step): number {
  if ('days' in by) return toDay(date) - by.days
  const month = toMonth(date) - 1 - by.months - 1970 * 12
  const [first, next] = [Date.UTC(1970, month) / DAY_MS, Date.UTC(1970, month + 1) / DAY_MS]
  return Math.min(first + Number(date.slice(8)) - 1, next - 1)
}

function timesBefore(period: Period, compare: Compare): Stretch[] {
  const { from, to, zone, interval } = period
  const length = to.getTime() - from.getTime()
  const back =
    compare === 'previous_year' ? earlierIn(zone, { years: 1 }) : (moment: Date) => new Date(moment.getTime() - length)
  const dateAt = datesIn(zone)
  const times = [from, ...period.slices.map(({ end }) => end)].map(back)
  return period.slices.map((_, index) => {
    const [start, end] = [times[index]!, times[index + 1]!]
    const date = interval === 'hour' ? start.toISOString() : dateAt(start)
    return { start, end, date, ...daysBetween({ start, end }, dateAt) }
  })
}

function toMonth(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
}

/** Leaves out future days of a slice that has begun: nobody can have been active on them. */
function withDays(bucket: Bucket, { firstDay, lastDay }: Days, today: number): Slice {
  return { ...bucket, firstDay, lastDay: firstDay <= today ? Math.min(lastDay, today) : lastDay }
}

function daysBetween({ start, end }: Pick<Bucket, 'start' | 'end'>, dateAt: (moment: Date) => string): Days {
  return { firstDay: toDay(dateAt(start)), lastDay: toDay(dateAt(new Date(end.getTime() - 1))) }
}

export function quarterBefore(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / QUARTER_MS) * QUARTER_MS)
}

function quarterAfter(moment: Date): Date {
  return new Date(Math.ceil(moment.getTime() / QUARTER_MS) * QUARTER_MS)
}
