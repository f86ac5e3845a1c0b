import { Temporal } from 'temporal-polyfill'

const HOUR_MS = 3_600_000
// Names only: PostgreSQL reads an offset such as +05:30 with the opposite sign.
const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[/_+-][A-Za-z0-9]+)*$/

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

/**
 * The start of a date (`YYYY-MM-DD`) in a zone, `addDays` later. It is not always midnight, and a day not always 24 h.
 */
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

/** A time span from `start` to before `end`; `date` names it in its zone; `isWhole` is false when the range cuts it. */
export type Bucket = { start: Date; end: Date; date: string; isWhole: boolean }

/**
 * Divides a range into the hours, days, ISO weeks (from Monday) or months of a zone, in order and without gaps. A day
 * has as many hours as in its zone; hours count from the start of the day. The first and the last may be cut.
 */
export function bucketsOf(from: Date, to: Date, zone: string, interval: Interval): Bucket[] {
  const buckets: Bucket[] = []
  const length = LENGTHS[interval]
  let day = firstDateOf(from, zone, interval)
  for (let start = startIn(day, zone); start < to;) {
    const next = day.add(length)
    const end = startIn(next, zone)
    const stretches = interval === 'hour' ? hoursOf(start, end, zone) : [{ start, end, date: day.toString() }]
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

function firstDateOf(moment: Date, zone: string, interval: Interval): Temporal.PlainDate {
  const day = zoned(moment, zone).toPlainDate()
  if (interval === 'month') return day.with({ day: 1 })
  return interval === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
}

function startIn(date: Temporal.PlainDate, zone: string): Date {
  return new Date(date.toZonedDateTime(zone).epochMilliseconds)
}

function hoursOf(start: Date, end: Date, zone: string): Omit<Bucket, 'isWhole'>[] {
  const count = Math.ceil((end.getTime() - start.getTime()) / HOUR_MS)
  return Array.from({ length: count }, (_, hour) => {
    const begins = new Date(start.getTime() + hour * HOUR_MS)
    const ends = new Date(Math.min(end.getTime(), begins.getTime() + HOUR_MS))
    return { start: begins, end: ends, date: hourIn(begins, zone) }
  })
}

/** The local time of a moment with its offset, because an hour may occur twice in a day. */
function hourIn(moment: Date, zone: string): string {
  return zoned(moment, zone).toString({ smallestUnit: 'minute', timeZoneName: 'never' })
}

/**
 * The same time of day in a zone, days, months or years earlier; the start of a day becomes the start of that earlier
 * day. 29 February becomes 28 February.
 */
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

export function isStartOfDay(moment: Date, zone: string): boolean {
  return startOfDay(dateIn(moment, zone), zone).getTime() === moment.getTime()
}
