import type { Db } from '../../platform/db/connect.ts'
import type { Period } from './period.ts'
import { must } from '../../platform/shared/must.ts'

/** Null or absent: unknown, such as a ratio without a base or users by the hour. */
export type Values = Record<string, number | null>

/** `sumFirst`: the totals of the first `count` slices. */
export type Measured = { slices: Values[]; sumFirst: (count: number) => Promise<Values> | Values }

/** `now` tells which slices have begun; `window`: the days of a month (decision C13). */
export type Measure = (db: Db, period: Period, options: { now: Date; window: number }) => Promise<Measured>

export function firstSlices(period: Period, count: number): Period {
  const slices = period.slices.slice(0, count)
  return { ...period, slices, to: slices.at(-1)?.end ?? period.from }
}

export function listBounds({ from, slices }: Period): Date[] {
  return [slices[0]?.start ?? from, ...slices.map(({ end }) => end)]
}

/** Rounds to four decimals; null when either is unknown, or the whole is zero. */
export function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}

export function sumSlices(slices: Values[], key: string): number {
  return slices.reduce((sum, values) => sum + must(values[key], `count of ${key}`), 0)
}

/** The spread of `value` over the slices that have begun; null when none has. */
export function measureSpread(slices: Values[], period: Period, now: Date) {
  const begun = slices.filter((_, index) => {
    const { start, end } = period.slices[index]!
    return start < now && start < end
  })
  if (begun.length === 0) return { average: null, min: null, max: null }
  const values = begun.map((slice) => must(slice['value'], 'count of a slice'))
  const average = sumSlices(begun, 'value') / begun.length
  return { average: Math.round(average * 10) / 10, min: Math.min(...values), max: Math.max(...values) }
}
