import { Type, type TSchema } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Component, Nullable, ok, Page, Success, Timestamp } from '../../platform/http/envelope.ts'
import { RangeQuery, readRange } from '../../platform/lists/listing.ts'
import { PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { INSIGHTS, isOfUtcDays, toMetric, type Insight, type InsightName, UNITS } from './catalogue.ts'
import { answerInsight, rowsBehind } from './insights.ts'
import { Row, toAnswer, toRow } from './insights.views.ts'

const NAMES = Object.keys(INSIGHTS) as InsightName[]
const MONTH_DAYS = 28
const MonthDays = Type.Optional(
  Type.Integer({
    enum: [28, 30],
    description: 'The number of days that count as a month of users: 28 (default) or 30.',
  }),
)
const Value = Nullable(Type.Number())

export function registerInsightsRoutes(app: App, deps: PushDeps): void {
  for (const name of NAMES) {
    const insight: Insight = INSIGHTS[name]
    registerRoute(app, `GET /api/admin/v1/insight/${name}`, {
      access: 'insights',
      operationId: insight.operationId,
      summary: insight.summary,
      querystring: Type.Object({
        ...RangeQuery,
        interval: Type.Optional(Type.Enum(insight.intervals)),
        compare: Type.Optional(Type.Enum(['previous_period', 'previous_year', 'none'])),
        mau_days: MonthDays,
      }),
      response: answers(200, Success(answerSchema(toMetric(name), insight))),
      handler: async ({ query }) => {
        const { interval = 'day', compare = 'previous_period', mau_days: window = MONTH_DAYS } = query
        const inZone = readRange(query)
        const range = isOfUtcDays(insight) ? readRange({ ...query, timezone: 'UTC' }) : inZone
        return ok(toAnswer(await answerInsight(deps, name, { range, interval, compare, window })), insight.summary)
      },
    })
  }

  registerRoute(app, 'GET /api/admin/v1/insight/:metric/rows', {
    access: 'insights',
    operationId: 'listInsightRows',
    summary: 'The rows behind a point of an insight: its `drilldown` with the fields of the point filled in',
    params: Type.Object({ metric: Type.Enum(NAMES) }),
    querystring: Type.Object({
      ...PageQuery,
      ...RangeQuery,
      key: Type.String({ minLength: 1, maxLength: 64 }),
      mau_days: MonthDays,
    }),
    response: answers(200, Page(Row)),
    handler: async ({ params, query }) => {
      const page = readPage(query)
      const range = readRange(query)
      const point = { name: params.metric, key: query.key, range, window: query.mau_days ?? MONTH_DAYS }
      const { entity, rows, total } = await rowsBehind(deps, point, page)
      const views = rows.map((row) => toRow(entity, row))
      return paginated(views, total, page, 'Rows behind the point')
    },
  })
}

const RangeView = Component('InsightRange', {
  start_date: Type.String({ format: 'date' }),
  end_date: Type.String({ format: 'date', description: 'Included.' }),
  start: Timestamp,
  end: Timestamp,
  timezone: Type.String(),
  interval: Type.Enum(['hour', 'day', 'week', 'month']),
})

const Change = Component('InsightChange', {
  change: Value,
  change_percent: Type.Unsafe<number | null>({ ...Value, description: 'Null where there was nothing before.' }),
})

function answerSchema(metric: string, { keys, spread }: Insight) {
  const names = keys.map(({ key }) => key)
  const totals = toValuesSchema([...names, ...(spread ? ['average', 'min', 'max'] : [])])
  const previous = ['date', 'start', 'end'].map((name) => [`previous_${name}`, Type.Optional(Type.String())] as const)
  return Type.Object({
    metric: Type.Enum([metric]),
    unit: Type.Enum([...UNITS, 'mixed']),
    definition: Type.String(),
    range: RangeView,
    totals,
    comparison: Nullable(
      Type.Object({
        mode: Type.Enum(['previous_period', 'previous_year']),
        partial: Type.Boolean({
          description: 'No slice is finished, so an unfinished slice is compared with whole slices.',
        }),
        range: RangeView,
        totals,
        current: Type.Object(
          { range: RangeView, totals },
          {
            description: 'The finished slices that are compared. A change is the difference between their totals.',
          },
        ),
        ...Change.properties,
        changes: Type.Object(Object.fromEntries(names.map((name) => [name, Change]))),
      }),
    ),
    series: Type.Array(
      Type.Object({
        date: Type.String({ description: 'The date in the time zone; with the interval hour, the local time.' }),
        start: Timestamp,
        end: Timestamp,
        first_day: Type.String({
          format: 'date',
          description: 'The UTC days with the same dates, for keys that are counted by UTC days.',
        }),
        last_day: Type.String({ format: 'date' }),
        partial: Type.Boolean({
          description: 'The range cuts it, it is not finished, or it is not counted to its end.',
        }),
        ...toValuesSchema(names).properties,
        ...Object.fromEntries(previous),
        ...toValuesSchema(
          names.map((name) => `previous_${name}`),
          Type.Optional,
        ).properties,
      }),
    ),
    keys: Type.Array(
      Type.Object({
        key: Type.Enum(names),
        label: Type.String(),
        unit: Type.Enum(UNITS),
        cut: Type.Enum(['zone', 'utc_days'], { description: 'By `timezone`, or by whole UTC days.' }),
        drilldown: Nullable(Type.String()),
      }),
    ),
    drilldown: Type.String({ description: 'For the first key. Fill in the fields of a row of the series.' }),
    generated_at: Timestamp,
    complete_until: Nullable(Timestamp),
    source: Type.Array(Type.Enum(['quarter_hours', 'activity_days'])),
  })
}

function toValuesSchema(names: string[], wrap: (schema: TSchema) => TSchema = (schema) => schema) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, wrap(Value)])))
}
