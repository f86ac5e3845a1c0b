import { Button, Progress, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'

export type Campaign = Awaited<ReturnType<typeof loadCampaigns>>['data'][number]

function loadCampaigns(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/promotional-notifications', { params: { query: search as never } }))
}

/** True while its numbers still change by themselves. */
export function isRunning({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'queued' || status === 'sending'
}

const COLUMNS: Column<Campaign>[] = [
  {
    sort: 'title',
    header: 'Message',
    cell: ({ id, title, body }) => (
      <>
        <Link to="/notifications/$id" params={{ id: String(id) }} search={{}} className="row-link">
          {title}
        </Link>
        <Text size="xs" c="dimmed" lineClamp={1} maw={320}>
          {body}
        </Text>
      </>
    ),
  },
  {
    header: 'State',
    cell: ({ status, progress }) => (
      <>
        <State of={status} />
        {status !== 'completed' && (
          <Progress value={progress.percent} size="sm" mt={4} aria-label={`${progress.percent} % done`} />
        )}
      </>
    ),
  },
  { header: 'Selected', isNumber: true, cell: ({ counts }) => counts.selected.toLocaleString() },
  { header: 'Sent', isNumber: true, cell: ({ counts }) => counts.sent.toLocaleString() },
  { header: 'Delivered', isNumber: true, cell: ({ counts }) => counts.delivered.toLocaleString() },
  { header: 'Opened', isNumber: true, cell: ({ counts }) => counts.opened.toLocaleString() },
  { header: 'Failed', isNumber: true, cell: ({ counts }) => counts.failed.toLocaleString() },
  { header: 'By', cell: ({ sender }) => sender?.name ?? 'the service' },
  { sort: 'created_at', header: 'Written', cell: ({ created_at: at }) => <Moment at={at} /> },
]

const FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: optionsOf<Campaign['status']>(['queued', 'sending', 'paused', 'stopped', 'completed']),
  },
  {
    name: 'audience',
    label: 'Audience',
    options: [
      { value: 'all', label: 'everyone' },
      { value: 'sandbox', label: 'test users' },
      { value: 'users', label: 'named users' },
    ],
  },
]

/** All campaigns; the numbers of running ones follow by themselves. */
export function CampaignsPage() {
  const search = useSearch({ strict: false })
  const write = (
    <Button component={Link} to="/notifications/new" leftSection={<IconPlus size={16} />}>
      Write a campaign
    </Button>
  )
  return (
    <ListPage
      title="Notifications"
      about="Campaigns to everyone, to test users, or to named users."
      queryKey="campaigns"
      load={loadCampaigns}
      search={search}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Title or text"
      rowKey={({ id }) => id}
      refetchMs={(rows) => (rows.some(isRunning) ? 2_000 : false)}
      empty={{
        title: 'No campaign yet',
        text: 'Write one, look at its preview, and send it to yourself first.',
        action: write,
      }}
      actions={write}
    />
  )
}
