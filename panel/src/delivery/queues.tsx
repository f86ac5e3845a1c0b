import { Alert, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { durationOf } from '../common/duration.ts'
import { Empty, PageHeader } from '../common/states.tsx'
import { numberOf, t } from '../translation/translate.ts'
import { Fact } from './fact.tsx'
import type { Status } from './push-status.ts'

// The API counts so far (`due` of the push status).
const COUNTED_AT_MOST = 20_000

const COLUMNS = { base: 1, sm: 3 }

const LANES = {
  transactional: t('Messages to single people'),
  campaign: t('Campaigns'),
}

type Queue = NonNullable<Status['receipts']>

/** What is due and has not left yet, for each lane and of receipts; `status` undefined: it is loading. */
export function Queues({ status }: { status: Status | undefined }) {
  return (
    <section aria-label={t('What waits')}>
      <PageHeader
        isPart
        title={t('What waits')}
        about={t('What could be sent now. A batch has up to 50 people. Paused messages do not count.')}
      />
      {status === undefined ? <Loading /> : <Counted status={status} />}
    </section>
  )
}

function Loading() {
  return (
    <SimpleGrid cols={COLUMNS}>
      {['transactional', 'campaign', 'receipts'].map((name) => (
        <Skeleton key={name} height={104} />
      ))}
    </SimpleGrid>
  )
}

function Counted({ status: { lanes, receipts } }: { status: Status }) {
  if (lanes === null || receipts === null)
    return (
      <Alert color="yellow" title={t('Not known at the moment')}>
        {t('The database could not count the waiting pushes in time. The panel tries again every few seconds.')}
      </Alert>
    )
  if ([...lanes, receipts].every(({ due }) => due === 0))
    return <Empty title={t('Nothing waits')}>{t('No batch is due, and no receipt.')}</Empty>
  return (
    <SimpleGrid cols={COLUMNS}>
      {lanes.map(({ lane, ...queue }) => (
        <Waiting key={lane} title={LANES[lane]} queue={queue} inWords={batches} />
      ))}
      <Waiting title={t('Receipts')} queue={receipts} inWords={requests} />
    </SimpleGrid>
  )
}

type WaitingProps = { title: string; queue: Queue; inWords: (due: number) => string }

function Waiting({ title, queue, inWords }: WaitingProps) {
  const { due, oldest_seconds: oldest } = queue
  if (due === 0)
    return (
      <Fact title={title}>
        <Text c="dimmed">{t('nothing waits')}</Text>
      </Fact>
    )
  return (
    <Fact title={title}>
      <Text fz={22} fw={600}>
        {due < COUNTED_AT_MOST ? numberOf(due) : t('{count} or more', { count: due })}
      </Text>
      <Text size="sm">{inWords(due)}</Text>
      <Text size="sm" c="dimmed">
        {t('the oldest has waited for {time}', { time: durationOf(oldest) })}
      </Text>
    </Fact>
  )
}

function batches(due: number): string {
  return due === 1 ? t('batch is due') : t('batches are due')
}

function requests(due: number): string {
  return due === 1 ? t('request has its receipts due') : t('requests have their receipts due')
}
