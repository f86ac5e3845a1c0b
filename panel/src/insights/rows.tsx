import { useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { inWords } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { METRICS, type Metric } from './metrics.ts'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/insight/{metric}/rows'> & { metric: Metric }
type Row = Awaited<ReturnType<typeof loadRows>>['data'][number]

function loadRows({ metric, ...query }: Query) {
  const params = { path: { metric }, query }
  return readBody(api.GET('/api/admin/v1/insight/{metric}/rows', { params }))
}

const PAGES: Record<Row['entity'], string> = {
  user: '/users/',
  swap: '/swaps/',
  product: '/products/',
  message: '/notifications/',
}

const COLUMNS: Column<Row, Query>[] = [
  {
    header: t('What'),
    cell: ({ entity, id }) => (
      <PageLink to={`${PAGES[entity]}${id}`}>
        {t('{kind} no. {id}', { kind: inWords(entity), id: String(id) })}
      </PageLink>
    ),
  },
  { header: t('When'), cell: ({ at, day }) => (at === null ? (day ?? '–') : <Moment at={at} />) },
]

/** The rows behind a figure: as many as it says, but for those of people who were removed since. */
export function InsightRowsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const { title, figures } = METRICS[search['metric'] as Metric] ?? { title: t('Insight'), figures: {} }
  const key = String(search['key'] ?? '')
  const labels: Record<string, string> = figures
  return (
    <ListPage
      title={`${title}: ${labels[key] ?? inWords(key)}`}
      about={t('The rows behind the figure, from {from} to {to}.', {
        from: String(search['start_date'] ?? ''),
        to: String(search['end_date'] ?? ''),
      })}
      queryKey="insight-rows"
      load={loadRows}
      search={search}
      columns={COLUMNS}
      rowKey={({ entity, id, at, day }) => `${entity}-${id}-${at ?? day ?? ''}`}
      empty={{ title: t('No rows'), text: t('Rows of purged people no longer exist.') }}
    />
  )
}
