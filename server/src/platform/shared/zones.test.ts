import { array, assert, constantFrom, date, integer, property } from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { listBuckets, dateIn, datesIn, earlier, earlierIn, isDate, isZone, startOfDay } from './zones.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Sao_Paulo']
const zone = constantFrom(...ZONES)
const moment = date({ min: new Date('1995-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })

describe('A time zone', () => {
  test.for(['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('is %s', (name) => {
    expect(isZone(name)).toBe(true)
  })

  test.for(['', '+05:30', 'Mars/Olympus', 'Europe/Berlin; drop table users', '../UTC', 'UTC\u0000'])(
    'is not %j',
    (name) => {
      expect(isZone(name)).toBe(false)
    },
  )

  test('is every name of the time zone database, and the usual aliases', () => {
    const aliases = [
      'Etc/GMT-14',
      'GMT0',
      'GMT+0',
      'Etc/GMT0',
      'EST5EDT',
      'W-SU',
      'NZ-CHAT',
      'US/Pacific',
      'Asia/Calcutta',
    ]
    const names = [...Intl.supportedValuesOf('timeZone'), ...aliases, 'America/Port-au-Prince', 'PST8PDT', 'Zulu']
    expect(names.length).toBeGreaterThan(400)
    expect(names.filter((name) => !isZone(name))).toEqual([])
  })

  test.for([24, 63])('is refused when it has %d letters and a wrong end', (length) => {
    const names = ['a', 'a-', 'a/', 'A0'].map((unit) => `${unit.repeat(length).slice(0, length)}!`)
    expect(names.filter(isZone)).toEqual([])
  })
})

describe('A date', () => {
  test('exists in the calendar', () => {
    expect(['2026-02-28', '2024-02-29', '0001-01-01'].map(isDate)).toEqual([true, true, true])
    expect(['2026-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00', ''].map(isDate)).toEqual(Array(5).fill(false))
  })

  test('begins where its zone says, on days of 23 and 25 hours too', () => {
    expect(startOfDay('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-03-29', 'Europe/Berlin', 1).toISOString()).toBe('2026-03-29T22:00:00.000Z')
    // Midnight did not exist in São Paulo on this day.
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString()).toBe('2018-11-04T03:00:00.000Z')
  })

  test('of a moment is the one day that holds it', () => {
    assert(
      property(moment, zone, (at, name) => {
        const day = dateIn(at, name)
        expect(startOfDay(day, name).getTime()).toBeLessThanOrEqual(at.getTime())
        expect(startOfDay(day, name, 1).getTime()).toBeGreaterThan(at.getTime())
      }),
    )
  })
})

describe('A moment as text', () => {
  const anyZone = constantFrom(...ZONES, 'Africa/Monrovia', 'Australia/Lord_Howe', 'America/St_Johns')
  const anyMoment = date({ min: new Date('-000010-01-01'), max: new Date('+010010-01-01'), noInvalidDate: true })

  test('is as Temporal writes it, dates and hours, in any year', () => {
    assert(
      property(anyMoment, anyZone, (at, name) => {
        expect(dateIn(at, name)).toBe(reference(at, name).toPlainDate().toString())
        const hours = listBuckets(at, new Date(at.getTime() + 3 * 3_600_000), name, 'hour')
        const begins = hours.slice(1).map(({ start }) => start)
        expect(hours.slice(1).map((hour) => hour.date)).toEqual(
          begins.map((start) => reference(start, name).toString({ smallestUnit: 'minute', timeZoneName: 'never' })),
        )
      }),
    )
  })

  test('a year earlier is the same time of day, and the beginning of a day for a beginning', () => {
    assert(
      property(moment, zone, (at, name) => {
        const begins = startOfDay(dateIn(at, name), name)
        const day = reference(at, name).toPlainDate().subtract({ years: 1 })
        expect(earlier(begins, name, { years: 1 })).toEqual(startOfDay(day.toString(), name))
        const before = reference(at, name).subtract({ years: 1 }).epochMilliseconds
        if (at.getTime() !== begins.getTime()) expect(earlier(at, name, { years: 1 }).getTime()).toBe(before)
      }),
    )
  })

  test('is the same for many in a row as for each alone', () => {
    const by = constantFrom({ days: 7 }, { months: 3 }, { years: 1 })
    const steps = array(integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 })
    assert(
      property(moment, anyZone, by, steps, (first, name, back, quarters) => {
        const times = quarters.reduce((all, step) => [...all, all.at(-1)! + step * 900_000], [first.getTime()])
        const moments = times.map((time) => new Date(time))
        expect(moments.map(earlierIn(name, back))).toEqual(moments.map((at) => earlier(at, name, back)))
        expect(moments.map(datesIn(name))).toEqual(moments.map((at) => dateIn(at, name)))
      }),
      { numRuns: 300 },
    )
  })
})

function reference(at: Date, zoneName: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zoneName)
}
