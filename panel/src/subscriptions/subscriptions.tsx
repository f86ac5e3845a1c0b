import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { moneyOf } from '../common/money.ts'
import { UserLink } from '../common/people.tsx'

type Subscription = Awaited<ReturnType<typeof loadSubscriptions>>['data'][number]

function loadSubscriptions(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/report/subscription', { params: { query: search as never } }))
}

const COLUMNS: Column<Subscription>[] = [
  {
    header: 'User',
    cell: ({ user }) => (user === null ? 'a deleted account' : <UserLink id={user.id} name={user.name} />),
  },
  {
    header: 'Plan',
    cell: ({ plan: { name, price_cents: cents, currency, period } }) =>
      `${name}, ${moneyOf(cents, currency)} a ${period}`,
  },
  { header: 'State', cell: ({ status }) => <State of={status} /> },
  { header: 'Paid through', cell: ({ provider }) => inWords(provider) },
  { sort: 'started_at', header: 'Began', cell: ({ started_at: at }) => <Moment at={at} /> },
  { sort: 'current_period_end', header: 'Paid until', cell: ({ current_period_end: at }) => <Moment at={at} /> },
  { header: 'Cancelled', cell: ({ cancelled_at: at }) => <Moment at={at} /> },
]

const FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: optionsOf<Subscription['status']>(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
  },
  {
    name: 'provider',
    label: 'Paid through',
    options: optionsOf<Subscription['provider']>(['app_store', 'play_store', 'stripe', 'manual']),
  },
]

/** The report on subscriptions. */
export function SubscriptionsPage() {
  return (
    <ListPage
      title="Subscriptions"
      about="Who pays for what, and until when."
      queryKey="subscriptions"
      load={loadSubscriptions}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Person or plan"
      rowKey={({ id }) => id}
      empty={{ title: 'No subscriptions yet', text: 'Nobody has subscribed.' }}
    />
  )
}
