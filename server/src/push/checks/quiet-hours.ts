import { Temporal } from 'temporal-polyfill'

/** The time of day in which somebody wants no push: minutes of the day in their time zone, `end` excluded. */
export type QuietHours = { start: number; end: number; zone: string }

/**
 * When quiet hours that hold `now` are over: the first moment at which the local time is outside them; undefined when
 * they do not hold it. Over midnight when they end before they start. An hour that the zone repeats counts both times;
 * one that it skips ends when the skip does. An unknown zone is taken for UTC.
 */
export function endOfQuiet({ start, end, zone }: QuietHours, now: Date): Date | undefined {
  const local = localTime(now, zone)
  const minute = local.hour * 60 + local.minute
  const isOver = start < end ? minute < start || minute >= end : minute >= end && minute < start
  if (isOver) return undefined
  const day = minute < end ? local.toPlainDate() : local.toPlainDate().add({ days: 1 })
  const plainTime = Temporal.PlainTime.from({ hour: Math.floor(end / 60), minute: end % 60 })
  const timeZone = local.timeZoneId
  const first = day.toZonedDateTime({ timeZone, plainTime })
  const at = day.toPlainDateTime(plainTime)
  // The first of two may be over.
  const next =
    first.epochMilliseconds > now.getTime() ? first : at.toZonedDateTime(timeZone, { disambiguation: 'later' })
  const isSkipped = Temporal.PlainDateTime.compare(next.toPlainDateTime(), at) !== 0
  const ends = isSkipped ? next.getTimeZoneTransition('previous') : next
  return new Date((ends ?? next).epochMilliseconds)
}

function localTime(moment: Date, zone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(moment.getTime())
  try {
    return instant.toZonedDateTimeISO(zone)
  } catch {
    return instant.toZonedDateTimeISO('UTC')
  }
}
