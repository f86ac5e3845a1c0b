import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { DateRange } from '../common/date-range.tsx'
import { Facts } from '../common/facts.tsx'
import { inWords, State } from '../common/labels.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { Loaded } from '../common/loaded.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PageHeader } from '../common/states.tsx'
import { PRODUCT_REASONS } from '../cases/reasons.ts'
import { formatNumber, t } from '../translation/translate.ts'

type Report = Awaited<ReturnType<typeof loadReport>>

async function loadReport(id: number, query: QueryOf<'/api/admin/v1/report/user/{id}'>) {
  return (await readBody(api.GET('/api/admin/v1/report/user/{id}', { params: { path: { id }, query } }))).data
}

/** What somebody has done in a range of days, and what was reported about them. */
export function UserReportPage() {
  const id = Number(useParams({ strict: false }).id)
  const query = useSearch({ strict: false })
  const report = useQuery({
    queryKey: ['user-report', id, query],
    queryFn: () => loadReport(id, query),
    placeholderData: keepPreviousData,
  })
  const mayProfile = useMay('users')
  const user = report.data?.user
  const number = t('no. {id}', { id: String(id) })
  return (
    <Stack>
      <PageHeader
        title={t('Report about {name}', { name: user?.name ?? number })}
        state={user && <State of={user.deleted_at === null ? user.status : 'deleted'} />}
        about={user && `@${user.username} · ${inWords(user.role)} · ${number}`}
      >
        {mayProfile && user && (
          <Button component={Link} to={`/users/${id}`} variant="default">
            {t('Profile')}
          </Button>
        )}
      </PageHeader>
      <Group gap="xs" role="search">
        <DateRange />
      </Group>
      <Loaded of={report} pending={300}>
        {(data) => <Known report={data} />}
      </Loaded>
    </Stack>
  )
}

function Known({ report }: { report: Report }) {
  const { user, totals, activity, subscription } = report
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Facts
        title={t('In these days')}
        facts={[
          [t('Products listed'), formatNumber(totals.products)],
          [t('Of these verified'), formatNumber(totals.verified_products)],
          [t('Swaps they asked for'), formatNumber(totals.requests_sent)],
          [t('Swaps asked of them'), formatNumber(totals.requests_received)],
          [t('Of these completed'), formatNumber(totals.completed)],
          [t('Reports by them'), formatNumber(totals.reports_filed)],
          [t('Reports about their products'), formatNumber(totals.reports_against)],
          [t('Groups'), formatNumber(totals.groups)],
          [t('Days active'), formatNumber(activity.active_days)],
        ]}
      />
      <Facts
        title={t('Now')}
        facts={[
          [t('Registered'), <Moment key="at" at={user.created_at} />],
          [t('Last in the app'), <Moment key="at" at={activity.last_active_at} none={t('never')} />],
          [t('Days active, of the last 30'), formatNumber(activity.active_days_30)],
          [
            t('Subscription'),
            subscription === null ? t('none') : `${subscription.plan}, ${inWords(subscription.status)}`,
          ],
        ]}
      />
      <RecentReports report={report} />
      <RecentSwaps report={report} />
    </SimpleGrid>
  )
}

function RecentReports({ report: { user, recent_reports: reports } }: { report: Report }) {
  const mayProducts = useMay('product-reports')
  const mayUsers = useMay('user-reports')
  const facts = reports.map(({ id, product_id: product, direction, reason, status, created_at: at }) => {
    const number = t('Product no. {id}', { id: String(product) })
    const fact = (
      <Group key={id} gap="xs">
        <State of={status} />
        {direction === 'against' ? t('about their product') : t('by them')}
        {mayProducts ? <PageLink to={`/reports/${product}`}>{number}</PageLink> : number}
        <Moment at={at} />
      </Group>
    )
    return [PRODUCT_REASONS[reason], fact] as const
  })
  const about = <PageLink to={`/reported-users?user_id=${user.id}`}>{t('Look')}</PageLink>
  return (
    <Facts
      title={t('Latest reports')}
      facts={[...facts, facts.length === 0 && [t('Products'), t('none')], mayUsers && [t('About the person'), about]]}
    />
  )
}

function RecentSwaps({ report: { user, recent_transactions: swaps } }: { report: Report }) {
  const maySwap = useMay('swaps')
  const facts = swaps.map(({ id, status, requester, owner, created_at: at }) => {
    const other = requester?.id === user.id ? owner : requester
    const name = other?.name ?? t('a deleted account')
    const fact = (
      <Group key={id} gap="xs">
        <State of={status} />
        {maySwap ? <PageLink to={`/swaps/${id}`}>{name}</PageLink> : name}
        <Moment at={at} />
      </Group>
    )
    return [t('Swap no. {id}', { id: String(id) }), fact] as const
  })
  return (
    <Facts
      title={t('Latest swaps')}
      facts={[
        ...facts,
        [
          t('In all'),
          <PageLink key="all" to={`/swaps?user_id=${user.id}`}>
            {t('Swaps')}
          </PageLink>,
        ],
      ]}
    />
  )
}
