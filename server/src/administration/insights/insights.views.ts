import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { dateIn } from '../../platform/shared/zones.ts'
import { toDate } from '../../platform/shared/days.ts'
import { toMetric, type InsightName, type Key } from './catalogue.ts'
import type { Answer } from './insights.ts'
import type { Values } from './measure.ts'
import type { Period, Slice } from './period.ts'
import type { RowBehind } from './rows.queries.ts'

export function toAnswer({ name, insight, window, ...answer }: Answer) {
  const { period, totals, comparison, slices, now, completeUntil } = answer
  const previousNames = insight.keys.map(({ key }) => [key, `previous_${key}`] as const)
  return {
    metric: toMetric(name),
    unit: insight.unit,
    definition: insight.definition(window),
    range: toRange(period),
    totals,
    comparison: comparison && toComparison(comparison),
    series: slices.map(({ slice, isPartial, values, previous }) => ({
      ...toSlice(slice),
      partial: isPartial,
      ...values,
      ...(previous && toPrevious(previous.slice, previous.values, previousNames)),
    })),
    keys: insight.keys.map(({ key, label, unit, cut, rows }) => ({
      key,
      label,
      unit,
      cut,
      drilldown: rows ? toTemplate(name, { key, rows }, window) : null,
    })),
    drilldown: toTemplate(name, insight.keys[0]!, window),
    generated_at: now,
    complete_until: completeUntil,
    source: SOURCES.flatMap(([cut, source]) => (insight.keys.some((key) => key.cut === cut) ? [source] : [])),
  }
}

const SOURCES = [
  ['zone', 'quarter_hours'],
  ['utc_days', 'activity_days'],
] as const

function toComparison({ isPartial, previous, current, ...others }: NonNullable<Answer['comparison']>) {
  return {
    ...others,
    partial: isPartial,
    range: toRange(previous.period),
    totals: previous.totals,
    current: { range: toRange(current.period), totals: current.totals },
  }
}

function toRange({ from: start, to: end, zone: timezone, interval }: Period) {
  const dates = { start_date: dateIn(start, timezone), end_date: dateIn(new Date(end.getTime() - 1), timezone) }
  return { ...dates, start, end, timezone, interval }
}

function toSlice({ date, start, end, firstDay, lastDay }: Slice) {
  return { date, start, end, first_day: toDate(firstDay), last_day: toDate(Math.max(firstDay, lastDay)) }
}

/** `names`: of each value, and of its field. */
function toPrevious({ date, start, end }: Slice, values: Values, names: (readonly [string, string])[]) {
  const named: Record<string, string | number | null> = {
    previous_date: date,
    previous_start: start.toISOString(),
    previous_end: end.toISOString(),
  }
  for (const [key, name] of names) named[name] = values[key] ?? null
  return named
}

/** The names of the row's fields are to be filled in. */
function toTemplate(name: InsightName, { key, rows }: Pick<Key, 'key' | 'rows'>, window: number): string {
  const byDay = rows !== undefined && 'users' in rows
  const times = byDay ? 'start_date={first_day}&end_date={last_day}' : 'start_date={start}&end_date={end}'
  const month = byDay && window !== 28 ? `&mau_days=${window}` : ''
  return `/api/admin/v1/insight/${name}/rows?key=${key}&${times}${month}`
}

export const Row = Component('InsightRow', {
  entity: Type.Enum(['user', 'swap', 'product', 'message']),
  id: Type.Integer(),
  at: Nullable(Timestamp),
  day: Nullable(Type.String({ format: 'date', description: 'A UTC day.' })),
})

export function toRow(entity: Static<typeof Row>['entity'], { id, at, day }: RowBehind): Static<typeof Row> {
  return { entity, id, at, day }
}
