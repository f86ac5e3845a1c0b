import { Alert, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { formatDuration } from '../common/duration.ts'
import { NextTry } from './next-try.tsx'
import { Empty, PageHeader } from '../common/states.tsx'
import { formatNumber, t } from '../translation/translate.ts'
import { Fact } from '../common/fact.tsx'
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
        about={t(
          'What could be sent now, and what is tried again later. A batch has up to 50 people. Paused messages count only where something is tried again.',
        )}
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

function Counted({ status: { lanes, receipts, providers } }: { status: Status }) {
  const waiting = providers.flatMap(({ provider, waiting: of }) => (of === null ? [] : [{ provider, ...of }]))
  if (lanes === null || receipts === null || waiting.length < providers.length)
    return (
      <Alert color="yellow" title={t('Not known at the moment')}>
        {t('The database could not count the waiting pushes in time. The panel tries again every few seconds.')}
      </Alert>
    )
  if ([...lanes, receipts].every(({ due }) => due === 0) && waiting.every(({ copies }) => copies === 0))
    return (
      <Empty title={t('Nothing waits')}>
        {t('No batch is due, no push waits to be tried again, and no receipt is due.')}
      </Empty>
    )
  return (
    <SimpleGrid cols={COLUMNS}>
      {lanes.map(({ lane, ...queue }) => (
        <Waiting key={lane} title={LANES[lane]} queue={queue} inWords={batches} />
      ))}
      <Waiting title={t('Receipts')} queue={receipts} inWords={requests} />
      {waiting.map(
        ({ provider, copies, next_at: nextAt }) =>
          copies > 0 && (
            <Fact
              key={provider}
              title={providers.length > 1 ? `${t('To be tried again')}: ${provider}` : t('To be tried again')}
            >
              <Text fz={22} fw={600}>
                {formatNumber(copies)}
              </Text>
              <Text size="sm">
                {copies === 1 ? t('push waits for the provider') : t('pushes wait for the provider')}
              </Text>
              <Text size="sm" c="dimmed">
                <NextTry at={nextAt} />
              </Text>
            </Fact>
          ),
      )}
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
        {due < COUNTED_AT_MOST ? formatNumber(due) : t('{count} or more', { count: due })}
      </Text>
      <Text size="sm">{inWords(due)}</Text>
      <Text size="sm" c="dimmed">
        {t('the oldest has waited for {time}', { time: formatDuration(oldest) })}
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
