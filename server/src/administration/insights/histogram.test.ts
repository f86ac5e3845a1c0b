import { array, assert, constantFrom, integer, property, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  activeIn,
  activeWithin,
  dailyAverage,
  GAP_CAP,
  buildHistogram,
  measureLifecycle,
  NEW,
  type Histogram,
} from './histogram.ts'

// Days on which each user was active.
const histories = array(uniqueArray(integer({ min: 0, max: 200 }), { maxLength: 25 }), { maxLength: 20 })
const window = constantFrom(28, 30)

describe('The histogram of gaps', () => {
  test('counts the different users of any 31 days as counting them does', () => {
    assert(
      property(histories, integer({ min: 0, max: 200 }), integer({ min: 1, max: 31 }), (users, firstDay, length) => {
        const days = { firstDay, lastDay: firstDay + length - 1 }
        expect(activeIn(histogramOfUsers(users), days)).toBe(distinct(users, days))
        expect(activeWithin(histogramOfUsers(users), days.lastDay, length)).toBe(distinct(users, days))
      }),
      { numRuns: 500 },
    )
  })

  test('changes the users of a month only by those who are new, come back or drop out', () => {
    assert(
      property(
        histories,
        integer({ min: 1, max: 200 }),
        integer({ min: 1, max: 31 }),
        window,
        (users, firstDay, length, month) => {
          const histogram = histogramOfUsers(users)
          const days = { firstDay, lastDay: firstDay + length - 1 }
          const { added, returning, resurrected, dormant } = measureLifecycle(histogram, days, month)
          const monthly = (day: number) => distinct(users, { firstDay: day - month + 1, lastDay: day })
          expect(monthly(days.lastDay)).toBe(monthly(firstDay - 1) + added + resurrected - dormant)
          expect(added).toBe(users.filter((own) => own.length > 0 && isIn(Math.min(...own), days)).length)
          expect(dormant).toBe(
            users.flatMap((own) => own.filter((day) => leaves(own, day, month) && isIn(day + month, days))).length,
          )
          expect(resurrected).toBe(
            users.flatMap((own) =>
              own.filter((day) => isIn(day, days) && toGap(own, day) > month && toGap(own, day) < Infinity),
            ).length,
          )
          // Within a month nobody returns twice, so these three are all changes.
          if (length <= month) expect(added + returning + resurrected).toBe(distinct(users, days))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('has a mean of users a day, and null for no days', () => {
    expect(dailyAverage(histogramOfUsers([[1, 2], [2]]), { firstDay: 1, lastDay: 2 })).toBe(1.5)
    expect(dailyAverage(histogramOfUsers([[1]]), { firstDay: 2, lastDay: 1 })).toBeNull()
  })
})

function histogramOfUsers(users: number[][]): Histogram {
  const counts = new Map<string, number>()
  for (const own of users)
    for (const day of own) {
      const gap = toGap(own, day)
      const key = `${day} ${gap === Infinity ? NEW : Math.min(gap, GAP_CAP)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  const records = [...counts].map(([key, n]) => {
    const [day, gap] = key.split(' ').map(Number)
    const record = Buffer.alloc(8)
    record.writeInt16BE(day!)
    record.writeInt16BE(gap!, 2)
    record.writeInt32BE(n, 4)
    return record
  })
  return buildHistogram(Buffer.concat(records), { firstDay: 0, lastDay: 250 })
}

function toGap(own: number[], day: number): number {
  return day - Math.max(...own.filter((other) => other < day))
}

function leaves(own: number[], day: number, month: number): boolean {
  return !own.some((other) => other > day && other <= day + month)
}

function isIn(day: number, { firstDay, lastDay }: { firstDay: number; lastDay: number }): boolean {
  return day >= firstDay && day <= lastDay
}

function distinct(users: number[][], days: { firstDay: number; lastDay: number }): number {
  return users.filter((own) => own.some((day) => isIn(day, days))).length
}
