import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lastDays, viewersZone } from '../common/days.ts'
import { toOptions } from '../common/labels.tsx'
import { changed, type ListSearch } from '../common/list-search.ts'
import { PageHeader } from '../common/states.tsx'
import { Breakdown } from './breakdown.tsx'
import { Chart } from './chart.tsx'
import { METRICS, type Metric, type Query } from './metrics.ts'
import { t } from '../translation/translate.ts'

const DAYS = { '7': t('7 days'), '28': t('28 days'), '90': t('90 days'), '365': t('a year') }

/** The figures over time; the range, the interval and the comparison are in the address. */
export function InsightsPage() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (change: ListSearch) => void navigate({ to: '.', search: changed(search, change) })
  const range = { ...lastDays(Number(search['days'] ?? 28)), ...pick(search, ['start_date', 'end_date']) }
  const query = {
    ...range,
    timezone: viewersZone(),
    interval: 'day',
    compare: 'previous_period',
    ...(pick(search, ['interval', 'compare']) as Query),
  } satisfies Query
  return (
    <Stack>
      <PageHeader title={t('Insights')} about={t('Every figure says what it counts, and by which days.')} />
      <Group>
        <SegmentedControl
          aria-label={t('Range')}
          data={Object.entries(DAYS).map(([value, label]) => ({ value, label }))}
          value={search['start_date'] === undefined ? String(search['days'] ?? 28) : ''}
          onChange={(days) => show({ days, start_date: undefined, end_date: undefined })}
        />
        <TextInput
          type="date"
          aria-label={t('From')}
          value={range.start_date}
          onChange={({ currentTarget: { value } }) => value && show({ ...range, start_date: value })}
        />
        <TextInput
          type="date"
          aria-label={t('To')}
          value={range.end_date}
          onChange={({ currentTarget: { value } }) => value && show({ ...range, end_date: value })}
        />
        <Select
          aria-label={t('Interval')}
          w={120}
          data={toOptions(['day', 'week', 'month'])}
          value={query.interval}
          allowDeselect={false}
          onChange={(interval) => show({ interval: interval ?? undefined })}
        />
        <Select
          aria-label={t('Compare with')}
          w={220}
          data={[
            { value: 'none', label: t('no comparison') },
            { value: 'previous_period', label: t('the period before') },
            { value: 'previous_year', label: t('a year before') },
          ]}
          value={query.compare}
          allowDeselect={false}
          onChange={(compare) => show({ compare: compare === 'previous_period' ? undefined : (compare ?? undefined) })}
        />
      </Group>
      {(Object.keys(METRICS) as Metric[]).map((metric) => (
        <Chart key={metric} metric={metric} query={query} />
      ))}
      <Breakdown range={{ ...range, timezone: viewersZone() }} {...{ search, show }} />
    </Stack>
  )
}

function pick(search: ListSearch, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.filter((name) => search[name] !== undefined).map((name) => [name, String(search[name])]),
  )
}
