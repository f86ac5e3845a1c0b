import { sumEvents, type EventName } from './buckets.queries.ts'
import { boundsOf, firstSlices, ratio, spreadOf, sumOf, type Measure, type Values } from './measure.ts'

export const measureSwapRequests = measureEvents({ value: 'swaps_requested' })

const COMPLETED = {
  value: 'swaps_completed',
  requested: 'swaps_requested',
  completed_in_30d: 'requests_completed_in_30d',
} as const

export const measureCompletedSwaps = measureEvents(COMPLETED, ({ value, requested, completed_in_30d }) => ({
  period_ratio: ratio(value, requested),
  cohort_rate: ratio(completed_in_30d, requested),
}))

/** `names`: the event behind each key; `ratesOf`: what follows from their counts. */
function measureEvents<Name extends string>(
  names: Record<Name, EventName>,
  ratesOf: (counts: Record<Name, number>) => Values = () => ({}),
): Measure {
  const keys = Object.keys(names) as Name[]
  const measured = (countOf: (key: Name) => number) => {
    const counts = Object.fromEntries(keys.map((key) => [key, countOf(key)])) as Record<Name, number>
    return { ...counts, ...ratesOf(counts) }
  }
  return async (db, period, { now }) => {
    const events = await sumEvents(db, Object.values(names), boundsOf(period))
    const slices: Values[] = events.map((event) => measured((key) => event[names[key]]))
    return {
      slices,
      totalsOf: (count) => {
        const first = slices.slice(0, count)
        return { ...measured((key) => sumOf(first, key)), ...spreadOf(first, firstSlices(period, count), now) }
      },
    }
  }
}
