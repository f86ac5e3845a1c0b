import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { ActionIcon, Alert, Card, Group, Menu, SegmentedControl, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { downloadCsv, downloadPng } from './downloads.ts'
import { loadInsight, METRICS, rowsAddress, type Insight, type Metric, type Query } from './metrics.ts'
import { numberOf, t } from '../translation/translate.ts'

const COLOURS = ['cyan.8', 'orange.7', 'grape.6', 'teal.7']

/** One insight as a chart or a table. A point, or a figure, leads to its rows. */
export function Chart({ metric, query }: { metric: Metric; query: Query }) {
  const [view, setView] = useState('chart')
  const { title, figures, definition } = METRICS[metric]
  const wanted = Object.keys(figures)
  const insight = useQuery({
    queryKey: ['insight', metric, query],
    queryFn: () => loadInsight(metric, query),
  })
  const { data: known } = insight
  const labels: Record<string, string> = figures
  const labelOf = (name: string) =>
    labels[name] ?? t('{figure}, before', { figure: labels[name.replace('previous_', '')] ?? '' })
  const before = query.compare === 'none' ? [] : wanted.map((name) => `previous_${name}`)
  const names = [...wanted, ...before]
  const navigate = useNavigate()
  const drawing = useRef<HTMLDivElement>(null)
  const openPoint = (at: unknown) => {
    const point = known?.series[Number(at ?? -1)]
    const address = known && point && rowsAddress(known, metric, wanted[0] ?? '', point)
    if (address !== undefined) void navigate({ href: address })
  }
  return (
    <Card withBorder component="section" aria-label={title}>
      <Head title={title} view={view} setView={setView}>
        {known !== undefined && (
          <Downloads
            title={title}
            csv={() => downloadCsv(metric, ['date', ...names], known.series)}
            png={view === 'chart' ? () => drawing.current && void downloadPng(metric, drawing.current) : undefined}
          />
        )}
      </Head>
      <Loaded of={insight} pending={240}>
        {(data) => (
          <>
            {view === 'table' ? (
              <Values {...{ names, labelOf, title, metric }} insight={data} />
            ) : (
              <LineChart
                ref={drawing}
                h={240}
                lineChartProps={{ onClick: ({ activeTooltipIndex: at }) => openPoint(at) }}
                data={data.series}
                dataKey="date"
                withLegend
                curveType="linear"
                connectNulls={false}
                withDots={data.series.length < 40}
                series={names.map((name, index) => ({
                  name,
                  label: labelOf(name),
                  color: COLOURS[index % wanted.length]!,
                  ...(index >= wanted.length && { strokeDasharray: '5 5' }),
                }))}
                valueFormatter={(value) => numberOf(value)}
              />
            )}
            <Text size="xs" c="dimmed" mt="xs">
              {definition}
            </Text>
            {data.series.at(-1)?.partial === true && (
              <Alert variant="transparent" p={0} mt={4}>
                <Text size="xs">{t('The last point is not over yet.')}</Text>
              </Alert>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

type HeadProps = { title: string; view: string; setView: (view: string) => void; children: ReactNode }

function Head({ title, view, setView, children }: HeadProps) {
  return (
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Group gap="xs">
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
        {children}
      </Group>
    </Group>
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
  if (address === undefined || value === 0) return numberOf(value)
  return <PageLink to={address}>{numberOf(value)}</PageLink>
}
