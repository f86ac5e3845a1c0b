import { api, bodyOf } from '../api/client.ts'
import { t } from '../translation/translate.ts'

/** The charts, each with the figures that it shows. */
export const METRICS = {
  'engagement-overview': [t('Engagement'), ['active_users', 'new_users', 'returning_users', 'resurrected_users']],
  'daily-active-users': [t('Active users'), ['value']],
  'active-inactive-accounts': [t('Accounts'), ['active', 'inactive']],
  'total-swap-requests-sent': [t('Swaps proposed'), ['value']],
  'total-successful-swaps': [t('Swaps completed'), ['value', 'requested']],
} as const

export type Metric = keyof typeof METRICS

export type Point = { date: string; partial: boolean } & Record<string, unknown>
export type Insight = {
  definition: string
  series: Point[]
  totals: Record<string, number | null>
  keys: { key: string; label: string; drilldown: string | null }[]
}

export async function loadInsight(metric: Metric, query: Record<string, unknown>): Promise<Insight> {
  const call = { params: { query: query as never } }
  const path = `/api/admin/v1/insight/${metric}` as '/api/admin/v1/insight/engagement-overview'
  return (await bodyOf(api.GET(path, call))).data
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
