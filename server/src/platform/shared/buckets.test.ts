// Slow: many costly requests, or long data.
import { assert, constantFrom, date, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listBuckets, earlier, isStartOfDay, startOfDay, type Interval } from './zones.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
] as const
const zone = constantFrom(...ZONES)
const interval = constantFrom<Interval>('hour', 'day', 'week', 'month')
const moment = date({ min: new Date('2005-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
const HOUR_MS = 3_600_000

describe('Buckets', () => {
  test('divide a range in any zone: none is empty, none overlaps, nothing is missing', () => {
    assert(
      property(moment, integer({ min: 1, max: 40 * 96 }), zone, interval, (from, quarters, name, by) => {
        const to = new Date(from.getTime() + quarters * 900_000)
        const buckets = listBuckets(from, to, name, by)
        expect(buckets[0]?.start).toEqual(from)
        expect(buckets.at(-1)?.end).toEqual(to)
        for (const [index, { start, end }] of buckets.entries()) {
          expect(start.getTime()).toBeLessThan(end.getTime())
          if (index > 0) expect(start).toEqual(buckets[index - 1]?.end)
        }
        expect(new Set(buckets.map((bucket) => bucket.date)).size).toBe(buckets.length)
        // Between the first and the last every bucket is whole, and begins a day unless it is an hour.
        for (const { start, isWhole } of buckets.slice(1, -1)) {
          expect(isWhole).toBe(true)
          if (by !== 'hour') expect(isStartOfDay(start, name)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test.for([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2026-10-25', 'Asia/Kathmandu', 24],
  ] as const)('of %s in %s are %i hours', ([day, name, hours]) => {
    const [from, to] = [startOfDay(day, name), startOfDay(day, name, 1)]
    const buckets = listBuckets(from, to, name, 'hour')
    expect(buckets).toHaveLength(hours)
    for (const { start, end } of buckets) expect(end.getTime() - start.getTime()).toBe(HOUR_MS)
    expect(listBuckets(from, to, name, 'day')).toEqual([{ start: from, end: to, date: day, isWhole: true }])
  })

  test('distinguish the two equal hours of a day', () => {
    const [from, to] = [new Date('2026-10-25T00:00:00Z'), new Date('2026-10-25T02:00:00Z')]
    expect(listBuckets(from, to, 'Europe/Berlin', 'hour').map((bucket) => bucket.date)).toEqual([
      '2026-10-25T02:00+02:00',
      '2026-10-25T02:00+01:00',
    ])
  })

  test('begin weeks on Monday, and leave out a day that the zone skipped', () => {
    const weeks = listBuckets(startOfDay('2026-10-22', 'UTC'), startOfDay('2026-11-05', 'UTC'), 'UTC', 'week')
    expect(weeks.map(({ date: monday, isWhole }) => [monday, isWhole])).toEqual([
      ['2026-10-19', false],
      ['2026-10-26', true],
      ['2026-11-02', false],
    ])
    const days = listBuckets(
      startOfDay('2011-12-29', 'Pacific/Apia'),
      startOfDay('2012-01-01', 'Pacific/Apia'),
      'Pacific/Apia',
      'day',
    )
    expect(days.map((bucket) => bucket.date)).toEqual(['2011-12-29', '2011-12-31'])
  })
})

describe('Earlier', () => {
  test('is the beginning of a day for the beginning of a day, in any zone', () => {
    assert(
      property(moment, zone, integer({ min: 1, max: 400 }), (at, name, days) => {
        const start = startOfDay(at.toISOString().slice(0, 10), name)
        expect(isStartOfDay(earlier(start, name, { days }), name)).toBe(true)
        expect(earlier(start, name, { days }).getTime()).toBeLessThan(start.getTime())
      }),
    )
  })

  test('by a year is the same date, and the 28th for a 29th of February', () => {
    expect(yearBefore('2026-07-01')).toEqual(startOfDay('2025-07-01', 'Europe/Berlin'))
    expect(yearBefore('2024-02-29')).toEqual(startOfDay('2023-02-28', 'Europe/Berlin'))
  })
})

function yearBefore(day: string): Date {
  return earlier(startOfDay(day, 'Europe/Berlin'), 'Europe/Berlin', { years: 1 })
}
