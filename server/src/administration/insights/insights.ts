import type { PushDeps } from '../../push/deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Range } from '../../platform/lists/listing.ts'
import type { PageBounds } from '../../platform/lists/pagination.ts'
import { findState } from './buckets.queries.ts'
import { INSIGHTS, isOfUtcDays, type Insight, type InsightName, type Key } from './catalogue.ts'
import { dayEnd, dayAt } from '../../platform/shared/days.ts'
import { firstSlices, type Measured, type Values } from './measure.ts'
import { periodBefore, toPeriod, wholeUtcDays, type Compare, type Period, type Slice } from './period.ts'
import type { Counted } from '../../platform/db/count.ts'
import { countBehind, listBehind, type Behind, type RowBehind } from './rows.queries.ts'

/** `window`: the days of a month (28 or 30). */
export type Question = { range: Range; interval: Period['interval']; compare: Compare; window: number }

/** One row a slice, zeros filled in (decision C12). Only finished slices are compared. Distinct users are counted
 * for every range, never summed (ADR 20). 422 on a range that is not allowed. */
export async function answerInsight(
  { db, clock }: Pick<PushDeps, 'db' | 'clock'>,
  name: InsightName,
  question: Question,
) {
  const insight: Insight = INSIGHTS[name]
  const { interval, compare, window } = question
  const now = fromNow(clock)
  const period = toPeriod(isOfUtcDays(insight) ? wholeUtcDays(question.range) : question.range, interval, now)
  const before = compare === 'none' ? undefined : periodBefore(period, compare, now)
  const unknown = Object.fromEntries(insight.keys.map(({ key }) => [key, null]))
  const measure = async (of: Period): Promise<Measured> => {
    const { slices, sumFirst } = await insight.measure(db, of, { now, window })
    return {
      slices: slices.map((values) => ({ ...unknown, ...values })),
      sumFirst: async (count) => ({ ...unknown, ...(await sumFirst(count)) }),
    }
  }
  const [{ complete_until: completeUntil }, current, previous] = await Promise.all([
    findState(db),
    measure(period),
    before && measure(before),
  ])
  const isCounted = (slice: Slice) => completeUntil !== null && endOfSlice(insight, slice) <= completeUntil
  const compared = before && previous && { period, before, current, previous }
  const [totals, comparison] = await Promise.all([
    current.sumFirst(period.slices.length),
    compared && buildComparison(insight, compared, period.slices.findLastIndex(isCounted) + 1),
  ])
  return {
    name,
    insight,
    window,
    period,
    totals,
    comparison: comparison && compare !== 'none' ? { mode: compare, ...comparison } : null,
    slices: period.slices.map((slice, index) => ({
      slice,
      isPartial: !slice.isWhole || !isCounted(slice),
      values: current.slices[index],
      previous: before && previous && { slice: before.slices[index]!, values: previous.slices[index]! },
    })),
    now,
    completeUntil,
  }
}

export type Answer = Awaited<ReturnType<typeof answerInsight>>

type Compared = { period: Period; before: Period; current: Measured; previous: Measured }

/** `counted`: how many slices are fully counted. An unfinished one is not compared with a whole one, unless there is
 * no other. */
async function buildComparison(insight: Insight, { period, before, current, previous }: Compared, counted: number) {
  const count = counted === 0 ? period.slices.length : counted
  const [now, then] = await Promise.all([current.sumFirst(count), previous.sumFirst(count)])
  return {
    isPartial: counted === 0,
    previous: { period: firstSlices(before, count), totals: then },
    current: { period: firstSlices(period, count), totals: now },
    ...toChanges(insight, now, then),
  }
}

/** 422 when the insight has no such key, or none with rows behind it. */
function findKey(name: InsightName, key: string): Required<Key> {
  const keys: readonly Key[] = INSIGHTS[name].keys
  const found = keys.find((candidate) => candidate.key === key)
  const named = keys.filter(({ rows }) => rows).map((candidate) => candidate.key)
  if (found?.rows === undefined) throw errors.validation({ key: [`must be one of: ${named.join(', ')}`] })
  return { ...found, rows: found.rows }
}

function endOfSlice({ keys }: Insight, { end, lastDay }: Slice): Date {
  const endOfDay = dayEnd(lastDay)
  return keys.some(({ cut }) => cut === 'utc_days') && endOfDay > end ? endOfDay : end
}

function toChanges({ keys }: Insight, current: Values, previous: Values) {
  const changes = Object.fromEntries(
    keys.map(({ key }) => [key, toChange(current[key] ?? null, previous[key] ?? null)]),
  )
  return { ...changes[keys[0]!.key]!, changes }
}

function toChange(current: number | null, previous: number | null) {
  if (current === null || previous === null) return { change: null, change_percent: null }
  const change = Math.round((current - previous) * 10_000) / 10_000
  return { change, change_percent: previous === 0 ? null : Math.round((change / previous) * 1_000) / 10 }
}

export type Point = { name: InsightName; key: string; range: Range; window: number }

type Entity = (typeof ENTITIES)[keyof typeof ENTITIES]

/** Gives as many rows as the point counts (ADR 20), without those of people who were purged since. They hold ids and
 * times alone. */
export async function rowsBehind(
  deps: Pick<PushDeps, 'db' | 'pool'>,
  point: Point,
  page: PageBounds,
): Promise<{ entity: Entity; rows: RowBehind[]; total: Counted }> {
  const { behind, entity } = findBehind(point)
  const [rows, total] = await Promise.all([listBehind(deps.db, behind, page), countBehind(deps, behind)])
  return { entity, rows, total }
}

const ENTITIES = {
  accounts: 'user',
  users: 'user',
  swaps: 'swap',
  products: 'product',
  messages: 'message',
} as const

function findBehind({ name, key, range, window }: Point): { behind: Behind; entity: Entity } {
  const { rows, unit } = findKey(name, key)
  const entity = unit === 'pushes' || unit === 'ratio' ? 'user' : ENTITIES[unit]
  const { from, to } = range
  if (from === undefined) throw errors.validation({ start_date: ['is required'] })
  if (to === undefined) throw errors.validation({ end_date: ['is required'] })
  if ('events' in rows) return { behind: { of: rows.events, from, to }, entity }
  if ('accounts' in rows) return { behind: { of: 'accounts', state: rows.accounts, at: to }, entity }
  const lastDay = dayAt(new Date(to.getTime() - 1))
  const length = rows.last === 'window' ? window : rows.last
  const firstDay = length === undefined ? dayAt(from) : lastDay - length + 1
  return { behind: { of: rows.users, firstDay, lastDay, window }, entity }
}
