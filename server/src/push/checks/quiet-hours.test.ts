import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'

const MINUTE_MS = 60_000
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Africa/Casablanca',
]

describe('Quiet hours', () => {
  test('end at the first minute whose local time is outside them, in any zone and at any change of the clocks', () => {
    const minuteOfDay = fc.integer({ min: 0, max: 1_439 })
    const hours = fc
      .record({ start: minuteOfDay, end: minuteOfDay, zone: fc.constantFrom(...ZONES) })
      .filter(({ start, end }) => start !== end)
    // Half of the moments are in the nights in which many zones change their clocks.
    const moment = fc.oneof(
      fc.integer({ min: Date.UTC(2025, 0, 1) / MINUTE_MS, max: Date.UTC(2027, 11, 31) / MINUTE_MS }),
      fc
        .tuple(
          fc.constantFrom(
            Date.UTC(2026, 2, 29),
            Date.UTC(2026, 9, 25),
            Date.UTC(2026, 2, 8),
            Date.UTC(2026, 10, 1),
            Date.UTC(2026, 3, 4),
            Date.UTC(2026, 9, 3),
          ),
          fc.integer({ min: -600, max: 1_200 }),
        )
        .map(([day, minutes]) => day / MINUTE_MS + minutes),
    )
    fc.assert(
      fc.property(hours, moment, (quiet, minute) => {
        const now = new Date(minute * MINUTE_MS)
        expect(endOfQuiet(quiet, now)).toEqual(endBySearch(quiet, now))
      }),
      { numRuns: 300 },
    )
  })

  test.for<[string, QuietHours, string, string | undefined]>([
    ['over midnight', { start: 22 * 60, end: 7 * 60, zone: 'Europe/Berlin' }, '2026-01-10T22:30Z', '2026-01-11T06:00Z'],
    ['before they start', { start: 22 * 60, end: 7 * 60, zone: 'Europe/Berlin' }, '2026-01-10T20:59Z', undefined],
    [
      'in the night that loses an hour',
      { start: 0, end: 150, zone: 'Europe/Berlin' },
      '2026-03-29T00:30Z',
      '2026-03-29T01:00Z',
    ],
    [
      'in an hour that is repeated',
      { start: 60, end: 165, zone: 'Europe/Berlin' },
      '2026-10-25T01:10Z',
      '2026-10-25T01:45Z',
    ],
    [
      'in a zone that nobody knows',
      { start: 0, end: 60, zone: 'Mars/Olympus' },
      '2026-01-10T00:30Z',
      '2026-01-10T01:00Z',
    ],
  ])('%s', ([, quiet, now, end]) => {
    expect(endOfQuiet(quiet, new Date(now))).toEqual(end === undefined ? undefined : new Date(end))
  })
})

describe('Quiet hours around a change of the clocks', () => {
  test('end at the first minute outside them and after now, at every change in every zone for three years', () => {
    const changes = changesOfClocks(Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1))
    expect(changes.length).toBeGreaterThan(100)
    for (const change of changes) for (const quiet of aroundChange(change)) expectEndAfterNow(change, quiet)
  })
})

/** The clocks of `zone` go from one offset to another at a moment; offsets and moments in minutes. */
type Change = { zone: string; at: number; before: number; after: number }

/** One zone for all that change at the same moment in the same way. */
function changesOfClocks(from: number, to: number): Change[] {
  const found = new Map<string, Change>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
    for (;;) {
      const next = moment.getTimeZoneTransition('next')
      if (next === null || next.epochMilliseconds >= to) break
      const before = next.subtract({ nanoseconds: 1 }).offsetNanoseconds / 60e9
      const change = { zone, at: next.epochMilliseconds / MINUTE_MS, before, after: next.offsetNanoseconds / 60e9 }
      found.set([change.at, change.before, change.after].join(), change)
      moment = next
    }
  }
  return [...found.values()]
}

/** Each edge of the hour that is skipped or repeated, and its neighbours, as the end of two hours and of a night. */
function aroundChange({ zone, at, before, after }: Change): QuietHours[] {
  const ends = [at + before, at + after].flatMap((edge) => [edge - 1, edge, edge + 1, edge + 30])
  return [...new Set(ends.map(inDay))].flatMap((end) =>
    [120, 600].map((length) => ({ start: inDay(end - length), end, zone })),
  )
}

function expectEndAfterNow({ at, before, after }: Change, { start, end, zone }: QuietHours) {
  const isQuiet = (moment: number) => {
    const time = inDay(moment + (moment < at ? before : after))
    return start < end ? time >= start && time < end : time >= start || time < end
  }
  for (const now of [at - 90, at - 30, at - 1, at, at + 1, at + 30]) {
    let wanted = now
    while (isQuiet(wanted)) wanted++
    const given = endOfQuiet({ start, end, zone }, new Date(now * MINUTE_MS))?.getTime()
    const context = { zone, hours: [start, end], now }
    expect({ ...context, end: given }).toEqual({ ...context, end: wanted === now ? undefined : wanted * MINUTE_MS })
  }
}

function inDay(minute: number): number {
  return ((minute % 1_440) + 1_440) % 1_440
}

/** Walks minute by minute, by another implementation of time zones. */
function endBySearch({ start, end, zone }: QuietHours, now: Date): Date | undefined {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  for (let at = now.getTime(); ; at += MINUTE_MS) {
    const [hour = 0, minute = 0] = format.format(at).split(':').map(Number)
    const time = hour * 60 + minute
    const isQuiet = start < end ? time >= start && time < end : time >= start || time < end
    if (!isQuiet) return at === now.getTime() ? undefined : new Date(at)
  }
}
