import { Button, Progress } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { toOptions, State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { campaignState } from './outcome.tsx'
import { formatNumber, t } from '../translation/translate.ts'

const PATH = '/api/admin/promotional-notifications'
export type Campaign = RowOf<typeof PATH>

/** True while its numbers still change by themselves. */
export function isRunning({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'queued' || status === 'sending'
}

const write = (
  <Button component={Link} to="/notifications/new" leftSection={<IconPlus size={16} />}>
    {t('Write a campaign')}
  </Button>
)

/** All campaigns; the numbers of running ones follow by themselves. */
export const CampaignsPage = listPage(PATH, {
  queryKey: 'campaigns',
  columns: [
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
      cell: ({ status, progress, counts, homes_not_counted: lost }) => (
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
          {lost && <div className="about">{t('Without people of homes {homes}', { homes: lost.join(', ') })}</div>}
        </>
      ),
    },
    { header: t('Selected'), isNumber: true, cell: ({ counts }) => formatNumber(counts.selected) },
    { header: t('Sent'), isNumber: true, cell: ({ counts }) => formatNumber(counts.sent) },
    { header: t('Delivered'), isNumber: true, cell: ({ counts }) => formatNumber(counts.delivered) },
    { header: t('Opened'), isNumber: true, cell: ({ counts }) => formatNumber(counts.opened) },
    { header: t('Failed'), isNumber: true, cell: ({ counts }) => formatNumber(counts.failed) },
    {
      sort: 'created_at',
      header: t('Written'),
      cell: ({ created_at: at, sender }) => (
        <>
          <Moment at={at} />
          <div className="about">{sender?.name ?? t('the service')}</div>
        </>
      ),
    },
  ],
  filters: [
    {
      name: 'status',
      label: t('State'),
      options: toOptions(['queued', 'sending', 'paused', 'stopped', 'completed']),
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
  ],
  searchLabel: t('Title or text'),
  refetchMs: (rows) => (rows.some(isRunning) ? 2_000 : false),
  empty: {
    title: t('No campaign yet'),
    text: t('Write one, check its preview, and send it to yourself first.'),
    action: write,
  },
  actions: (
    <>
      <Button component={Link} to="/notifications/system" variant="default">
        {t('System notification')}
      </Button>
      {write}
    </>
  ),
})
