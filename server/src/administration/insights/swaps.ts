import { sumEvents } from './buckets.queries.ts'
import { boundsOf, firstSlices, ratio, spreadOf, sumOf, type Measure, type Values } from './measure.ts'

export const measureSwapRequests: Measure = async (db, period, { now }) => {
  const events = await sumEvents(db, ['swaps_requested'], boundsOf(period))
  const slices = events.map((event) => ({ value: event.swaps_requested }))
  return {
    slices,
    totalsOf: (count) => {
      const first = slices.slice(0, count)
      return { value: sumOf(first, 'value'), ...spreadOf(first, firstSlices(period, count), now, 'value') }
    },
  }
}

export const measureCompletedSwaps: Measure = async (db, period, { now }) => {
  const names = ['swaps_completed', 'swaps_requested', 'requests_completed_in_30d'] as const
  const events = await sumEvents(db, names, boundsOf(period))
  const slices = events.map((event) =>
    withRates({
      value: event.swaps_completed,
      requested: event.swaps_requested,
      completed_in_30d: event.requests_completed_in_30d,
    }),
  )
  return {
    slices,
    totalsOf: (count) => {
      const first = slices.slice(0, count)
      const totals = withRates({
        value: sumOf(first, 'value'),
        requested: sumOf(first, 'requested'),
        completed_in_30d: sumOf(first, 'completed_in_30d'),
      })
      return { ...totals, ...spreadOf(first, firstSlices(period, count), now, 'value') }
    },
  }
}

function withRates(counts: { value: number; requested: number; completed_in_30d: number }): Values {
  return {
    ...counts,
    period_ratio: ratio(counts.value, counts.requested),
    cohort_rate: ratio(counts.completed_in_30d, counts.requested),
  }
}
