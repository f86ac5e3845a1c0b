import type { Db } from '../../platform/db/connect.ts'
import type { Days } from '../../platform/shared/days.ts'
import { listGaps, countActive } from './histogram.queries.ts'
import { activeIn, GAP_CAP, histogramOf, type Histogram } from './histogram.ts'
import { firstSlices, spreadOf, type Measure } from './measure.ts'
import type { Period } from './period.ts'

/** Different users of each slice, and of the whole range: never a sum of days. */
export const measureDailyUsers: Measure = async (db, period, { now }) => {
  const histogram = await readHistogram(db, period, 0)
  const slices = period.slices.map((slice) => ({ value: activeIn(histogram, slice) }))
  return {
    slices,
    totalsOf: async (count) => {
      const first = firstSlices(period, count)
      const value = await countActive(db, daysOf(first))
      return { value, ...spreadOf(slices.slice(0, count), first, now) }
    },
  }
}

/** It covers the period's days and `before` days before them. */
export async function readHistogram(db: Db, period: Period, before: number): Promise<Histogram> {
  const { firstDay, lastDay } = daysOf(period)
  const days = { firstDay: firstDay - before, lastDay }
  return histogramOf(await listGaps(db, days, GAP_CAP), days)
}

export function daysOf({ slices }: Period): Days {
  return { firstDay: slices[0]?.firstDay ?? 0, lastDay: slices.at(-1)?.lastDay ?? -1 }
}
