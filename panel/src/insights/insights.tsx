import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lastDays, viewersZone } from '../common/days.ts'
import { changed, type ListSearch } from '../common/list-search.ts'
import { PageHeader } from '../common/states.tsx'
import { Chart } from './chart.tsx'
import { METRICS, type Metric } from './metrics.ts'

const DAYS = { '7': '7 days', '28': '28 days', '90': '90 days', '365': 'a year' }

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

function pick(search: ListSearch, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.filter((name) => search[name] !== undefined).map((name) => [name, String(search[name])]),
  )
}
