import { Button, Group, Progress, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { State, Tag } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { useCall } from '../common/use-call.ts'
import { formatNumber, t } from '../translation/translate.ts'

const PATH = '/api/admin/v1/users-exports'
type Export = RowOf<typeof PATH>

/** Why an export has no file. */
const WHY: Record<NonNullable<Export['error']>, string> = {
  CANCELLED: t('Somebody has cancelled it.'),
  STALLED: t('It made no progress and was ended. Ask for it again.'),
  INTERNAL_ERROR: t('The service failed. The error was logged.'),
}

function isRunning({ status }: Export): boolean {
  return status === 'queued' || status === 'running'
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return t('{size} bytes', { size: bytes })
  return bytes < 1_000_000
    ? `${formatNumber(Math.round(bytes / 1_000))} KB`
    : `${formatNumber(Math.round(bytes / 100_000) / 10)} MB`
}

/** The exports of the last day: how far each is, and its file. */
export const ExportsPage = listPage(PATH, {
  queryKey: 'exports',
  columns: [
    { header: t('No.'), cell: ({ id }) => id },
    { header: t('What'), cell: ({ format }) => t('Users, as {format}', { format: format.toUpperCase() }) },
    {
      header: t('State'),
      cell: (row) => (
        <>
          {row.error === 'CANCELLED' ? <Tag color="gray">{t('cancelled')}</Tag> : <State of={row.status} />}
          {row.status === 'running' && (
            <Progress value={100} animated size="sm" mt={4} aria-label={t('Is written now')} />
          )}
          {row.error !== null && row.error !== 'CANCELLED' && (
            <Text size="xs" c="dimmed">
              {WHY[row.error]}
            </Text>
          )}
        </>
      ),
    },
    { header: t('Rows'), isNumber: true, cell: ({ rows }) => (rows === null ? '–' : formatNumber(rows)) },
    { header: t('Size'), isNumber: true, cell: ({ bytes }) => formatSize(bytes) },
    { header: t('By'), cell: ({ requested_by: id, requester_name: name }) => <UserLink id={id} name={name} /> },
    { header: t('Asked for'), cell: ({ requested_at: at }) => <Moment at={at} /> },
    { header: t('Kept until'), cell: ({ expires_at: at }) => <Moment at={at} /> },
    { header: t('Actions'), cell: (row) => <Actions row={row} /> },
  ],
  refetchMs: (rows) => (rows.some(isRunning) ? 1_000 : false),
  empty: {
    title: t('No export yet'),
    text: t('In the list of users, filter or select people, then choose Export.'),
    action: (
      <Button component={Link} to="/users" variant="default">
        {t('Go to the users')}
      </Button>
    ),
  },
})

function Actions({ row }: { row: Export }) {
  const params = { params: { path: { id: row.id } } }
  const cancel = useCall(() => readBody(api.POST('/api/admin/v1/users-export/{id}/cancel', { ...params, body: {} })), {
    done: t('The export was cancelled.'),
    refresh: ['exports'],
  })
  // The link works once, so it is requested at the click.
  const download = useCall(
    async () => {
      const { data } = await readBody(api.GET('/api/admin/v1/users-export/{id}', params))
      if (data.download !== null) location.assign(data.download.url)
    },
    { done: t('The download begins.'), refresh: [] },
  )
  if (isRunning(row))
    return (
      <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('Cancel')}
      </Button>
    )
  if (row.status !== 'done') return null
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('Download')}
      </Button>
    </Group>
  )
}
