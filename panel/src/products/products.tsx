import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { optionsOf, State, Tag } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { moneyOf } from '../common/money.ts'
import { NarrowedToPerson } from '../common/narrowed-to.tsx'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { ProductImage } from '../common/product-image.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/products'>
type Product = Awaited<ReturnType<typeof loadProducts>>['data'][number]

function loadProducts(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/products', { params: { query } }))
}

const COLUMNS: Column<Product, Query>[] = [
  {
    sort: 'title',
    header: t('Product'),
    cell: ({ id, title, images }) => (
      <div className="beside">
        <ProductImage images={images} title="" size={40} />
        <PageLink to={`/products/${id}`}>{title}</PageLink>
      </div>
    ),
  },
  { header: t('Category'), cell: ({ category }) => category.name },
  { header: t('Owner'), cell: ({ owner }) => <UserLink id={owner.id} name={owner.name} /> },
  {
    sort: 'status',
    header: t('Status'),
    cell: ({ status, deleted_at }) => <State of={deleted_at === null ? status : 'deleted'} />,
  },
  { sort: 'verification', header: t('Verification'), cell: ({ verification }) => <State of={verification} /> },
  {
    sort: 'estimated_value_cents',
    header: t('Value'),
    isNumber: true,
    cell: ({ estimated_value_cents: cents, currency }) => moneyOf(cents, currency),
  },
  {
    header: t('Open reports'),
    isNumber: true,
    cell: ({ open_reports: open }) => (open === 0 ? '0' : <Tag color="orange">{open}</Tag>),
  },
  { sort: 'created_at', header: t('Listed'), cell: ({ created_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  {
    name: 'status',
    label: t('Status'),
    options: optionsOf<Product['status']>(['draft', 'active', 'reserved', 'swapped', 'paused', 'removed']),
  },
  {
    name: 'verification',
    label: t('Verification'),
    options: optionsOf<Product['verification']>(['pending', 'verified', 'rejected', 'changes_requested']),
  },
  {
    name: 'condition',
    label: t('Condition'),
    options: optionsOf<Product['condition']>(['new', 'like_new', 'good', 'fair']),
  },
]

/** All products. */
export function ProductsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const owner = search['user_id']
  return (
    <ListPage
      title={t('Products')}
      about={t('Everything that people offer to swap.')}
      queryKey="products"
      load={loadProducts}
      search={search}
      columns={COLUMNS}
      filters={FILTERS}
      tools={
        owner !== undefined && (
          <NarrowedToPerson
            id={Number(owner)}
            list="products"
            findName={() => nameOf(Number(owner))}
            label={(name) => t('Products of {name}', { name })}
          />
        )
      }
      searchLabel={t('Title or description')}
      rowKey={({ id }) => id}
      empty={{ title: t('No products yet'), text: t('Products appear here as soon as somebody lists one in the app.') }}
    />
  )
}

async function nameOf(owner: number): Promise<string | undefined> {
  return (await loadProducts({ user_id: owner, per_page: 1, deleted: 'include' })).data[0]?.owner.name
}
