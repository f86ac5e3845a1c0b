import { Temporal } from 'temporal-polyfill'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const NO_ZONE = 'must be an IANA time zone, such as Europe/Berlin'
// Names only: PostgreSQL reads an offset such as +05:30 with the opposite sign.
const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[/_+-][A-Za-z0-9]+)*$/
export const ZONE_NAME = NAME.source

export function isZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' })
    return true
  } catch {
    return false
  }
}

export function startOfDay(date: string, zone: string, addDays = 0): Date {
  return startIn(Temporal.PlainDate.from(date).add({ days: addDays }), zone)
}

export function dateIn(moment: Date, zone: string): string {
  return zoned(moment, zone).toPlainDate().toString()
}

function zoned(moment: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
}

export type Interval = 'hour' | 'day' | 'week' | 'month'

/** `date` names it in its zone; `isWhole` is false when the range cuts it. */
export type Bucket = { start: Date; end: Date; date: string; isWhole: boolean }

/** The buckets are in order and without gaps; weeks are ISO weeks; hours count from the start of the day. */
export function listBuckets(from: Date, to: Date, zone: string, interval: Interval): Bucket[] {
  const buckets: Bucket[] = []
  const length = LENGTHS[interval]
  let day = findFirstDate(from, zone, interval)
  for (let start = startIn(day, zone); start < to;) {
    const next = day.add(length)
    const end = startIn(next, zone)
    const stretches = interval === 'hour' ? listHours(start, end, zone) : [{ start, end, date: day.toString() }]
    buckets.push(...stretches.flatMap((stretch) => clip(stretch, from, to)))
    day = next
    start = end
  }
  return buckets
}

/** None when the span is empty in the range, like a day that its zone skipped. */
function clip({ start, end, date }: Omit<Bucket, 'isWhole'>, from: Date, to: Date): Bucket[] {
  if (end <= from || start >= to || start >= end) return []
  const isWhole = start >= from && end <= to
  return [{ start: start < from ? from : start, end: end > to ? to : end, date, isWhole }]
}

const LENGTHS = { hour: { days: 1 }, day: { days: 1 }, week: { days: 7 }, month: { months: 1 } }

function findFirstDate(moment: Date, zone: string, interval: Interval): Temporal.PlainDate {
  const day = zoned(moment, zone).toPlainDate()
  if (interval === 'month') return day.with({ day: 1 })
  return interval === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
}

function startIn(date: Temporal.PlainDate, zone: string): Date {
  return new Date(date.toZonedDateTime(zone).epochMilliseconds)
}

function listHours(start: Date, end: Date, zone: string): Omit<Bucket, 'isWhole'>[] {
  const count = Math.ceil((end.getTime() - start.getTime()) / HOUR_MS)
  const writeHour = hourTexts(start, end, zone)
  return Array.from({ length: count }, (_, hour) => {
    const begins = new Date(start.getTime() + hour * HOUR_MS)
    const ends = new Date(Math.min(end.getTime(), begins.getTime() + HOUR_MS))
    return { start: begins, end: ends, date: writeHour(begins) }
  })
}

/** The texts have the offset, because an hour may occur twice in a day. */
function hourTexts(start: Date, end: Date, zone: string): (moment: Date) => string {
  const first = zoned(start, zone)
  const offsetMs = first.offsetNanoseconds / 1e6
  // Long ago some zones were off by seconds.
  if (end.getTime() - start.getTime() !== DAY_MS || offsetMs % 60_000 !== 0)
    return (moment) => hourText(zoned(moment, zone))
  const [, offset = ''] = /([+-][\d:]+)$/.exec(hourText(first)) ?? []
  return (moment) => new Date(moment.getTime() + offsetMs).toISOString().slice(0, -':00.000Z'.length) + offset
}

function hourText(time: Temporal.ZonedDateTime): string {
  return time.toString({ smallestUnit: 'minute', timeZoneName: 'never' })
}

/** The same time of day; a start of a day stays one. 29 February becomes 28 February. */
export function earlier(
  moment: Date,
  zone: string,
  by: { days: number } | { months: number } | { years: number },
): Date {
  const now = zoned(moment, zone)
  // No day starts in its second half.
  const isStart = now.hour < 12 && startIn(now.toPlainDate(), zone).getTime() === moment.getTime()
  return isStart ? startIn(now.toPlainDate().subtract(by), zone) : new Date(now.subtract(by).epochMilliseconds)
}

/** A day without a change of the clock: the time of day equals the time since its start. */
type SteadyDay = { from: number; to: number; date: Temporal.PlainDate }

function steadyDay(date: Temporal.PlainDate, zone: string): SteadyDay | undefined {
  const [from, to] = [startIn(date, zone).getTime(), startIn(date.add({ days: 1 }), zone).getTime()]
  return to - from === DAY_MS ? { from, to, date } : undefined
}

/** `dateIn` for moments in their order: the rules of the zone are read once a day. */
export function datesIn(zone: string): (moment: Date) => string {
  const of = byDay(zone, ({ date }) => {
    const text = date.toString()
    return () => text
  })
  return (moment) => of(moment)?.() ?? dateIn(moment, zone)
}

export function earlierIn(zone: string, by: Parameters<typeof earlier>[2]): (moment: Date) => Date {
  const of = byDay(zone, ({ from, date }) => {
    const before = steadyDay(date.subtract(by), zone)
    return before && ((moment: Date) => new Date(moment.getTime() - from + before.from))
  })
  return (moment) => of(moment)?.(moment) ?? earlier(moment, zone, by)
}

function byDay<T>(zone: string, make: (day: SteadyDay) => T): (moment: Date) => T | undefined {
  let last: { from: number; to: number; made: T } | undefined
  return (moment) => {
    const time = moment.getTime()
    if (last === undefined || time < last.from || time >= last.to) {
      const day = steadyDay(zoned(moment, zone).toPlainDate(), zone)
      last = day && { ...day, made: make(day) }
    }
    return last !== undefined && time >= last.from && time < last.to ? last.made : undefined
  }
}

export function isStartOfDay(moment: Date, zone: string): boolean {
  return startOfDay(dateIn(moment, zone), zone).getTime() === moment.getTime()
}
