import { api, readBody } from '../api/client.ts'
import type { QueryOf } from '../common/list-query.ts'
import { t } from '../translation/translate.ts'

const ACTIVE = t('Active on a day: at least one signed-in call.')

type Chart = {
  title: string
  /** The figures that are drawn, by their names in the API, with what they are called. */
  figures: Record<string, string>
  /** What they count. */
  definition: string
}

export const METRICS = {
  'engagement-overview': {
    title: t('Engagement'),
    figures: {
      new_users: t('New'),
      returning_users: t('Returning'),
      resurrected_users: t('Resurrected'),
    },
    definition: t(
      'New: active for the first time ever. Returning: were active before, at most a month earlier. Resurrected: back after more than a month. {active}',
      { active: ACTIVE },
    ),
  },
  'daily-active-users': {
    title: t('Active users'),
    figures: { value: t('Active users') },
    definition: t('Different users of each day, week or month. {active}', { active: ACTIVE }),
  },
  'active-inactive-accounts': {
    title: t('Accounts'),
    figures: { active: t('Active accounts'), inactive: t('Inactive accounts') },
    definition: t(
      'Accounts at the end of each day, week or month. Active: with the status active. Inactive: all others that are not deleted.',
    ),
  },
  'total-swap-requests-sent': {
    title: t('Swaps proposed'),
    figures: { value: t('Swap requests') },
    definition: t('Swaps by the time of their request, with any outcome. A counter-proposal is not a new request.'),
  },
  'total-successful-swaps': {
    title: t('Swaps completed'),
    figures: { value: t('Completed swaps'), requested: t('Swap requests') },
    definition: t(
      'Swaps that both sides confirmed, by the time of completion, beside the requests that were sent in the same time.',
    ),
  },
} as const satisfies Record<string, Chart>

export type Metric = keyof typeof METRICS

export type Point = { date: string; partial: boolean } & Record<string, unknown>
export type Insight = {
  series: Point[]
  range: { timezone: string }
  totals: Record<string, number | null>
  comparison: {
    totals: Record<string, number | null>
    changes: Record<string, { change_percent: number | null }>
  } | null
  keys: { key: string; drilldown: string | null; cut: 'zone' | 'utc_days' }[]
}

export type Query = QueryOf<'/api/admin/v1/insight/engagement-overview'>

export async function loadInsight(metric: Metric, query: Query): Promise<Insight> {
  const path = `/api/admin/v1/insight/${metric}` as '/api/admin/v1/insight/engagement-overview'
  return (await readBody(api.GET(path, { params: { query } }))).data
}

/** Says by which days the figures of a metric are cut, as the API does. */
export function describeDays({ keys, range }: Insight, metric: Metric): string {
  const drawn = keys.filter(({ key }) => key in METRICS[metric].figures)
  return drawn.every(({ cut }) => cut === 'utc_days')
    ? t('Days are UTC days.')
    : t('Days are in your time zone, {zone}.', { zone: range.timezone })
}

/**
 * The address of the rows behind a figure of a point; undefined for a figure without rows, such as a share. The API
 * gives a template, whose fields are those of the point.
 */
export function rowsAddress({ keys }: Insight, metric: Metric, key: string, point: Point): string | undefined {
  const template = keys.find((known) => known.key === key)?.drilldown?.split('?')[1]
  const query = template?.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(point[field])))
  return query === undefined ? undefined : `/insights/rows?metric=${metric}&${query}`
}
