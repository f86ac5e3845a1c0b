// Slow: many costly requests, or long data.
import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startOfDay, type Interval } from '../../platform/shared/zones.ts'
import { toDate, toDay } from '../../platform/shared/days.ts'
import { periodBefore, toPeriod, wholeUtcDays } from './period.ts'

const NOW = new Date('2026-11-21T12:07:00Z')
const zone = constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Havana',
)
const interval = constantFrom<Interval>('hour', 'day', 'week', 'month')

describe('A period', () => {
  test('is the last 30 days of its zone, the running one included, unless something is said', () => {
    const { from, to, slices } = toPeriod({ from: undefined, to: undefined, timezone: 'Asia/Tokyo' }, 'day', NOW)
    expect([from, to]).toEqual([startOfDay('2026-10-23', 'Asia/Tokyo'), startOfDay('2026-11-22', 'Asia/Tokyo')])
    expect(slices).toHaveLength(30)
    const open = toPeriod({ from: undefined, to: startOfDay('2024-03-11', 'UTC'), timezone: 'UTC' }, 'day', NOW)
    expect(open.slices[0]?.date).toBe('2024-02-10')
  })

  test('between two quarters of an hour is widened to them', () => {
    const range = { from: new Date('2026-11-01T10:07:00Z'), to: new Date('2026-11-01T12:31:00Z'), timezone: 'UTC' }
    const { from, to } = toPeriod(range, 'hour', NOW)
    expect([from, to]).toEqual([new Date('2026-11-01T10:00:00Z'), new Date('2026-11-01T12:45:00Z')])
    expect(wholeUtcDays(range)).toMatchObject({ from: new Date('2026-11-01'), to: new Date('2026-11-02') })
    expect(wholeUtcDays({ ...range, to: new Date('2026-11-02') }).to).toEqual(new Date('2026-11-02'))
  })

  test('leaves out of a running week the days that are still to come', () => {
    const { slices } = toPeriod(
      { from: startOfDay('2026-11-16', 'UTC'), to: startOfDay('2026-11-30', 'UTC'), timezone: 'UTC' },
      'week',
      NOW,
    )
    expect(slices.map(({ lastDay }) => toDate(lastDay))).toEqual(['2026-11-21', '2026-11-29'])
  })

  test('is compared with as many slices, which part the time of the same length before it', () => {
    assert(
      property(
        zone,
        interval,
        integer({ min: 0, max: 700 }),
        integer({ min: 1, max: 31 }),
        (timezone, by, daysAgo, length) => {
          const last = toDay('2026-11-21') - daysAgo
          const range = {
            from: startOfDay(toDate(last - length + 1), timezone),
            to: startOfDay(toDate(last), timezone, 1),
            timezone,
          }
          const period = toPeriod(range, by, NOW)
          const before = periodBefore(period, 'previous_period', NOW)
          expect(before.to).toEqual(period.from)
          for (const { slices, from, to } of [before, periodBefore(period, 'previous_year', NOW)]) {
            expect(slices).toHaveLength(period.slices.length)
            expect([slices[0]?.start, slices.at(-1)?.end]).toEqual([from, to])
            for (const [index, { start, end }] of slices.entries()) {
              expect(start.getTime()).toBeLessThanOrEqual(end.getTime())
              if (index > 0) expect(start).toEqual(slices[index - 1]?.end)
            }
          }
          if (by === 'hour') expect(toLength(before)).toBe(toLength(period))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('of whole months is compared with whole months', () => {
    const zoneName = 'Europe/Berlin'
    const range = {
      from: startOfDay('2026-03-01', zoneName),
      to: startOfDay('2026-06-01', zoneName),
      timezone: zoneName,
    }
    const before = periodBefore(toPeriod(range, 'month', NOW), 'previous_period', NOW)
    expect(before.slices.map(({ date }) => date)).toEqual(['2025-12-01', '2026-01-01', '2026-02-01'])
  })

  test('with a 29th of February has an empty day beside it in the year before', () => {
    const range = { from: startOfDay('2024-02-28', 'UTC'), to: startOfDay('2024-03-02', 'UTC'), timezone: 'UTC' }
    const { slices } = periodBefore(toPeriod(range, 'day', NOW), 'previous_year', NOW)
    expect(slices.map(({ start, end }) => (end.getTime() - start.getTime()) / 86_400_000)).toEqual([0, 1, 1])
  })
})

function toLength({ from, to }: { from: Date; to: Date }): number {
  return to.getTime() - from.getTime()
}
