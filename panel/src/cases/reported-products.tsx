import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PRODUCT_REASONS, reasonFilter, type ProductReport } from './reasons.ts'
import { STATUS_FILTER } from './report-columns.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/reported-product/all'>
type Reported = Awaited<ReturnType<typeof loadReported>>['data'][number]

function loadReported(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/report/reported-product/all', { params: { query } }))
}

const COLUMNS: Column<Reported, Query>[] = [
  {
    header: t('Product'),
    cell: ({ product_id: id, product }) => (
      <>
        <PageLink to={`/reports/${id}`}>{product.title}</PageLink>
        <div className="about">{t('of {name}', { name: `@${product.owner.username}` })}</div>
      </>
    ),
  },
  { header: t('State'), cell: ({ status }) => <State of={status} /> },
  {
    header: t('Reasons'),
    cell: ({ reasons }) =>
      Object.entries(reasons as Record<string, number>)
        .map(([reason, count]) => `${PRODUCT_REASONS[reason as ProductReport['reason']]} ${count}`)
        .join(', '),
  },
  { sort: 'open_count', header: t('Open'), isNumber: true, cell: ({ open_count: count }) => count },
  { sort: 'undecided_count', header: t('Undecided'), isNumber: true, cell: ({ undecided_count: count }) => count },
  { sort: 'total_count', header: t('In all'), isNumber: true, cell: ({ total_count: count }) => count },
  { sort: 'first_reported_at', header: t('First'), cell: ({ first_reported_at: at }) => <Moment at={at} /> },
  { sort: 'last_reported_at', header: t('Last'), cell: ({ last_reported_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [STATUS_FILTER, reasonFilter(PRODUCT_REASONS)]

/** One row for each product that was reported. */
export function ReportedProductsPage() {
  return (
    <ListPage
      title={t('Reported products')}
      about={t('What users report, one row for each product.')}
      queryKey="reported-products"
      load={loadReported}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel={t('Product or owner')}
      rowKey={({ product_id: id }) => id}
      empty={{ title: t('No reports'), text: t('Nobody has reported a product.') }}
    />
  )
}
