import { toOptions, State, Tag } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import { Moment } from '../common/moment.tsx'
import { formatMoney } from '../common/money.ts'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { ProductImage } from '../common/product-image.tsx'
import { t } from '../translation/translate.ts'

export const ProductsPage = listPage('/api/admin/v1/products', {
  queryKey: 'products',
  columns: [
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
      cell: ({ estimated_value_cents: cents, currency }) => formatMoney(cents, currency),
    },
    {
      header: t('Open reports'),
      isNumber: true,
      cell: ({ open_reports: open }) => (open === 0 ? '0' : <Tag color="orange">{open}</Tag>),
    },
    { sort: 'created_at', header: t('Listed'), cell: ({ created_at: at }) => <Moment at={at} /> },
  ],
  filters: [
    {
      name: 'status',
      label: t('Status'),
      options: toOptions(['draft', 'active', 'reserved', 'swapped', 'paused', 'removed']),
    },
    {
      name: 'verification',
      label: t('Verification'),
      options: toOptions(['pending', 'verified', 'rejected', 'changes_requested']),
    },
    { name: 'condition', label: t('Condition'), options: toOptions(['new', 'like_new', 'good', 'fair']) },
  ],
  ofPerson: {
    label: (name) => t('Products of {name}', { name }),
    nameIn: ({ owner }) => owner.name,
    query: { deleted: 'include' },
  },
  searchLabel: t('Title or description'),
  empty: { title: t('No products yet'), text: t('Products appear here as soon as somebody lists one in the app.') },
})
