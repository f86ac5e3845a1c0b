import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { inWords, toOptions, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf, RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { isRunning } from './campaigns.tsx'
import { ByProvider } from './by-provider.tsx'
import { Funnel } from './funnel.tsx'
import { useProgress } from './progress.ts'
import { campaignState, OUTCOMES, PersonOutcome, PhoneOutcomes } from './outcome.tsx'
import { tellRefusal } from '../common/tell.ts'
import { rich, t } from '../translation/translate.ts'

const PATH = '/api/admin/notifications/{notification_id}/people'
type Query = QueryOf<typeof PATH>
type People = Awaited<ReturnType<typeof loadPeople>>
type Person = RowOf<typeof PATH>
export type Summary = People['summary']

function loadPeople(id: number, query: Query) {
  const params = { path: { notification_id: id }, query }
  return readBody(api.GET(PATH, { params }))
}

async function loadSummary(id: number): Promise<Summary> {
  const params = { path: { notification_id: id }, query: { per_page: 1 } }
  return (await readBody(api.GET('/api/admin/notifications/{notification_id}', { params }))).summary
}

function describePause(reason: string): string {
  return reason === 'ApprovalNeeded'
    ? t(
        'Paused: it reaches more people now than one person may send to alone. Stop it and send it anew, so that a second person is asked.',
      )
    : t('Paused by a halt of sending ({code}). It goes on when somebody resumes sending on the page Delivery.', {
        code: inWords(reason),
      })
}

const COLUMNS: Column<Person, Query>[] = [
  { header: t('User'), cell: ({ user_id: id, name, email }) => <UserLink id={id} name={name} about={email} /> },
  { header: t('Outcome'), cell: (person) => <PersonOutcome of={person} /> },
  { header: t('On each phone'), cell: (person) => <PhoneOutcomes of={person} /> },
  { header: t('Sent'), cell: ({ notifications: copies }) => <Moment at={findFirst(copies, 'sent_at')} /> },
  { header: t('Opened'), cell: ({ notifications: copies }) => <Moment at={findFirst(copies, 'opened_at')} /> },
]

function findFirst(copies: Person['notifications'], moment: 'sent_at' | 'opened_at'): string | undefined {
  return copies.flatMap(({ [moment]: at }) => at ?? []).toSorted()[0]
}

const FILTERS: Filter<Query>[] = [
  {
    name: 'status',
    label: t('Outcome'),
    options: [
      { value: 'sent', label: OUTCOMES.sent },
      { value: 'delivered', label: OUTCOMES.delivered },
      { value: 'opened', label: OUTCOMES.opened },
      { value: 'failed', label: OUTCOMES.failed },
      { value: 'skipped', label: inWords('skipped') },
    ],
  },
  {
    name: 'skip_reason',
    label: t('Why skipped'),
    options: toOptions([
      'no_device',
      'signed_out',
      'opted_out',
      'inactive',
      'deleted',
      'too_big',
      'stopped',
      'stale',
      'inbox_only',
    ]),
  },
  {
    name: 'platform',
    label: t('Phone'),
    options: [
      { value: 'ios', label: 'iPhone' },
      { value: 'android', label: 'Android' },
      { value: 'web', label: t('Browser') },
    ],
  },
]

// A connection can be lost without a sign.
const TOLD_MS = 15_000
const PAUSED_MS = 5_000

export function CampaignPage() {
  const id = Number(useParams({ strict: false }).id)
  const search = useSearch({ strict: false })
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  const campaign = useQuery({
    queryKey: ['campaign', id],
    queryFn: () => loadSummary(id),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false
      if (isRunning(data) || data.counts.pending > 0) return isLive ? TOLD_MS : 1_000
      return data.status === 'paused' && PAUSED_MS
    },
  })
  useProgress(id, campaign.data !== undefined && isRunning(campaign.data), setLive)
  // The rows follow the counts, and bring counts of their own time, so that the page never shows two stories.
  const counts = JSON.stringify(campaign.data?.counts)
  useEffect(() => void queries.invalidateQueries({ queryKey: [`recipients-${id}`] }), [queries, id, counts])
  const loadRows = async (query: Query) => {
    const page = await loadPeople(id, query)
    queries.setQueryData(['campaign', id], page.summary)
    return page
  }
  return (
    <Stack gap="lg">
      <Loaded of={campaign} pending={260}>
        {(data) => <Report campaign={data} />}
      </Loaded>
      <ListPage
        title={t('Recipients')}
        isPart
        about={t('Everybody in the audience, and what became of it for each of them.')}
        queryKey={`recipients-${id}`}
        load={loadRows}
        search={search}
        columns={COLUMNS}
        filters={FILTERS}
        searchLabel={t('Name, e-mail or number')}
        rowKey={(row) => row.user_id}
        empty={describeEmpty(campaign.data)}
      />
    </Stack>
  )
}

function describeEmpty(campaign: Summary | undefined): { title: string; text: string } {
  return campaign?.notifications_deleted_at
    ? { title: t('Deleted'), text: t('Who got it was deleted with its month. The counts stay.') }
    : { title: t('Nobody'), text: t('Its audience is empty.') }
}

function Report({ campaign }: { campaign: Summary }) {
  const { id, title, body, status, pause_reason: reason, progress, sender, created_at: writtenAt } = campaign
  return (
    <div>
      <PageHeader
        title={title}
        state={<State of={campaignState(campaign)} />}
        about={
          <>
            {body} · {rich('by {who}', { who: sender?.name ?? t('the service') })}, <Moment at={writtenAt} />
          </>
        }
      >
        <Controls id={id} status={status} />
      </PageHeader>
      {campaign.homes_not_counted && (
        <Alert color="yellow" mb="md">
          {t('Without people of homes {homes}', { homes: campaign.homes_not_counted.join(', ') })}
        </Alert>
      )}
      {reason !== null && status === 'paused' && (
        <Alert color="yellow" mb="md">
          {describePause(reason)}
        </Alert>
      )}
      <Progress.Root size="lg" mb="md">
        <Progress.Section
          value={progress.percent}
          animated={status === 'sending'}
          aria-label={t('{percent} % done', { percent: progress.percent })}
        />
      </Progress.Root>
      <Funnel campaign={campaign} />
      <ByProvider providers={campaign.providers} />
    </div>
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
      readBody(api.POST(CONTROLS[what], { params: { path: { notification_id: id } }, body: {} })),
    onSuccess: ({ data }) => queries.setQueryData(['campaign', id], data),
    onError: (thrown) => {
      tellRefusal(thrown)
      // Somebody else has changed it meanwhile.
      return queries.invalidateQueries({ queryKey: ['campaign', id] })
    },
  })
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
      <DialogButton color="red" variant="light" opens={t('Stop…')} heading={t('Stop this campaign for good?')}>
        {(close) => (
          <>
            <Text size="sm" mb="md">
              {t(
                'Everybody who has not received it yet will not receive it. You cannot undo this; you can undo a pause.',
              )}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={close} data-autofocus>
                {t('Go on sending')}
              </Button>
              <Button
                color="red"
                loading={control.isPending}
                onClick={() => control.mutate('stop', { onSuccess: close })}
              >
                {t('Stop for good')}
              </Button>
            </Group>
          </>
        )}
      </DialogButton>
    </Group>
  )
}
