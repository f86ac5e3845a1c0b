import { inWords, toOptions, State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import { Moment } from '../common/moment.tsx'
import { formatMoney } from '../common/money.ts'
import { Person } from '../common/people.tsx'
import { t } from '../translation/translate.ts'

export const SubscriptionsPage = listPage('/api/admin/v1/report/subscription', {
  queryKey: 'subscriptions',
  columns: [
    { header: t('User'), cell: ({ user }) => <Person of={user} /> },
    {
      header: t('Plan'),
      cell: ({ plan: { name, price_cents: cents, currency, period } }) =>
        t('{name}, {price} a {period}', { name, price: formatMoney(cents, currency), period: inWords(period) }),
    },
    { header: t('State'), cell: ({ status }) => <State of={status} /> },
    { header: t('Paid through'), cell: ({ provider }) => inWords(provider) },
    { sort: 'started_at', header: t('Began'), cell: ({ started_at: at }) => <Moment at={at} /> },
    { sort: 'current_period_end', header: t('Paid until'), cell: ({ current_period_end: at }) => <Moment at={at} /> },
    { header: t('Cancelled'), cell: ({ cancelled_at: at }) => <Moment at={at} /> },
  ],
  filters: [
    {
      name: 'status',
      label: t('State'),
      options: toOptions(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
    },
    {
      name: 'provider',
      label: t('Paid through'),
      options: toOptions(['app_store', 'play_store', 'stripe', 'manual']),
    },
  ],
  searchLabel: t('Person or plan'),
  empty: { title: t('No subscriptions yet'), text: t('Nobody has subscribed.') },
})
