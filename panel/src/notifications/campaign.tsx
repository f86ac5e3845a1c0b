import { Alert, Button, Card, Group, Modal, Progress, SimpleGrid, Skeleton, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { inWords, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { Failure, PageHeader } from '../common/states.tsx'
import { isRunning } from './campaigns.tsx'

type Loaded = Awaited<ReturnType<typeof loadRecipients>>
type Recipient = Loaded['data'][number]
export type Summary = Loaded['summary']

function loadRecipients(id: number, search: ListSearch) {
  const params = { path: { notification_id: id }, query: search as never }
  return bodyOf(api.GET('/api/admin/notifications/{notification_id}', { params }))
}

const COLUMNS: Column<Recipient>[] = [
  { header: 'User', cell: ({ user_id: id, name, email }) => <UserLink id={id} name={name} about={email} /> },
  { header: 'Phone', cell: ({ platform }) => (platform === 'ios' ? 'iPhone' : 'Android') },
  { header: 'State', cell: ({ state }) => state },
  {
    header: 'Fault',
    cell: ({ error_message: fault, possible_duplicates: doubles }) => (
      <>
        {fault ?? ''}
        {doubles > 0 && (
          <Text size="xs" c="dimmed">
            may have arrived {doubles + 1} times
          </Text>
        )}
      </>
    ),
  },
  { header: 'Sent', cell: ({ sent_at: at }) => <Moment at={at} /> },
  { header: 'Opened', cell: ({ opened_at: at }) => <Moment at={at} /> },
]

const FILTERS = [
  {
    name: 'status',
    label: 'What became of it',
    options: [
      { value: 'sent', label: 'sent' },
      { value: 'delivered', label: 'delivered' },
      { value: 'opened', label: 'opened' },
    ],
  },
  {
    name: 'platform',
    label: 'Phone',
    options: [
      { value: 'ios', label: 'iPhone' },
      { value: 'android', label: 'Android' },
    ],
  },
]

/** One campaign: how far it is, what became of it, and of each phone. */
export function CampaignPage() {
  const id = Number(useParams({ strict: false }).id)
  const search = useSearch({ strict: false })
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['campaign', id],
    queryFn: async () => (await loadRecipients(id, { per_page: 1 })).summary,
    refetchInterval: ({ state }) =>
      state.data && (isRunning(state.data) || state.data.counts.pending > 0) ? 1_000 : false,
  })
  // The rows follow the counts, so that the page never shows two stories.
  const counts = JSON.stringify(data?.counts)
  useEffect(() => void queries.invalidateQueries({ queryKey: [`recipients-${id}`] }), [queries, id, counts])
  if (error !== null && data === undefined) return <Failure thrown={error} retry={() => void refetch()} />
  return (
    <Stack gap="lg">
      {data === undefined ? <Skeleton height={260} /> : <Report campaign={data} />}
      <ListPage
        title="Recipients"
        isPart
        about="One row for each phone."
        queryKey={`recipients-${id}`}
        load={(query) => loadRecipients(id, query)}
        search={search}
        columns={COLUMNS}
        filters={FILTERS}
        searchLabel="Name or e-mail"
        rowKey={(row) => row.id}
        empty={{ title: 'Nobody yet', text: 'Phones appear here as soon as their pushes are made.' }}
      />
    </Stack>
  )
}

function Report({ campaign }: { campaign: Summary }) {
  const { id, title, body, status, pause_reason: reason, progress, sender, created_at: writtenAt, counts } = campaign
  return (
    <div>
      <PageHeader
        title={
          <Group gap="sm">
            {title}
            <State of={status} />
          </Group>
        }
        about={
          <>
            {body} · by {sender?.name ?? 'the service'}, <Moment at={writtenAt} />
          </>
        }
      >
        <Controls id={id} status={status} />
      </PageHeader>
      {reason !== null && status === 'paused' && (
        <Alert color="yellow" mb="md">
          Paused: {inWords(reason)}
        </Alert>
      )}
      <Progress.Root size="lg" mb="md">
        <Progress.Section
          value={progress.percent}
          animated={status === 'sending'}
          aria-label={`${progress.percent} % done`}
        />
      </Progress.Root>
      <Funnel counts={counts} />
    </div>
  )
}

type Counts = Summary['counts']

const STEPS: [name: keyof Counts, label: string, means: string][] = [
  ['selected', 'Selected', 'Everybody in the audience when the campaign began.'],
  ['notified', 'Notified', 'Users for whom at least one push was made. The others were skipped, or wait.'],
  ['notifications', 'Pushes', 'One for each phone of a notified user.'],
  ['sent', 'Sent', 'The provider gave a ticket: it has accepted the push.'],
  ['delivered', 'Delivered', 'The provider’s receipt says that Apple or Google has taken the push.'],
  ['opened', 'Opened', 'The user tapped it, or read it in the app.'],
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
                {Number(counts[name]).toLocaleString()}
              </Text>
            </Card>
          </Tooltip>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {counts.waiting > 0 && `${counts.waiting.toLocaleString()} users wait. `}
        {counts.pending > 0 && `${counts.pending.toLocaleString()} pushes are still undecided. `}
        {counts.failed > 0 && `${counts.failed.toLocaleString()} pushes failed. `}
        {counts.possible_duplicates > 0 &&
          `${counts.possible_duplicates.toLocaleString()} pushes may have arrived twice, because the provider never answered; phones merge them into one. `}
        {skipped.length > 0 &&
          `Skipped: ${skipped.map(([why, count]) => `${count.toLocaleString()} ${inWords(why)}`).join(', ')}.`}
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
    onError: (thrown) => notifications.show({ color: 'red', message: toRefusal(thrown).message }),
  })
  const [isStopOpen, stopDialog] = useDisclosure(false)
  const isGoing = status === 'queued' || status === 'sending'
  if (!isGoing && status !== 'paused') return null
  return (
    <Group>
      {isGoing && (
        <Button variant="default" loading={control.isPending} onClick={() => control.mutate('pause')}>
          Pause
        </Button>
      )}
      {status === 'paused' && (
        <Button loading={control.isPending} onClick={() => control.mutate('resume')}>
          Resume
        </Button>
      )}
      <Button color="red" variant="light" onClick={stopDialog.open}>
        Stop…
      </Button>
      <Modal opened={isStopOpen} onClose={stopDialog.close} title="Stop this campaign for good?">
        <Text size="sm" mb="md">
          Who has not got it yet will not get it. This cannot be undone; a pause can.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stopDialog.close} data-autofocus>
            Go on sending
          </Button>
          <Button
            color="red"
            loading={control.isPending}
            onClick={() => control.mutate('stop', { onSuccess: stopDialog.close })}
          >
            Stop for good
          </Button>
        </Group>
      </Modal>
    </Group>
  )
}
