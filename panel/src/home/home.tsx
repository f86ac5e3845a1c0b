import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconBell,
  IconCircleCheck,
  IconFlag,
  IconSend,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, bodyOf } from '../api/client.ts'
import { useMay, useSession } from '../api/session.ts'
import { lastDays, viewersZone } from '../common/days.ts'
import { PageHeader } from '../common/states.tsx'
import { pushStatusQuery } from '../delivery/push-status.ts'
import { numberOf, plural, t } from '../translation/translate.ts'

/** What needs the administrator today, and the key figures. */
export function HomePage() {
  const { name } = useSession()
  const maySend = useMay('campaigns')
  const mayVerify = useMay('verification')
  const mayReports = useMay('product-reports')
  const mayInsights = useMay('insights')
  return (
    <Stack gap="lg">
      <PageHeader title={t('Hello, {name}', { name: name.split(' ')[0] ?? '' })} about={t('What needs you today.')} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {mayVerify && <WaitingProducts />}
        {mayReports && <OpenReports />}
        {maySend && <DeliveryState />}
        {maySend && <RunningCampaigns />}
      </SimpleGrid>
      {mayInsights && <Figures />}
    </Stack>
  )
}

type TaskProps = { icon: Icon; href: string; label: string; count: string | undefined; calm: boolean }

function Task({ icon: Icon, href, label, count, calm }: TaskProps) {
  return (
    <Card withBorder component="a" href={href} td="none" c="inherit">
      <Group wrap="nowrap">
        <ThemeIcon size={40} variant="light" color={calm ? 'gray' : 'orange'}>
          <Icon size={22} aria-hidden />
        </ThemeIcon>
        <div>
          {count === undefined ? (
            <Skeleton height={26} width={60} />
          ) : (
            <Text fz={22} fw={600} lh={1.2} className="figure">
              {count}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {label}
          </Text>
        </div>
      </Group>
    </Card>
  )
}

function WaitingProducts() {
  const count = useCount('verification', () =>
    api.GET('/api/admin/v1/add-product-verification', { params: { query: { per_page: 1 } } }),
  )
  const label = t('products wait for a decision')
  return <CountTask icon={IconCircleCheck} href="/verification" label={label} count={count} />
}

function OpenReports() {
  const count = useCount('reports', () =>
    api.GET('/api/admin/v1/report/reported-product/all', { params: { query: { per_page: 1, status: ['open'] } } }),
  )
  return <CountTask icon={IconFlag} href="/reports?status=open" label={t('products with open reports')} count={count} />
}

function RunningCampaigns() {
  const count = useCount('campaigns', () =>
    api.GET('/api/admin/promotional-notifications', { params: { query: { per_page: 1, status: ['sending'] } } }),
  )
  return <CountTask icon={IconBell} href="/notifications" label={t('campaigns are being sent')} count={count} isCalm />
}

type Counted = Parameters<typeof bodyOf<string | { pagination: { total_items: number } }>>[0]

/** How many rows a list of the API has; undefined until it is known. */
function useCount(name: string, ask: () => Counted): number | undefined {
  const { data } = useQuery({ queryKey: ['home', name], queryFn: () => bodyOf(ask()), refetchInterval: 10_000 })
  return data?.pagination.total_items
}

type CountTaskProps = Pick<TaskProps, 'icon' | 'href' | 'label'> & { count: number | undefined; isCalm?: boolean }

/** A task that needs somebody as long as there are any. */
function CountTask({ count, isCalm = false, ...task }: CountTaskProps) {
  return <Task {...task} count={count === undefined ? undefined : numberOf(count)} calm={isCalm || count === 0} />
}

function DeliveryState() {
  const { data } = useQuery(pushStatusQuery)
  const open = data?.alerts.filter(({ resolved_at }) => resolved_at === null).length ?? 0
  const words = { closed: t('Sending'), open: t('Resting'), half_open: t('Trying again'), halted: t('Halted') }
  const label =
    open === 0 ? t('delivery, no alarm') : plural(open, 'delivery, one open alarm', 'delivery, {count} open alarms')
  return (
    <Task
      icon={IconSend}
      href="/delivery"
      label={label}
      count={data && words[data.breaker]}
      calm={data?.breaker === 'closed' && open === 0}
    />
  )
}

const SHOWN = [
  ['active_users', t('Active users'), t('People with at least one signed-in call in these seven days.')],
  ['new_users', t('New users'), t('People who registered and were active.')],
  ['products_listed', t('Products listed'), ''],
  ['swaps_requested', t('Swaps proposed'), ''],
  ['swaps_completed', t('Swaps completed'), ''],
  ['pushes_sent', t('Pushes sent'), ''],
  ['pushes_opened', t('Pushes opened'), ''],
] as const

/** The last seven whole days beside the seven before. */
function Figures() {
  const { data } = useQuery({
    queryKey: ['home', 'figures'],
    queryFn: async () => {
      const query = { ...lastDays(7), timezone: viewersZone(), compare: 'previous_period', interval: 'day' } as const
      return (await bodyOf(api.GET('/api/admin/v1/insight/engagement-overview', { params: { query } }))).data
    },
    staleTime: 60_000,
  })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('The last seven days')}
        </Title>
        <Anchor href="/insights" size="sm">
          {t('All insights')}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }}>
        {SHOWN.map(([key, label, about]) => (
          <Figure
            key={key}
            label={label}
            about={about}
            value={data?.totals[key]}
            percent={data?.comparison?.changes[key].change_percent}
            isLoading={data === undefined}
          />
        ))}
      </SimpleGrid>
    </section>
  )
}

type FigureProps = {
  label: string
  about: string
  value: number | null | undefined
  percent: number | null | undefined
  isLoading: boolean
}

function Figure({ label, about, value, percent, isLoading }: FigureProps) {
  const isDown = (percent ?? 0) < 0
  const Arrow = isDown ? IconArrowDownRight : IconArrowUpRight
  return (
    <Card withBorder padding="sm" title={about}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {isLoading ? (
        <Skeleton height={30} width={80} mt={4} />
      ) : (
        <Group gap="xs" align="baseline">
          <Text fz={24} fw={600} className="figure">
            {value === null || value === undefined ? '–' : numberOf(value)}
          </Text>
          {percent !== null && percent !== undefined && (
            <Text size="sm" c={isDown ? 'red' : 'teal'} className="figure">
              <Arrow size={14} aria-hidden style={{ verticalAlign: -2 }} /> {numberOf(Math.abs(percent))} %
              <span className="visually-hidden">{isDown ? t(' less than before') : t(' more than before')}</span>
            </Text>
          )}
        </Group>
      )}
    </Card>
  )
}
