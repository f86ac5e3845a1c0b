import { Button, Group, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, bodyOf } from '../api/client.ts'
import { inWords, State } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { Fact } from './fact.tsx'
import { HaltButton, HandHalt } from './halt.tsx'
import { Queues } from './queues.tsx'
import { RemovedDevices } from './removed-devices.tsx'
import { pushStatusQuery, type Status } from './push-status.ts'
import { Empty, Failure, PageHeader } from '../common/states.tsx'
import { tellRefusal } from '../common/tell.ts'
import { numberOf, rich, t } from '../translation/translate.ts'

const MEANS: Record<Status['breaker'], string> = {
  closed: t('The provider answers, and pushes are sent at full pace.'),
  open: t(
    'The provider does not answer as it should. Sending waits and is tried again automatically; no retry is used up.',
  ),
  half_open: t('Sending is being tried again, with a few pushes first.'),
  halted: t('Nothing is sent until somebody resumes sending.'),
}

/** The state of sending, its problems, and their remedies. */
export function DeliveryPage() {
  const { data, error, refetch } = useQuery(pushStatusQuery)
  return (
    <Stack>
      <PageHeader title={t('Delivery')} about={t('The way of pushes to the provider.')}>
        <ProcessReceipts />
        {data !== undefined && data.halt === null && <HaltButton />}
        {data !== undefined && data.breaker !== 'closed' && <Resume />}
      </PageHeader>
      {error !== null && data === undefined && <Failure thrown={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <>
          <Skeleton height={140} />
          <Queues status={undefined} />
        </>
      )}
      {data !== undefined && (
        <>
          {data.halt !== null && <HandHalt halt={data.halt} since={data.since} />}
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <Fact title={t('Provider')}>
              <State of={data.breaker === 'closed' ? 'sending' : data.breaker} />
              <Text size="sm" mt="xs">
                {MEANS[data.breaker]}
              </Text>
            </Fact>
            <Fact title={t('Pace')}>
              <Text fz={22} fw={600}>
                {numberOf(data.rate_per_second)} / s
              </Text>
              <Text size="sm" c="dimmed">
                {t('at most, over all workers')}
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
          <Queues status={data} />
          <Alarms alerts={data.alerts} />
          <RemovedDevices />
        </>
      )}
    </Stack>
  )
}

function Alarms({ alerts }: { alerts: Status['alerts'] }) {
  if (alerts.length === 0) return <Empty title={t('No alarm')}>{t('Nothing about the delivery needs you.')}</Empty>
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table aria-label={t('Alarms')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Alarm')}</Table.Th>
            <Table.Th>{t('What it is')}</Table.Th>
            <Table.Th ta="right">{t('Times')}</Table.Th>
            <Table.Th>{t('First')}</Table.Th>
            <Table.Th>{t('Last')}</Table.Th>
            <Table.Th>{t('Over')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map(({ alert_id: id, code, detail, times, raised_at, last_seen_at, resolved_at }) => (
            <Table.Tr key={id}>
              <Table.Td fw={500}>{inWords(code)}</Table.Td>
              <Table.Td>{detail}</Table.Td>
              <Table.Td ta="right">{times}</Table.Td>
              <Table.Td>
                <Moment at={raised_at} />
              </Table.Td>
              <Table.Td>
                <Moment at={last_seen_at} />
              </Table.Td>
              <Table.Td>
                <Moment at={resolved_at} none={t('still open')} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function ProcessReceipts() {
  const run = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/admin/process-receipts', { body: {} })),
    onSuccess: ({ data }) =>
      notifications.show({
        color: 'green',
        message: t('Up to {count} receipts are being fetched.', { count: data.limit }),
      }),
    onError: (thrown) => tellRefusal(thrown),
  })
  return (
    <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
      {t('Fetch receipts now')}
    </Button>
  )
}

function Resume() {
  const queries = useQueryClient()
  const resume = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/admin/push-status/resume', { body: {} })),
    onSuccess: ({ data }) => queries.setQueryData(pushStatusQuery.queryKey, data),
    onError: (thrown) => tellRefusal(thrown),
  })
  return (
    <Group gap="xs">
      <Button loading={resume.isPending} onClick={() => resume.mutate()}>
        {t('Resume sending')}
      </Button>
    </Group>
  )
}
