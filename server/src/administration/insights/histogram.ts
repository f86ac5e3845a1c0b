import type { Days } from '../../platform/shared/days.ts'

/** Each day from `firstDay` on has GAP_CAP places of `above`, which count users whose gap is longer than 0, 1, 2, …
 * days. It has one place of `isNew`, for those never active before, who count as the longest gap. */
export type Histogram = { firstDay: number; above: Float64Array; isNew: Float64Array }

/** Gaps from here on are counted together: they are longer than any range for which `activeIn` is used. */
export const GAP_CAP = 32

/** Stands for the gap of those never active before. */
export const NEW = 9_999

// PostgreSQL sends the day since the first, the gap (GAP_CAP: that and more, but for NEW) and the users.
const RECORD_BYTES = 2 + 2 + 4

/** Fills one typed array: ten years of arrays of numbers cost 16 ms of garbage collection. */
export function buildHistogram(records: Buffer, { firstDay, lastDay }: Days): Histogram {
  const length = Math.max(0, lastDay - firstDay + 1)
  const above = new Float64Array(length * GAP_CAP)
  const isNew = new Float64Array(length)
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    const [place, gap, users] = [records.readInt16BE(at), records.readInt16BE(at + 2), records.readInt32BE(at + 4)]
    above[place * GAP_CAP + Math.min(gap, GAP_CAP) - 1]! += users
    if (gap === NEW) isNew[place] = users
  }
  for (let place = above.length - 2; place >= 0; place--)
    if ((place + 1) % GAP_CAP !== 0) above[place]! += above[place + 1]!
  return { firstDay, above, isNew }
}

/** Distinct users of up to 31 days. Each counts on the day whose gap reaches back before the range (ADR 20). */
export function activeIn(histogram: Histogram, days: Days): number {
  return sumDays(days, (day) => usersAbove(histogram, day, day - days.firstDay))
}

export function activeWithin(histogram: Histogram, lastDay: number, length: number): number {
  return activeIn(histogram, { firstDay: lastDay - length + 1, lastDay })
}

/** Active within `window` days at the end = before + added + resurrected - dormant; `returning` came at most
 * `window` days after their last time. */
export function measureLifecycle(histogram: Histogram, days: Days, window: number) {
  const added = sumDays(days, (day) => histogram.isNew[day - histogram.firstDay] ?? 0)
  const resurrected = sumDays(days, (day) => usersAbove(histogram, day, window)) - added
  const returning = sumDays(days, (day) =>
    Math.max(0, usersAbove(histogram, day, day - days.firstDay) - usersAbove(histogram, day, window)),
  )
  const before = activeWithin(histogram, days.firstDay - 1, window)
  const after = activeWithin(histogram, Math.max(days.lastDay, days.firstDay - 1), window)
  return { added, returning, resurrected, dormant: before + added + resurrected - after }
}

export function dailyAverage(histogram: Histogram, days: Days): number | null {
  if (days.lastDay < days.firstDay) return null
  return sumDays(days, (day) => usersAbove(histogram, day, 0)) / (days.lastDay - days.firstDay + 1)
}

function usersAbove({ above, firstDay }: Histogram, day: number, gap: number): number {
  return gap < GAP_CAP ? (above[(day - firstDay) * GAP_CAP + gap] ?? 0) : 0
}

function sumDays({ firstDay, lastDay }: Days, count: (day: number) => number): number {
  let sum = 0
  for (let day = firstDay; day <= lastDay; day++) sum += count(day)
  return sum
}
