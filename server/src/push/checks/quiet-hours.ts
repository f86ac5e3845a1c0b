import { Temporal } from 'temporal-polyfill'

/** Minutes of the day in their time zone, `end` excluded. They go over midnight when `end` is before `start`. */
export type QuietHours = { start: number; end: number; zone: string }

const MINUTE_MS = 60_000

/**
 * The first moment after `now` at which they are over in local time; undefined if it is not quiet now. An unknown zone
 * is UTC. The end is never in the past: a push that waited for such a moment would be claimed and put off for ever.
 */
export function endOfQuiet(quiet: QuietHours, now: Date): Date | undefined {
  const local = localTime(now, quiet.zone)
  if (!isQuietAt(quiet, local)) return undefined
  const day = toMinute(local) < quiet.end ? local.toPlainDate() : local.toPlainDate().add({ days: 1 })
  const end = day.toPlainDateTime({ hour: Math.floor(quiet.end / 60), minute: quiet.end % 60 })
  // A local time can occur twice, or never: then the change of the clocks itself may end them.
  const readings = (['earlier', 'later'] as const).map((disambiguation) =>
    end.toZonedDateTime(local.timeZoneId, { disambiguation }),
  )
  const isSameOffset = readings.every(({ offsetNanoseconds }) => offsetNanoseconds === local.offsetNanoseconds)
  const change = isSameOffset ? null : local.getTimeZoneTransition('next')
  const ends = [...readings, ...(change === null ? [] : [change])]
    .filter((moment) => moment.epochMilliseconds > now.getTime() && !isQuietAt(quiet, moment))
    .map((moment) => moment.epochMilliseconds)
  return new Date(ends.length > 0 ? Math.min(...ends) : now.getTime() + MINUTE_MS)
}

function isQuietAt({ start, end }: QuietHours, local: Temporal.ZonedDateTime): boolean {
  const minute = toMinute(local)
  return start < end ? minute >= start && minute < end : minute >= start || minute < end
}

function toMinute({ hour, minute }: Temporal.ZonedDateTime): number {
  return hour * 60 + minute
}

function localTime(moment: Date, zone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(moment.getTime())
  try {
    return instant.toZonedDateTimeISO(zone)
  } catch {
    return instant.toZonedDateTimeISO('UTC')
  }
}
