import { Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'

type Reported = Awaited<ReturnType<typeof loadReported>>['data'][number]

function loadReported(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/report/reported-product/all', { params: { query: search as never } }))
}

export const REASONS = [
  'prohibited_item',
  'scam',
  'misleading',
  'offensive',
  'counterfeit',
  'duplicate',
  'unsafe',
  'other',
] as const

const COLUMNS: Column<Reported>[] = [
  {
    header: 'Product',
    cell: ({ product_id: id, product }) => (
      <>
        <Link to="/reports/$productId" params={{ productId: String(id) }} search={{}} className="row-link">
          {product.title}
        </Link>
        <Text size="xs" c="dimmed">
          of @{product.owner.username}
        </Text>
      </>
    ),
  },
  { header: 'State', cell: ({ status }) => <State of={status} /> },
  {
    header: 'Reasons',
    cell: ({ reasons }) =>
      Object.entries(reasons as Record<string, number>)
        .map(([reason, count]) => `${inWords(reason)} ${count}`)
        .join(', '),
  },
  { sort: 'open_count', header: 'Open', isNumber: true, cell: ({ open_count: count }) => count },
  { sort: 'undecided_count', header: 'Undecided', isNumber: true, cell: ({ undecided_count: count }) => count },
  { sort: 'total_count', header: 'In all', isNumber: true, cell: ({ total_count: count }) => count },
  { sort: 'first_reported_at', header: 'First', cell: ({ first_reported_at: at }) => <Moment at={at} /> },
  { sort: 'last_reported_at', header: 'Last', cell: ({ last_reported_at: at }) => <Moment at={at} /> },
]

const FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: optionsOf<Reported['status']>(['open', 'in_review', 'actioned', 'dismissed']),
  },
  { name: 'reason', label: 'Reason', options: optionsOf(REASONS) },
]

/** One row for each product that was reported. */
export function ReportedProductsPage() {
  return (
    <ListPage
      title="Reported products"
      about="What users find wrong, one row for each product."
      queryKey="reported-products"
      load={loadReported}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Product or owner"
      rowKey={({ product_id: id }) => id}
      empty={{ title: 'No reports', text: 'Nobody has reported a product.' }}
    />
  )
}
