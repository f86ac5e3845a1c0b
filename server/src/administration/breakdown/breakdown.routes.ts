import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { RangeQuery, readRange } from '../../platform/lists/listing.ts'
import { sharedAnswers } from '../../platform/lists/shared-answers.ts'
import { findBreakdown, type Breakdown, type Question } from './breakdown.ts'
import { MEASURES, type Share } from './breakdown.queries.ts'

const By = Type.Enum(['city', 'category'])
const Figures = {
  value: Type.Integer(),
  percent: Nullable(Type.Number({ description: 'The share of all in percent; null where there is nothing.' })),
  previous: Type.Integer({ description: 'In the range of the same length before.' }),
  change_percent: Nullable(Type.Number({ description: 'Null where there was nothing before.' })),
}
const Times = Type.Object({ start: Timestamp, end: Timestamp })
const View = Type.Object({
  measure: Type.Enum(MEASURES),
  by: By,
  range: Times,
  previous_range: Times,
  total: Type.Object(Figures),
  rows: Type.Array(
    Type.Object({ name: Nullable(Type.String({ description: 'Null: those without one.' })), ...Figures }),
    { description: 'The 20 largest, upper and lower case of a name together.' },
  ),
  others: Nullable(
    Type.Object(
      { names: Type.Integer({ description: 'How many names stand behind it.' }), ...Figures },
      { description: 'All beyond the rows; null if there are none.' },
    ),
  ),
})

export function registerBreakdownRoutes(app: App, deps: PushDeps): void {
  const answer = sharedAnswers(async (question: Question) =>
    ok(toView(await findBreakdown(deps, question)), 'Breakdown'),
  )

  registerRoute(app, 'GET /api/admin/v1/insight-breakdown', {
    access: 'insights',
    operationId: 'getInsightBreakdown',
    summary: 'Swaps, products or accounts of a time by city or category, beside the time before',
    description:
      'A swap counts for the first of the products that are asked for, in the city and category that this product has now. At most 92 days.',
    querystring: Type.Object({ ...RangeQuery, measure: Type.Enum(MEASURES), by: By }),
    response: answers(200, Success(View)),
    handler: ({ query }, reply) => answer(reply, { measure: query.measure, by: query.by, range: readRange(query) }),
  })
}

type Sum = Pick<Share, 'value' | 'previous'>

function toView({ measure, by, period, before, shares }: Breakdown) {
  const total = shares.reduce<Sum>(
    (sum, { value, previous }) => ({ value: sum.value + value, previous: sum.previous + previous }),
    { value: 0, previous: 0 },
  )
  const others = shares.find(({ place }) => place === null)
  return {
    measure,
    by,
    range: { start: period.from.toISOString(), end: period.to.toISOString() },
    previous_range: { start: before.from.toISOString(), end: before.to.toISOString() },
    total: toFigures(total, total),
    rows: shares.filter(({ place }) => place !== null).map((row) => ({ name: row.name, ...toFigures(row, total) })),
    others: others === undefined ? null : { names: others.names, ...toFigures(others, total) },
  }
}

function toFigures({ value, previous }: Sum, total: Sum) {
  return {
    value,
    percent: toPercent(value, total.value),
    previous,
    change_percent: toPercent(value - previous, previous),
  }
}

function toPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((1_000 * part) / whole) / 10
}
