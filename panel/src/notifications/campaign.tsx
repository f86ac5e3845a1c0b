import { Alert, Button, Card, Group, Progress, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Modal } from '../common/modal.tsx'
import { api, bodyOf } from '../api/client.ts'
import { inWords, phoneWord, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { isRunning } from './campaigns.tsx'
import { tellRefusal } from '../common/tell.ts'
import { numberOf, plural, rich, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/notifications/{notification_id}'>
type Recipients = Awaited<ReturnType<typeof loadRecipients>>
type Recipient = Recipients['data'][number]
export type Summary = Recipients['summary']

function loadRecipients(id: number, query: Query) {
  const params = { path: { notification_id: id }, query }
  return bodyOf(api.GET('/api/admin/notifications/{notification_id}', { params }))
}

const COLUMNS: Column<Recipient, Query>[] = [
  { header: t('User'), cell: ({ user_id: id, name, email }) => <UserLink id={id} name={name} about={email} /> },
  { header: t('Phone'), cell: ({ platform }) => phoneWord(platform) },
  { header: t('State'), cell: ({ state }) => inWords(state) },
  {
    header: t('Fault'),
    cell: ({ error_message: fault, possible_duplicates: doubles }) => (
      <>
        {fault ?? ''}
        {doubles > 0 && (
          <Text size="xs" c="dimmed">
            {t('may have arrived {count} times', { count: doubles + 1 })}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Sent'), cell: ({ sent_at: at }) => <Moment at={at} /> },
  { header: t('Opened'), cell: ({ opened_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  {
    name: 'status',
    label: t('Outcome'),
    options: [
      { value: 'sent', label: t('sent') },
      { value: 'delivered', label: t('delivered') },
      { value: 'opened', label: t('opened') },
    ],
  },
  {
    name: 'platform',
    label: t('Phone'),
    options: [
      { value: 'ios', label: 'iPhone' },
      { value: 'android', label: 'Android' },
    ],
  },
]

/** One campaign: its progress, its outcome, and the outcome for each phone. */
export function CampaignPage() {
  const id = Number(useParams({ strict: false }).id)
  const search = useSearch({ strict: false })
  const queries = useQueryClient()
  const campaign = useQuery({
    queryKey: ['campaign', id],
    queryFn: async () => (await loadRecipients(id, { per_page: 1 })).summary,
    refetchInterval: ({ state }) =>
      state.data && (isRunning(state.data) || state.data.counts.pending > 0) ? 1_000 : false,
  })
  // The rows follow the counts, so that the page never shows two stories.
  const counts = JSON.stringify(campaign.data?.counts)
  useEffect(() => void queries.invalidateQueries({ queryKey: [`recipients-${id}`] }), [queries, id, counts])
  return (
    <Stack gap="lg">
      <Loaded of={campaign} pending={260}>
        {(data) => <Report campaign={data} />}
      </Loaded>
      <ListPage
        title={t('Recipients')}
        isPart
        about={t('One row for each phone.')}
        queryKey={`recipients-${id}`}
        load={(query) => loadRecipients(id, query)}
        search={search}
        columns={COLUMNS}
        filters={FILTERS}
        searchLabel={t('Name or e-mail')}
        rowKey={(row) => row.id}
        empty={{ title: t('Nobody yet'), text: t('Phones appear here as soon as their pushes are made.') }}
      />
    </Stack>
  )
}

function Report({ campaign }: { campaign: Summary }) {
  const { id, title, body, status, pause_reason: reason, progress, sender, created_at: writtenAt, counts } = campaign
  return (
    <div>
      <PageHeader
        title={title}
        state={<State of={status} />}
        about={
          <>
            {body} · {rich('by {who}', { who: sender?.name ?? t('the service') })}, <Moment at={writtenAt} />
          </>
        }
      >
        <Controls id={id} status={status} />
      </PageHeader>
      {reason !== null && status === 'paused' && (
        <Alert color="yellow" mb="md">
          {t('Paused: {why}', { why: inWords(reason) })}
        </Alert>
      )}
      <Progress.Root size="lg" mb="md">
        <Progress.Section
          value={progress.percent}
          animated={status === 'sending'}
          aria-label={t('{percent} % done', { percent: progress.percent })}
        />
      </Progress.Root>
      <Funnel counts={counts} />
    </div>
  )
}

type Counts = Summary['counts']

const STEPS: [name: keyof Counts, label: string, means: string][] = [
  ['selected', t('Selected'), t('Everybody in the audience when the campaign began.')],
  ['notified', t('Notified'), t('Users with at least one push. The others were skipped, or still wait.')],
  ['notifications', t('Pushes'), t('One for each phone of a notified user.')],
  ['sent', t('Sent'), t('The provider has accepted the push and given a ticket.')],
  ['delivered', t('Delivered'), t('The provider’s receipt says that Apple or Google has taken the push.')],
  ['opened', t('Opened'), t('The user tapped it, or read it in the app.')],
]

function Funnel({ counts }: { counts: Counts }) {
  const skipped = Object.entries(counts.skipped).filter(([, count]) => count > 0)
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        {STEPS.map(([name, label, means]) => (
          <Tooltip key={name} label={means} multiline w={240}>
            <Card withBorder padding="sm" tabIndex={0}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text fz={22} fw={600} className="figure">
                {numberOf(Number(counts[name]))}
              </Text>
            </Card>
          </Tooltip>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {[
          counts.waiting > 0 && plural(counts.waiting, 'One user waits.', '{count} users wait.'),
          counts.pending > 0 &&
            plural(counts.pending, 'One push is still undecided.', '{count} pushes are still undecided.'),
          counts.failed > 0 && plural(counts.failed, 'One push failed.', '{count} pushes failed.'),
          counts.possible_duplicates > 0 &&
            plural(
              counts.possible_duplicates,
              'One push may have arrived twice, because the provider never answered; phones merge them into one.',
              '{count} pushes may have arrived twice, because the provider did not answer; phones merge the two into one.',
            ),
          skipped.length > 0 &&
            t('Skipped: {reasons}.', {
              reasons: skipped.map(([why, count]) => `${numberOf(count)} ${inWords(why)}`).join(', '),
            }),
        ]
          .filter((sentence) => sentence !== false)
          .join(' ')}
      </Text>
    </Stack>
  )
}

const CONTROLS = {
  pause: '/api/admin/notifications/{notification_id}/pause',
  resume: '/api/admin/notifications/{notification_id}/resume',
  stop: '/api/admin/notifications/{notification_id}/stop',
} as const

function Controls({ id, status }: { id: number; status: Summary['status'] }) {
  const queries = useQueryClient()
  const control = useMutation({
    mutationFn: (what: keyof typeof CONTROLS) =>
      bodyOf(api.POST(CONTROLS[what], { params: { path: { notification_id: id } }, body: {} })),
    onSuccess: ({ data }) => queries.setQueryData(['campaign', id], data),
    onError: (thrown) => tellRefusal(thrown),
  })
  const [isStopOpen, stopDialog] = useDisclosure(false)
  const isGoing = status === 'queued' || status === 'sending'
  if (!isGoing && status !== 'paused') return null
  return (
    <Group>
      {isGoing && (
        <Button variant="default" loading={control.isPending} onClick={() => control.mutate('pause')}>
          {t('Pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button loading={control.isPending} onClick={() => control.mutate('resume')}>
          {t('Resume')}
        </Button>
      )}
      <Button color="red" variant="light" onClick={stopDialog.open}>
        {t('Stop…')}
      </Button>
      <Modal opened={isStopOpen} onClose={stopDialog.close} title={t('Stop this campaign for good?')}>
        <Text size="sm" mb="md">
          {t('Everybody who has not received it yet will not receive it. You cannot undo this; you can undo a pause.')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stopDialog.close} data-autofocus>
            {t('Go on sending')}
          </Button>
          <Button
            color="red"
            loading={control.isPending}
            onClick={() => control.mutate('stop', { onSuccess: stopDialog.close })}
          >
            {t('Stop for good')}
          </Button>
        </Group>
      </Modal>
    </Group>
  )
}
