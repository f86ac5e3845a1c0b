import { Card, SegmentedControl, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, readBody } from '../api/client.ts'
import { Change } from '../common/change.tsx'
import type { QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { formatNumber, plural, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/insight-breakdown'>
type Measure = Query['measure']
type By = Query['by']
type Shares = Awaited<ReturnType<typeof loadShares>>
type Figures = Shares['total']

const MEASURES: Record<Measure, string> = {
  swaps_requested: t('Swaps proposed'),
  swaps_completed: t('Swaps completed'),
  products_listed: t('Products listed'),
  accounts_created: t('New accounts'),
}
const UNNAMED: Record<By, string> = { city: t('no city'), category: t('no category') }
// The API counts no longer range.
const LONGEST_DAYS = 92
const DAY_MS = 86_400_000

async function loadShares(query: Query) {
  return (await readBody(api.GET('/api/admin/v1/insight-breakdown', { params: { query } }))).data
}

type Range = { start_date: string; end_date: string; timezone: string }
type BreakdownProps = { range: Range; search: ListSearch; show: (change: ListSearch) => void }

/** What happened in the range by city or category, beside the range before. */
export function Breakdown({ range, search, show }: BreakdownProps) {
  const measure = (Object.keys(MEASURES) as Measure[]).find((name) => name === search['measure']) ?? 'swaps_requested'
  // An account has no category.
  const by = search['by'] === 'category' && measure !== 'accounts_created' ? 'category' : 'city'
  return (
    <Card withBorder component="section" aria-label={t('By city and category')}>
      <PageHeader isPart title={t('By city and category')}>
        <Select
          aria-label={t('What is counted')}
          w={200}
          data={Object.entries(MEASURES).map(([value, label]) => ({ value, label }))}
          value={measure}
          allowDeselect={false}
          onChange={(value) => show({ measure: value ?? undefined })}
        />
        <SegmentedControl
          aria-label={t('City or category')}
          data={[
            { value: 'city', label: t('City') },
            { value: 'category', label: t('Category'), disabled: measure === 'accounts_created' },
          ]}
          value={by}
          onChange={(value) => show({ by: value })}
        />
      </PageHeader>
      {daysIn(range) > LONGEST_DAYS ? (
        <Empty title={t('This range is too long')}>
          {t('By city and category at most {days} days are counted.', { days: LONGEST_DAYS })}
        </Empty>
      ) : (
        <Counted query={{ ...range, measure, by }} />
      )}
    </Card>
  )
}

function daysIn({ start_date: first, end_date: last }: Range): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
}

function Counted({ query }: { query: Query & Range }) {
  const shares = useQuery({ queryKey: ['breakdown', query], queryFn: () => loadShares(query) })
  return (
    <Loaded
      of={shares}
      pending={240}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<Empty title={t('Nothing yet')}>{t('Nothing of this happened, neither now nor before.')}</Empty>}
    >
      {(data) => (
        <>
          <Shares shares={data} />
          <Text size="xs" c="dimmed" mt="xs">
            {query.measure.startsWith('swaps') &&
              t('A swap counts for the first product that was asked for, as that product is now.')}{' '}
            {t('Before: as many days, up to this range. Days are in your time zone, {zone}.', {
              zone: query.timezone,
            })}
          </Text>
        </>
      )}
    </Loaded>
  )
}

function Shares({ shares: { measure, by, rows, others, total } }: { shares: Shares }) {
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={`${MEASURES[measure]}: ${by === 'city' ? t('City') : t('Category')}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{by === 'city' ? t('City') : t('Category')}</Table.Th>
            {[t('Count'), t('Share'), t('Before'), t('Change')].map((header) => (
              <Table.Th key={header} ta="right">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, ...figures }) => (
            <Share key={name ?? ''} name={name ?? UNNAMED[by]} figures={figures} />
          ))}
          {others !== null && <Share name={plural(others.names, 'one other', '{count} others')} figures={others} />}
        </Table.Tbody>
        <Table.Tfoot>
          <Share name={<strong>{t('In all')}</strong>} figures={total} />
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}

function Share({ name, figures }: { name: ReactNode; figures: Figures }) {
  const { value, percent, previous, change_percent: change } = figures
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Table.Th>
      <Table.Td ta="right">{formatNumber(value)}</Table.Td>
      <Table.Td ta="right">{percent === null ? '–' : `${formatNumber(percent)} %`}</Table.Td>
      <Table.Td ta="right">{formatNumber(previous)}</Table.Td>
      <Table.Td ta="right">{change === null ? '–' : <Change percent={change} />}</Table.Td>
    </Table.Tr>
  )
}
