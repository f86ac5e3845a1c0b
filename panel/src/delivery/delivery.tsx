import { Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { inWords, State } from '../common/labels.tsx'
import { Rows } from '../common/list-rows.tsx'
import { Moment } from '../common/moment.tsx'
import { Fact } from '../common/fact.tsx'
import { HaltButton, HandHalt } from './halt.tsx'
import { describeState, describeWaits, Providers } from './providers.tsx'
import { Queues } from './queues.tsx'
import { RemovedDevices } from './removed-devices.tsx'
import { endsInFailure, pushStatusQuery, type Status } from './push-status.ts'
import { Loaded } from '../common/loaded.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { formatNumber, rich, t } from '../translation/translate.ts'

type Provider = Status['providers'][number]

/** The state of sending, its problems, and their remedies. */
export function DeliveryPage() {
  const status = useQuery(pushStatusQuery)
  const { data } = status
  return (
    <Stack>
      <PageHeader title={t('Delivery')} about={t('The way of pushes to the provider.')}>
        <ProcessReceipts />
        {data !== undefined && data.halt === null && <HaltButton />}
        {data !== undefined && (data.breaker !== 'closed' || data.providers.some(({ waits }) => waits.length > 0)) && (
          <Resume />
        )}
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
  const [provider] = data.providers
  const waits = provider?.waits ?? []
  const isFailing = data.breaker === 'closed' && provider !== undefined && endsInFailure(provider)
  const hasPace = data.rate_per_second > 0
  return (
    <>
      {data.halt !== null && <HandHalt halt={data.halt} since={data.since} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Fact title={t('Provider')}>
          <State of={provider === undefined ? data.breaker : describeState(provider)} />
          <Text size="sm" mt="xs">
            {isFailing
              ? t('Its last requests failed. Their pushes are tried again; if this goes on, sending waits by itself.')
              : describeWaits(waits)}
          </Text>
          <Answers recent={provider?.recent ?? null} />
        </Fact>
        <Fact title={t('Pace')}>
          <Text fz={22} fw={600}>
            {hasPace ? `${formatNumber(data.rate_per_second)} / s` : t('no limit')}
          </Text>
          <Text size="sm" c="dimmed">
            {hasPace ? t('at most, over all workers') : t('Pushes leave as fast as the provider takes them.')}
          </Text>
        </Fact>
        <Fact title={t('Since')}>
          <Moment at={data.since} none={t('no fault')} />
          {data.retry_at !== null && (
            <Text size="sm" c="dimmed">
              {rich('next try {when}', { when: <Moment key="when" at={data.retry_at} /> })}
            </Text>
          )}
          {data.code !== null && <Text size="sm">{data.code}</Text>}
        </Fact>
      </SimpleGrid>
      <Providers providers={data.providers} />
      <Queues status={data} />
      <Alerts alerts={data.alerts} isFailing={isFailing} />
      <RemovedDevices />
    </>
  )
}

/** What the provider said lately: whether it answers is not known from anything else. */
function Answers({ recent }: Pick<Provider, 'recent'>) {
  if (recent === null) return <Text size="sm">{t('Its last answers are not known at the moment.')}</Text>
  const { requests, failures, last_failure: failure, last_success_at: last } = recent
  return (
    <>
      <Text size="sm" {...(failures > 0 && { c: 'red', fw: 600 })}>
        {requests === 0
          ? t('No request in the last five minutes.')
          : t('{failures} of {requests} requests failed in the last five minutes.', { failures, requests })}
      </Text>
      {failure !== null && (
        <Text size="sm" c="dimmed">
          {rich('Last failure: {when}, {code}', { when: <Moment key="when" at={failure.at} />, code: failure.code })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {rich('Last success: {when}', { when: <Moment key="when" at={last} none={t('not known')} /> })}
      </Text>
    </>
  )
}

function Alerts({ alerts, isFailing }: { alerts: Status['alerts']; isFailing: boolean }) {
  if (alerts.length === 0)
    return (
      <Empty title={t('No alert')}>
        {isFailing ? t('Failed requests raise one when sending stops.') : t('Nothing about the delivery needs you.')}
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
        { header: t('What it is'), cell: ({ detail }) => detail },
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
