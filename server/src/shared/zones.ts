import { Temporal } from 'temporal-polyfill'

// Names only: an offset such as +05:30 means its opposite to PostgreSQL.
const NAME = /^[A-Za-z]+(?:[/_+-]?[A-Za-z0-9]+)*$/

/** True for a time zone by its IANA name. */
export function isZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** True for a calendar date that exists, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' })
    return true
  } catch {
    return false
  }
}

/** The moment at which a date (`YYYY-MM-DD`) begins in a zone; `addDays` later. Not always midnight, nor 24 h long. */
export function startOfDay(date: string, zone: string, addDays = 0): Date {
  const start = Temporal.PlainDate.from(date).add({ days: addDays }).toZonedDateTime(zone)
  return new Date(start.epochMilliseconds)
}

/** The date (`YYYY-MM-DD`) that a moment has in a zone. */
export function dateIn(moment: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
}
