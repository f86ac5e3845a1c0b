import * as fc from 'fast-check'
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
