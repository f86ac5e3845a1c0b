import { Code, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { paths } from '../../../client/src/schema.ts'
import { api, bodyOf } from '../api/client.ts'
import { inWords, phoneWord, Tag } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Empty, SkeletonRows } from '../common/states.tsx'
import { PushOutcome } from '../notifications/outcome.tsx'
import { t } from '../translation/translate.ts'

type Message =
  paths['/api/admin/users/{user_id}/notifications']['get']['responses'][200]['content']['application/json']['data'][number]

const WHY: Record<NonNullable<Message['skip_reason']>, string> = {
  no_device: t('This user had no phone to push to.'),
  signed_out: t('This user had signed out on every phone.'),
  opted_out: t('This user had switched notifications off.'),
  inactive: t('The account was not active.'),
  deleted: t('The account was deleted.'),
  too_big: t('The message was too big for a push.'),
  stopped: t('The send was stopped before this user was reached.'),
  stale: t('It was out of date before it could be sent.'),
  inbox_only: t('It went to inboxes alone, and no phone rings.'),
}

const OUTCOME_COLOURS = { notified: 'green', skipped: 'gray', waiting: 'blue' } as const

/** Why this user did or did not get each message. */
export function UserMessages({ userId }: { userId: number }) {
  const messages = useQuery({
    queryKey: ['user-messages', userId],
    queryFn: () =>
      bodyOf(
        api.GET('/api/admin/users/{user_id}/notifications', {
          params: { path: { user_id: userId }, query: { per_page: 50 } },
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
      {({ data }) => <Messages rows={data} />}
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
  const { notification_content: content, outcome, skip_reason: reason, notifications, created_at: at } = message
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} size="sm">
          {content.title}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {content.body}
        </Text>
      </Table.Td>
      <Table.Td>
        <Tag color={OUTCOME_COLOURS[outcome]}>{inWords(outcome)}</Tag>
        {reason !== null && (
          <Text size="xs" c="dimmed">
            {WHY[reason]}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={4}>
          {notifications.map((copy) => (
            <Group key={copy.id} gap="xs">
              <Text size="sm" component="div">
                {phoneWord(copy.platform)}: <PushOutcome push={copy} />
              </Text>
              {copy.error_message !== null && <Code>{copy.error_message}</Code>}
            </Group>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Moment at={at} />
      </Table.Td>
    </Table.Tr>
  )
}
