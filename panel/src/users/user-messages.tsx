import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { PageSteps } from '../common/list-page.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Rows } from '../common/list-rows.tsx'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Empty } from '../common/states.tsx'
import { PersonOutcome, PhoneOutcomes } from '../notifications/outcome.tsx'
import { t } from '../translation/translate.ts'

const PATH = '/api/admin/users/{user_id}/notifications'
type Message = RowOf<typeof PATH>

const PER_PAGE = 50

/** Why this user did or did not get each message. */
export function UserMessages({ userId }: { userId: number }) {
  const [page, setPage] = useState(1)
  const messages = useQuery({
    queryKey: ['user-messages', userId, page],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const params = { path: { user_id: userId }, query: { per_page: PER_PAGE, page } }
      return readBody(api.GET(PATH, { params }))
    },
  })
  return (
    <Loaded
      of={messages}
      pending={<Messages />}
      isEmpty={({ data }) => data.length === 0}
      empty={
        <Empty title={t('No message yet')}>
          {t('Nothing was sent to this user, and no campaign has skipped them.')}
        </Empty>
      }
    >
      {({ data, pagination: { total_pages: pages } }) => (
        <Stack>
          <Messages rows={data} />
          <PageSteps current={page} last={pages} go={setPage} />
        </Stack>
      )}
    </Loaded>
  )
}

/** `rows` undefined: they are loading. */
function Messages({ rows }: { rows?: Message[] }) {
  return (
    <Rows
      title={t('Messages to this user')}
      minWidth={560}
      rowKey={({ id }) => id}
      rows={rows}
      columns={[
        {
          header: t('Message'),
          cell: ({ id, notification_content: content }) => (
            <>
              <PageLink to={`/notifications/${id}`}>{content.title}</PageLink>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {content.body}
              </Text>
            </>
          ),
        },
        { header: t('Outcome'), cell: (message) => <PersonOutcome of={message} /> },
        { header: t('On each phone'), cell: (message) => <PhoneOutcomes of={message} /> },
        { header: t('Written'), cell: ({ created_at: at }) => <Moment at={at} /> },
      ]}
    />
  )
}
