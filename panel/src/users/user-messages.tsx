import { Pagination, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { paths } from '../../../client/src/schema.ts'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { CONTROLS } from '../common/list-page.tsx'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Empty, SkeletonRows } from '../common/states.tsx'
import { PersonOutcome, PhoneOutcomes } from '../notifications/outcome.tsx'
import { t } from '../translation/translate.ts'

type Message =
  paths['/api/admin/users/{user_id}/notifications']['get']['responses'][200]['content']['application/json']['data'][number]

const PER_PAGE = 50

/** Why this user did or did not get each message. */
export function UserMessages({ userId }: { userId: number }) {
  const [page, setPage] = useState(1)
  const messages = useQuery({
    queryKey: ['user-messages', userId, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      bodyOf(
        api.GET('/api/admin/users/{user_id}/notifications', {
          params: { path: { user_id: userId }, query: { per_page: PER_PAGE, page } },
        }),
      ),
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
          {pages > 1 && (
            <Pagination
              value={page}
              total={pages}
              onChange={setPage}
              size="sm"
              getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** `rows` undefined: they are loading. */
function Messages({ rows }: { rows?: Message[] }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table aria-label={t('Messages to this user')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Message')}</Table.Th>
            <Table.Th>{t('Outcome')}</Table.Th>
            <Table.Th>{t('On each phone')}</Table.Th>
            <Table.Th>{t('Written')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined && <SkeletonRows columns={4} />}
          {rows?.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Row({ message }: { message: Message }) {
  const { id, notification_content: content, created_at: at } = message
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to={`/notifications/${id}`}>{content.title}</PageLink>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {content.body}
        </Text>
      </Table.Td>
      <Table.Td>
        <PersonOutcome of={message} />
      </Table.Td>
      <Table.Td>
        <PhoneOutcomes of={message} />
      </Table.Td>
      <Table.Td>
        <Moment at={at} />
      </Table.Td>
    </Table.Tr>
  )
}
