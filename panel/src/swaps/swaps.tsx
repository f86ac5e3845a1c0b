import { Card, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { NarrowedToPerson } from '../common/narrowed-to.tsx'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { numberOf, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/transaction'>
type Swap = Awaited<ReturnType<typeof loadSwaps>>['data'][number]

function loadSwaps(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/report/transaction', { params: { query } }))
}

const STATUSES: Swap['status'][] = [
  'pending',
  'countered',
  'accepted',
  'completed',
  'declined',
  'withdrawn',
  'expired',
  'cancelled',
  'disputed',
  'invalidated',
]

function side({ items }: Swap, which: 'offered' | 'requested'): string {
  return items
    .filter((item) => item.side === which)
    .map(({ title }) => title)
    .join(', ')
}

const COLUMNS: Column<Swap, Query>[] = [
  {
    sort: 'transaction_id',
    header: t('No.'),
    cell: ({ id }) => <PageLink to={`/swaps/${id}`}>{id}</PageLink>,
  },
  {
    header: t('Asks'),
    cell: (swap) =>
      swap.requester === null ? (
        t('a deleted account')
      ) : (
        <UserLink id={swap.requester.id} name={swap.requester.name} about={side(swap, 'offered')} />
      ),
  },
  {
    header: t('Owns'),
    cell: (swap) =>
      swap.owner === null ? (
        t('a deleted account')
      ) : (
        <UserLink id={swap.owner.id} name={swap.owner.name} about={side(swap, 'requested')} />
      ),
  },
  {
    header: t('State'),
    cell: ({ status, close_reason: reason }) => (
      <>
        <State of={status} />
        {reason !== null && reason !== status && <div className="about">{inWords(reason)}</div>}
      </>
    ),
  },
  { header: t('Rounds'), isNumber: true, cell: ({ rounds }) => rounds },
  { sort: 'created_at', header: t('Proposed'), cell: ({ created_at: at }) => <Moment at={at} /> },
  { sort: 'accepted_at', header: t('Accepted'), cell: ({ accepted_at: at }) => <Moment at={at} /> },
  { sort: 'completed_at', header: t('Completed'), cell: ({ completed_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  { name: 'status', label: t('State'), options: optionsOf(STATUSES) },
  { name: 'origin', label: t('Origin'), options: optionsOf<Swap['origin']>(['request', 'match']) },
]

/** The report on swaps. */
export function SwapsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const person = search['user_id']
  return (
    <>
      <ListPage
        title={t('Swaps')}
        about={t('Who proposed what to whom, and the outcome.')}
        queryKey="swaps"
        load={loadSwaps}
        search={search}
        columns={COLUMNS}
        filters={FILTERS}
        tools={
          person !== undefined && (
            <NarrowedToPerson
              id={Number(person)}
              list="swaps"
              findName={() => nameOf(Number(person))}
              label={(name) => t('Swaps of {name}', { name })}
            />
          )
        }
        searchLabel={t('Person or product')}
        rowKey={({ id }) => id}
        empty={{ title: t('No swaps yet'), text: t('Swaps appear here as soon as somebody proposes one.') }}
      />
      <Summary search={search} />
    </>
  )
}

async function nameOf(person: number): Promise<string | undefined> {
  const [swap] = (await loadSwaps({ user_id: person, per_page: 1 })).data
  return [swap?.requester, swap?.owner].find((one) => one?.id === person)?.name
}

/** The sums of all swaps that match, not only of this page. */
function Summary({ search }: { search: ListSearch }) {
  const { data } = useQuery({ queryKey: ['swaps', search], queryFn: () => loadSwaps(search) })
  if (data === undefined || data.data.length === 0) return null
  const { summary } = data
  const facts: [string, React.ReactNode][] = Object.entries(summary as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => [inWords(name), numberOf(Math.round((value as number) * 100) / 100)])
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} mt="lg">
      {facts.map(([name, value]) => (
        <Card withBorder padding="sm" key={name}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text fw={600} className="figure">
            {value}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  )
}
