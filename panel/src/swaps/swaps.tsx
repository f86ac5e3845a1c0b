import { SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { formatDuration } from '../common/duration.ts'
import { Fact } from '../common/fact.tsx'
import { inWords, toOptions, State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Person } from '../common/people.tsx'
import { formatNumber, t } from '../translation/translate.ts'

const PATH = '/api/admin/v1/report/transaction'

function joinTitles({ items }: RowOf<typeof PATH>, side: 'offered' | 'requested'): string {
  const given = items.filter((item) => item.side === side)
  return given.map(({ title }) => title).join(', ')
}

const SwapsList = listPage(PATH, {
  queryKey: 'swaps',
  columns: [
    { sort: 'transaction_id', header: t('No.'), cell: ({ id }) => <PageLink to={`/swaps/${id}`}>{id}</PageLink> },
    { header: t('Asks'), cell: (swap) => <Person of={swap.requester} about={joinTitles(swap, 'offered')} /> },
    { header: t('Owns'), cell: (swap) => <Person of={swap.owner} about={joinTitles(swap, 'requested')} /> },
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
  ],
  filters: [
    {
      name: 'status',
      label: t('State'),
      options: toOptions([
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
      ]),
    },
    { name: 'origin', label: t('Origin'), options: toOptions(['request', 'match']) },
  ],
  ofPerson: {
    label: (name) => t('Swaps of {name}', { name }),
    nameIn: ({ requester, owner }, id) => [requester, owner].find((one) => one?.id === id)?.name,
  },
  searchLabel: t('Person or product'),
  empty: { title: t('No swaps yet'), text: t('Swaps appear here as soon as somebody proposes one.') },
})

export function SwapsPage() {
  return (
    <>
      <SwapsList />
      <Summary />
    </>
  )
}

/** The sums of all swaps that match, whatever their state, not only of this page. */
function Summary() {
  const search = useSearch({ strict: false })
  const { data } = useQuery({
    queryKey: ['swaps', search],
    queryFn: () => readBody(api.GET(PATH, { params: { query: search } })),
  })
  if (data === undefined || data.data.length === 0) return null
  const { total, completion_rate: rate, ...hours } = data.summary
  const facts: [string, string][] = [
    [t('Swaps in any state'), formatNumber(total)],
    [t('Of these, completed'), rate === null ? '–' : `${formatNumber(Math.round(rate * 1_000) / 10)} %`],
    [t('Half are answered within'), formatHours(hours.median_hours_to_response)],
    [t('Half of the completed took up to'), formatHours(hours.median_hours_to_complete)],
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} mt="lg">
      {facts.map(([name, value]) => (
        <Fact key={name} title={name}>
          <Text fw={600} className="figure">
            {value}
          </Text>
        </Fact>
      ))}
    </SimpleGrid>
  )
}

function formatHours(hours: number | null): string {
  return hours === null ? '–' : formatDuration(hours * 3_600)
}
