import { State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PRODUCT_REASONS, reasonFilter, type ProductReport } from './reasons.ts'
import { STATUS_FILTER } from './report-columns.tsx'
import { t } from '../translation/translate.ts'

export const ReportedProductsPage = listPage('/api/admin/v1/report/reported-product/all', {
  queryKey: 'reported-products',
  columns: [
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
  ],
  filters: [STATUS_FILTER, reasonFilter(PRODUCT_REASONS)],
  searchLabel: t('Product or owner'),
  rowKey: ({ product_id: id }) => id,
  empty: { title: t('No reports'), text: t('Nobody has reported a product.') },
})
