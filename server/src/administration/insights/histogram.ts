import type { Days } from '../../platform/shared/days.ts'

/** By day: `above[gap]` counts users whose gap is longer, `isNew` those never active before, who count as the
 * longest gap. */
export type Histogram = Map<number, { above: number[]; isNew: number }>

/** Gaps from here on are counted together: longer than any range for which `activeIn` is used. */
export const GAP_CAP = 32

/** `counts`: of each of `gaps`, which are below the cap; `rest`: of the cap and above. */
export function dayOfGaps(
  gaps: number[],
  counts: number[],
  rest: number,
  isNew: number,
): { above: number[]; isNew: number } {
  const above = Array<number>(GAP_CAP).fill(0)
  above[GAP_CAP - 1] = rest + isNew
  for (const [index, gap] of gaps.entries()) above[gap - 1] = counts[index] ?? 0
  for (let gap = GAP_CAP - 2; gap >= 0; gap--) above[gap]! += above[gap + 1]!
  return { above, isNew }
}

/** Distinct users of up to 31 days. Each counts on the day whose gap reaches back before the range (ADR 019). */
export function activeIn(histogram: Histogram, days: Days): number {
  return sumOf(histogram, days, ({ above }, after) => above[after] ?? 0)
}

export function activeWithin(histogram: Histogram, lastDay: number, length: number): number {
  return activeIn(histogram, { firstDay: lastDay - length + 1, lastDay })
}

function newIn(histogram: Histogram, days: Days): number {
  return sumOf(histogram, days, ({ isNew }) => isNew)
}

export type Lifecycle = { added: number; returning: number; resurrected: number; dormant: number }

/** Active within `window` days at the end = before + added + resurrected - dormant; `returning` came at most
 * `window` days after their last time. */
export function lifecycleOf(histogram: Histogram, days: Days, window: number): Lifecycle {
  const added = newIn(histogram, days)
  const resurrected = sumOf(histogram, days, ({ above }) => above[window] ?? 0) - added
  const returning = sumOf(histogram, days, ({ above }, after) =>
    Math.max(0, (above[after] ?? 0) - (above[window] ?? 0)),
  )
  const before = activeWithin(histogram, days.firstDay - 1, window)
  const after = activeWithin(histogram, Math.max(days.lastDay, days.firstDay - 1), window)
  return { added, returning, resurrected, dormant: before + added + resurrected - after }
}

export function dailyAverage(histogram: Histogram, days: Days): number | null {
  if (days.lastDay < days.firstDay) return null
  return sumOf(histogram, days, ({ above }) => above[0] ?? 0) / (days.lastDay - days.firstDay + 1)
}

type Count = (day: { above: number[]; isNew: number }, after: number) => number

/** `after`: the days since the first. */
function sumOf(histogram: Histogram, { firstDay, lastDay }: Days, count: Count): number {
  let sum = 0
  for (let day = firstDay; day <= lastDay; day++) {
    const found = histogram.get(day)
    if (found) sum += count(found, day - firstDay)
  }
  return sum
}
