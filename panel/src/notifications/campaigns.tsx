import { Button, Progress } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { campaignState } from './outcome.tsx'
import { numberOf, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/promotional-notifications'>
export type Campaign = Awaited<ReturnType<typeof loadCampaigns>>['data'][number]

function loadCampaigns(query: Query) {
  return bodyOf(api.GET('/api/admin/promotional-notifications', { params: { query } }))
}

/** True while its numbers still change by themselves. */
export function isRunning({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'queued' || status === 'sending'
}

const COLUMNS: Column<Campaign, Query>[] = [
  {
    sort: 'title',
    header: t('Message'),
    cell: ({ id, title, body }) => (
      <>
        <PageLink to={`/notifications/${id}`}>{title}</PageLink>
        <div className="about one-line">{body}</div>
      </>
    ),
  },
  {
    header: t('State'),
    cell: ({ status, progress, counts }) => (
      <>
        <State of={campaignState({ status, counts })} />
        {status !== 'completed' && (
          <Progress
            value={progress.percent}
            size="sm"
            mt={4}
            aria-label={t('{percent} % done', { percent: progress.percent })}
          />
        )}
      </>
    ),
  },
  { header: t('Selected'), isNumber: true, cell: ({ counts }) => numberOf(counts.selected) },
  { header: t('Sent'), isNumber: true, cell: ({ counts }) => numberOf(counts.sent) },
  { header: t('Delivered'), isNumber: true, cell: ({ counts }) => numberOf(counts.delivered) },
  { header: t('Opened'), isNumber: true, cell: ({ counts }) => numberOf(counts.opened) },
  { header: t('Failed'), isNumber: true, cell: ({ counts }) => numberOf(counts.failed) },
  { header: t('By'), cell: ({ sender }) => sender?.name ?? t('the service') },
  { sort: 'created_at', header: t('Written'), cell: ({ created_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  {
    name: 'status',
    label: t('State'),
    options: optionsOf<Campaign['status']>(['queued', 'sending', 'paused', 'stopped', 'completed']),
  },
  {
    name: 'audience',
    label: t('Audience'),
    options: [
      { value: 'all', label: t('everyone') },
      { value: 'sandbox', label: t('test users') },
      { value: 'users', label: t('named users') },
    ],
  },
]

/** All campaigns; the numbers of running ones follow by themselves. */
export function CampaignsPage() {
  const search = useSearch({ strict: false })
  const write = (
    <Button component={Link} to="/notifications/new" leftSection={<IconPlus size={16} />}>
      {t('Write a campaign')}
    </Button>
  )
  return (
    <ListPage
      title={t('Notifications')}
      about={t('Campaigns to everyone, to test users, or to named users.')}
      queryKey="campaigns"
      load={loadCampaigns}
      search={search}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel={t('Title or text')}
      rowKey={({ id }) => id}
      refetchMs={(rows) => (rows.some(isRunning) ? 2_000 : false)}
      empty={{
        title: t('No campaign yet'),
        text: t('Write one, check its preview, and send it to yourself first.'),
        action: write,
      }}
      actions={
        <>
          <Button component={Link} to="/notifications/system" variant="default">
            {t('System notification')}
          </Button>
          {write}
        </>
      }
    />
  )
}
