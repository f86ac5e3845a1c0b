import { Temporal } from 'temporal-polyfill'

/** Minutes of the day in their time zone, `end` excluded; over midnight when it ends before it starts. */
export type QuietHours = { start: number; end: number; zone: string }

/** Undefined outside. A repeated hour counts both times, a skipped one ends with the skip; an unknown zone is UTC. */
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
  // If a time occurs twice, the first may be over.
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
