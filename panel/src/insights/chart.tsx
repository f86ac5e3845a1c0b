import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import {
  ActionIcon,
  Alert,
  Card,
  getThemeColor,
  Menu,
  SegmentedControl,
  Table,
  Text,
  useMantineTheme,
} from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PageHeader } from '../common/states.tsx'
import { downloadCsv, downloadPng } from './downloads.ts'
import {
  describeDays,
  loadInsight,
  METRICS,
  rowsAddress,
  type Insight,
  type Metric,
  type Point,
  type Query,
} from './metrics.ts'
import { Totals } from './totals.tsx'
import { formatNumber, t } from '../translation/translate.ts'

const COLOURS = ['cyan.8', 'orange.7', 'grape.6', 'teal.7']

/** One insight as a chart or a table. A point, or a figure, leads to its rows. */
export function Chart({ metric, query }: { metric: Metric; query: Query }) {
  const [view, setView] = useState('chart')
  const { title, figures, definition } = METRICS[metric]
  const figureNames = Object.keys(figures)
  const insight = useQuery({
    queryKey: ['insight', metric, query],
    queryFn: () => loadInsight(metric, query),
  })
  const { data: known } = insight
  const labels: Record<string, string> = figures
  const toLabel = (name: string) =>
    labels[name] ?? t('{figure}, before', { figure: labels[name.replace('previous_', '')] ?? '' })
  const before = query.compare === 'none' ? [] : figureNames.map((name) => `previous_${name}`)
  const names = [...figureNames, ...before]
  const drawing = useRef<HTMLDivElement>(null)
  const toRowsAddress = (name: string, point: Point) => known && rowsAddress(known, metric, name, point)
  return (
    <Card withBorder component="section" aria-label={title}>
      <PageHeader isPart title={title}>
        <SegmentedControl
          size="xs"
          aria-label={t('{title}: chart or table', { title })}
          value={view}
          onChange={setView}
          data={[
            { value: 'chart', label: t('Chart') },
            { value: 'table', label: t('Table') },
          ]}
        />
        {known !== undefined && (
          <Downloads
            title={title}
            csv={() => downloadCsv(metric, ['date', ...names], known.series)}
            png={view === 'chart' ? () => drawing.current && void downloadPng(metric, drawing.current) : undefined}
          />
        )}
      </PageHeader>
      <Loaded of={insight} pending={240}>
        {(data) => (
          <>
            <Totals insight={data} figures={figures} />
            {view === 'table' ? (
              <Values {...{ names, labelOf: toLabel, title, metric }} insight={data} />
            ) : (
              <LineChart
                ref={drawing}
                h={240}
                lineProps={({ name, color }) => ({
                  activeDot: ({ cx, cy, payload }) => (
                    <Dot {...{ cx, cy, name, color }} address={toRowsAddress(name, payload as Point)} />
                  ),
                })}
                data={data.series}
                dataKey="date"
                withLegend
                // By itself it sorts by the names of the figures.
                legendProps={{ itemSorter: null }}
                curveType="linear"
                connectNulls={false}
                withDots={data.series.length < 40}
                series={names.map((name, index) => ({
                  name,
                  label: toLabel(name),
                  color: COLOURS[index % figureNames.length]!,
                  ...(index >= figureNames.length && { strokeDasharray: '5 5' }),
                }))}
                valueFormatter={(value) => formatNumber(value)}
              />
            )}
            <Text size="xs" c="dimmed" mt="xs">
              {definition} {describeDays(data, metric)}
            </Text>
            {data.series.at(-1)?.partial === true && (
              <Alert variant="transparent" p={0} mt={4}>
                <Text size="xs">{t('The last point is not over yet; the change leaves it out.')}</Text>
              </Alert>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

type DotProps = {
  cx: number | undefined
  cy: number | undefined
  name: string
  color: string | undefined
  address: string | undefined
}

/** The dot under the pointer. It leads to the rows of its figure; without rows, a click reaches the dot below it. */
function Dot({ cx, cy, name, color, address }: DotProps) {
  const navigate = useNavigate()
  return (
    <circle
      {...{ cx, cy }}
      r={5}
      fill={getThemeColor(color, useMantineTheme())}
      data-figure={name}
      style={address === undefined ? { pointerEvents: 'none' } : { cursor: 'pointer' }}
      onClick={() => address !== undefined && void navigate({ href: address })}
    />
  )
}

/** `png` is undefined while no chart is drawn. */
function Downloads({ title, csv, png }: { title: string; csv: () => void; png: (() => void) | undefined }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('{title}: download', { title })}>
          <IconDownload size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={csv}>{t('Figures (CSV)')}</Menu.Item>
        <Menu.Item disabled={png === undefined} onClick={png}>
          {t('Picture (PNG)')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

type ValuesProps = {
  names: string[]
  insight: Insight
  metric: Metric
  labelOf: (name: string) => string
  title: string
}

function Values({ names, insight, metric, labelOf, title }: ValuesProps) {
  return (
    <Table.ScrollContainer minWidth={400} maxHeight={320}>
      <Table aria-label={title} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Date')}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {labelOf(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {insight.series.map((point) => (
            <Table.Tr key={point.date}>
              <Table.Td>{point.date}</Table.Td>
              {names.map((name) => (
                <Table.Td key={name} ta="right">
                  <Figure value={point[name]} address={rowsAddress(insight, metric, name, point)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** A figure of a point, which leads to its rows where it has some. */
function Figure({ value, address }: { value: unknown; address: string | undefined }) {
  if (typeof value !== 'number') return '–'
  if (address === undefined || value === 0) return formatNumber(value)
  return <PageLink to={address}>{formatNumber(value)}</PageLink>
}
