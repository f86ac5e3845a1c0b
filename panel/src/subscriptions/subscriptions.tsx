import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { moneyOf } from '../common/money.ts'
import { UserLink } from '../common/people.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/subscription'>
type Subscription = Awaited<ReturnType<typeof loadSubscriptions>>['data'][number]

function loadSubscriptions(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/report/subscription', { params: { query } }))
}

const COLUMNS: Column<Subscription, Query>[] = [
  {
    header: t('User'),
    cell: ({ user }) => (user === null ? t('a deleted account') : <UserLink id={user.id} name={user.name} />),
  },
  {
    header: t('Plan'),
    cell: ({ plan: { name, price_cents: cents, currency, period } }) =>
      t('{name}, {price} a {period}', { name, price: moneyOf(cents, currency), period: inWords(period) }),
  },
  { header: t('State'), cell: ({ status }) => <State of={status} /> },
  { header: t('Paid through'), cell: ({ provider }) => inWords(provider) },
  { sort: 'started_at', header: t('Began'), cell: ({ started_at: at }) => <Moment at={at} /> },
  { sort: 'current_period_end', header: t('Paid until'), cell: ({ current_period_end: at }) => <Moment at={at} /> },
  { header: t('Cancelled'), cell: ({ cancelled_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  {
    name: 'status',
    label: t('State'),
    options: optionsOf<Subscription['status']>(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
  },
  {
    name: 'provider',
    label: t('Paid through'),
    options: optionsOf<Subscription['provider']>(['app_store', 'play_store', 'stripe', 'manual']),
  },
]

/** The report on subscriptions. */
export function SubscriptionsPage() {
  return (
    <ListPage
      title={t('Subscriptions')}
      about={t('Who pays for what, and until when.')}
      queryKey="subscriptions"
      load={loadSubscriptions}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel={t('Person or plan')}
      rowKey={({ id }) => id}
      empty={{ title: t('No subscriptions yet'), text: t('Nobody has subscribed.') }}
    />
  )
}
