import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import {
  Alert,
  Card,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { inWords } from '../common/labels.tsx'
import { lastDays, viewersZone } from '../common/days.ts'
import { changed, type ListSearch } from '../common/list-search.ts'
import { Failure, PageHeader } from '../common/states.tsx'

const METRICS = {
  'engagement-overview': ['Engagement', ['active_users', 'new_users', 'returning_users', 'resurrected_users']],
  'daily-active-users': ['Active users', ['value']],
  'active-inactive-accounts': ['Accounts', ['active', 'inactive']],
  'total-swap-requests-sent': ['Swaps proposed', ['value']],
  'total-successful-swaps': ['Swaps completed', ['value', 'requested']],
} as const
type Metric = keyof typeof METRICS

const COLOURS = ['cyan.8', 'orange.7', 'grape.6', 'teal.7']
const DAYS = { '7': '7 days', '28': '28 days', '90': '90 days', '365': 'a year' }

type Point = { date: string; partial: boolean } & Record<string, unknown>
type Insight = {
  definition: string
  series: Point[]
  totals: Record<string, number | null>
  keys: { key: string; label: string }[]
}

async function loadInsight(metric: Metric, query: Record<string, unknown>): Promise<Insight> {
  const call = { params: { query: query as never } }
  const path = `/api/admin/v1/insight/${metric}` as '/api/admin/v1/insight/engagement-overview'
  return (await bodyOf(api.GET(path, call))).data
}

/** The figures over time; the range, the interval and the comparison are in the address. */
export function InsightsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (change: ListSearch) => void navigate({ to: '.', search: changed(search, change) as never })
  const range = { ...lastDays(Number(search['days'] ?? 28)), ...pick(search, ['start_date', 'end_date']) }
  const query = {
    ...range,
    timezone: viewersZone(),
    interval: search['interval'] ?? 'day',
    compare: search['compare'] ?? 'none',
  }
  return (
    <Stack>
      <PageHeader title="Insights" about="Every figure says what it counts. Days are those of your time zone." />
      <Group>
        <SegmentedControl
          aria-label="Range"
          data={Object.entries(DAYS).map(([value, label]) => ({ value, label }))}
          value={search['start_date'] === undefined ? String(search['days'] ?? 28) : ''}
          onChange={(days) => show({ days, start_date: undefined, end_date: undefined })}
        />
        <TextInput
          type="date"
          aria-label="From"
          value={range.start_date}
          onChange={({ currentTarget: { value } }) => value && show({ ...range, start_date: value })}
        />
        <TextInput
          type="date"
          aria-label="To"
          value={range.end_date}
          onChange={({ currentTarget: { value } }) => value && show({ ...range, end_date: value })}
        />
        <Select
          aria-label="Interval"
          w={120}
          data={['day', 'week', 'month']}
          value={String(query.interval)}
          allowDeselect={false}
          onChange={(interval) => show({ interval: interval ?? undefined })}
        />
        <Select
          aria-label="Compare with"
          w={220}
          data={[
            { value: 'none', label: 'no comparison' },
            { value: 'previous_period', label: 'the period before' },
            { value: 'previous_year', label: 'a year before' },
          ]}
          value={String(query.compare)}
          allowDeselect={false}
          onChange={(compare) => show({ compare: compare === 'none' ? undefined : (compare ?? undefined) })}
        />
      </Group>
      {(Object.keys(METRICS) as Metric[]).map((metric) => (
        <Chart key={metric} metric={metric} query={query} />
      ))}
    </Stack>
  )
}

function Chart({ metric, query }: { metric: Metric; query: Record<string, unknown> }) {
  const [view, setView] = useState('chart')
  const [title, wanted] = METRICS[metric]
  const { data, error, refetch } = useQuery({
    queryKey: ['insight', metric, query],
    queryFn: () => loadInsight(metric, query),
  })
  const labelOf = (name: string) => data?.keys.find(({ key }) => key === name)?.label ?? inWords(name)
  const before = query['compare'] !== 'none' && wanted.length === 1 ? [`previous_${wanted[0]}`] : []
  const names: string[] = [...wanted, ...before]
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={`${title}: chart or table`}
          value={view}
          onChange={setView}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </Group>
      {error !== null && data === undefined && <Failure thrown={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={240} />}
      {data !== undefined && view === 'chart' && (
        <LineChart
          h={240}
          data={data.series}
          dataKey="date"
          withLegend
          curveType="linear"
          connectNulls={false}
          withDots={data.series.length < 40}
          series={names.map((name, index) => ({
            name,
            label: name.startsWith('previous_') ? 'before' : labelOf(name),
            color: name.startsWith('previous_') ? 'gray.6' : COLOURS[index % COLOURS.length]!,
          }))}
          valueFormatter={(value) => value.toLocaleString()}
        />
      )}
      {data !== undefined && view === 'table' && (
        <Values names={names} series={data.series} labelOf={labelOf} title={title} />
      )}
      {data !== undefined && (
        <Text size="xs" c="dimmed" mt="xs">
          {data.definition}
        </Text>
      )}
      {data?.series.at(-1)?.partial === true && (
        <Alert variant="transparent" p={0} mt={4}>
          <Text size="xs">The last point is not over yet.</Text>
        </Alert>
      )}
    </Card>
  )
}

type ValuesProps = { names: string[]; series: Point[]; labelOf: (name: string) => string; title: string }

function Values({ names, series, labelOf, title }: ValuesProps) {
  return (
    <Table.ScrollContainer minWidth={400} maxHeight={320}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Date</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {labelOf(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {series.map((point) => (
            <Table.Tr key={point.date}>
              <Table.Td>{point.date}</Table.Td>
              {names.map((name) => (
                <Table.Td key={name} ta="right">
                  {typeof point[name] === 'number' ? point[name].toLocaleString() : '–'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function pick(search: ListSearch, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.filter((name) => search[name] !== undefined).map((name) => [name, String(search[name])]),
  )
}
