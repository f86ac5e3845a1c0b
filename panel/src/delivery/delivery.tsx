import { Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { inWords, State } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { Moment } from '../common/moment.tsx'
import { Fact } from '../common/fact.tsx'
import { HaltButton, HandHalts } from './halt.tsx'
import { Answers, describeProvider, describeState, formatPace, Providers, Since } from './providers.tsx'
import { Queues } from './queues.tsx'
import { RemovedDevices } from './removed-devices.tsx'
import { isFailing, pushStatusQuery, type Provider, type Status } from './push-status.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

export function DeliveryPage() {
  const status = useQuery(pushStatusQuery)
  const { data } = status
  return (
    <Stack>
      <PageHeader title={t('Delivery')} about={t('How pushes reach the providers.')}>
        <ProcessReceipts />
        {data?.providers.some(({ halt }) => halt === null) && <HaltButton />}
        {data?.providers.some(({ breaker, waits }) => breaker !== 'closed' || waits.length > 0) && <Resume />}
      </PageHeader>
      <Loaded
        of={status}
        pending={
          <>
            <Skeleton height={140} />
            <Queues status={undefined} />
          </>
        }
      >
        {(known) => <Known status={known} />}
      </Loaded>
    </Stack>
  )
}

function Known({ status: data }: { status: Status }) {
  const [first, ...others] = data.providers
  return (
    <>
      <HandHalts providers={data.providers} />
      {first !== undefined && others.length === 0 ? (
        <OnlyProvider of={first} />
      ) : (
        <Providers providers={data.providers} />
      )}
      <Queues status={data} />
      <Alerts alerts={data.alerts} isAnyFailing={data.providers.some(isFailing)} />
      <RemovedDevices />
    </>
  )
}

function OnlyProvider({ of: provider }: { of: Provider }) {
  const { rate_per_second: rate } = provider
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Fact title={t('Provider')}>
        <State of={describeState(provider)} />
        <Text size="sm" mt="xs">
          {describeProvider(provider)}
        </Text>
        <Answers recent={provider.recent} />
      </Fact>
      <Fact title={t('Pace')}>
        <Text fz={22} fw={600}>
          {formatPace(rate)}
        </Text>
        <Text size="sm" c="dimmed">
          {rate > 0 ? t('at most, over all workers') : t('Pushes leave as fast as the provider takes them.')}
        </Text>
      </Fact>
      <Fact title={t('Since')}>
        <Since of={provider} />
      </Fact>
    </SimpleGrid>
  )
}

function Alerts({ alerts, isAnyFailing }: { alerts: Status['alerts']; isAnyFailing: boolean }) {
  if (alerts.length === 0)
    return (
      <Empty title={t('No alert')}>
        {isAnyFailing ? t('Failed requests raise one when sending stops.') : t('Nothing about the delivery needs you.')}
      </Empty>
    )
  return (
    <Rows
      title={t('Alerts')}
      minWidth={560}
      rowKey={({ alert_id: id }) => id}
      rows={alerts}
      columns={[
        { header: t('Alert'), isHead: true, cell: ({ code }) => inWords(code) },
        { header: t('Details'), cell: ({ detail }) => detail },
        { header: t('Times'), isNumber: true, cell: ({ times }) => times },
        { header: t('First'), cell: ({ raised_at: at }) => <Moment at={at} /> },
        { header: t('Last'), cell: ({ last_seen_at: at }) => <Moment at={at} /> },
        { header: t('Over'), cell: ({ resolved_at: at }) => <Moment at={at} none={t('still open')} /> },
      ]}
    />
  )
}

function ProcessReceipts() {
  const run = useCall(() => readBody(api.POST('/api/admin/process-receipts', { body: {} })), {
    done: ({ data }) => t('Up to {count} receipts are being fetched.', { count: data.limit }),
  })
  return (
    <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
      {t('Fetch receipts now')}
    </Button>
  )
}

function Resume() {
  const resume = useCall(() => readBody(api.POST('/api/admin/push-status/resume', { body: {} })), {
    refresh: pushStatusQuery.queryKey,
  })
  return (
    <Button loading={resume.isPending} onClick={() => resume.mutate()}>
      {t('Resume sending')}
    </Button>
  )
}
