import {
  Alert,
  Button,
  Card,
  Group,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { durationOf } from '../common/duration.ts'
import { inWords } from '../common/labels.tsx'
import { PageHeader } from '../common/states.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { SendDialog } from './send-dialog.tsx'
import { numberOf, plural, t } from '../translation/translate.ts'

export type Content = { title: string; text: string; data?: { link: string } }
export type Audience = 'all' | 'sandbox'

/** Writes a campaign: what it looks like, whom it reaches, how long it takes; a test to oneself; then the send. */
export function ComposePage() {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [link, setLink] = useState('')
  const [audience, setAudience] = useState<Audience>('all')
  const content: Content = { title, text, ...(link.trim() !== '' && { data: { link: link.trim() } }) }
  const isComplete = title.trim() !== '' && text.trim() !== ''
  const { preview, faults, isChecking } = usePreview(content, isComplete)
  return (
    <>
      <PageHeader title={t('Write a campaign')} about={t('Nothing is sent before you confirm it.')} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextInput
            label={t('Title')}
            required
            maxLength={200}
            value={title}
            error={faults['title']?.join(', ')}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
            data-autofocus
          />
          <Textarea
            label={t('Text')}
            required
            autosize
            minRows={3}
            maxLength={2_000}
            value={text}
            error={faults['text']?.join(', ')}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <TextInput
            label={t('Link')}
            description={t(
              'Where a tap leads in the app, such as swapbell://items. Without one the app opens its list of notifications.',
            )}
            value={link}
            error={(faults['data'] ?? faults['data.link'])?.join(', ')}
            onChange={({ currentTarget }) => setLink(currentTarget.value)}
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="audience">
              {t('Audience')}
            </Text>
            <SegmentedControl
              aria-labelledby="audience"
              value={audience}
              onChange={(value) => setAudience(value)}
              data={[
                { value: 'all', label: t('Everyone') },
                { value: 'sandbox', label: t('Test users only') },
              ]}
            />
          </div>
          {audience === 'all' && <Reach preview={preview} isChecking={isChecking} isComplete={isComplete} />}
          <Actions
            content={content}
            audience={audience}
            isReady={isComplete && preview !== undefined}
            users={preview?.users}
          />
        </Stack>
        <PhonePreview title={title} text={text} />
      </SimpleGrid>
    </>
  )
}

type Preview = Awaited<ReturnType<typeof askPreview>>

async function askPreview(content: Content) {
  return (await bodyOf(api.POST('/api/admin/send-notification-all/preview', { body: content }))).data
}

/** What the send would do, asked while one writes, and the faults that the API finds in it. */
function usePreview(content: Content, isComplete: boolean) {
  const [settled] = useDebouncedValue(content, 400)
  const { data, error, isFetching } = useQuery({
    queryKey: ['preview', settled],
    queryFn: () => askPreview(settled),
    enabled: isComplete && settled.title.trim() !== '' && settled.text.trim() !== '',
    retry: false,
    placeholderData: (before) => before,
  })
  const faults = error === null ? {} : toRefusal(error).fields
  return { preview: error === null ? data : undefined, faults, isChecking: isFetching }
}

function Reach({
  preview,
  isChecking,
  isComplete,
}: {
  preview: Preview | undefined
  isChecking: boolean
  isComplete: boolean
}) {
  if (!isComplete) return <Text c="dimmed">{t('Write a title and a text to see whom the campaign reaches.')}</Text>
  if (preview === undefined) return isChecking ? <Skeleton height={180} /> : null
  const {
    selected,
    skipped,
    users,
    devices,
    payload_bytes: bytes,
    payload_limit: limit,
    seconds_to_finish: seconds,
  } = preview
  return (
    <Card withBorder aria-live="polite">
      <Group justify="space-between" align="baseline">
        <Text fw={600}>
          {preview.is_estimate === true
            ? t('Reaches about {users} of {total} users', { users, total: selected })
            : t('Reaches {users} of {total} users', { users, total: selected })}
        </Text>
        <Text size="sm" c="dimmed">
          {plural(devices.total, 'one phone, about {time}', '{count} phones, about {time}', {
            time: durationOf(seconds),
          })}
        </Text>
      </Group>
      <Table mt="xs" verticalSpacing={4} highlightOnHover={false} aria-label={t('Users without this push')}>
        <Table.Tbody>
          {Object.entries(skipped).map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Td c="dimmed">{REASONS[reason] ?? inWords(reason)}</Table.Td>
              <Table.Td ta="right">{numberOf(count)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td c="dimmed">{t('iPhones / Android phones')}</Table.Td>
            <Table.Td ta="right">
              {numberOf(devices.ios)} / {numberOf(devices.android)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        {t('Size: {bytes} of {limit} bytes', { bytes, limit })}
      </Text>
      <Progress
        value={(100 * bytes) / limit}
        size="sm"
        aria-label={t('Size: {bytes} of {limit} bytes', { bytes, limit })}
      />
    </Card>
  )
}

const REASONS: Record<string, string> = {
  no_device: t('have no phone'),
  opted_out: t('have switched notifications off'),
  inactive: t('are not active (suspended, banned)'),
}

type ActionProps = { content: Content; audience: Audience; isReady: boolean; users: number | undefined }

function Actions({ content, audience, isReady, users }: ActionProps) {
  const [isAsking, setAsking] = useState(false)
  const { id } = useSession()
  const navigate = useNavigate()
  const test = useMutation({
    mutationFn: () =>
      bodyOf(
        api.GET('/api/send-test-notification', {
          params: {
            query: {
              user_id: id,
              title: content.title,
              text: content.text,
              ...(content.data && { link: content.data.link }),
            },
          },
        }),
      ),
    onSuccess: () => notifications.show({ color: 'green', message: t('The test is on its way to your own phones.') }),
  })
  return (
    <>
      {test.error !== null && <Alert color="red">{toRefusal(test.error).message}</Alert>}
      <Group>
        <Button variant="default" disabled={!isReady} loading={test.isPending} onClick={() => test.mutate()}>
          {t('Test to myself')}
        </Button>
        <Button disabled={!isReady} onClick={() => setAsking(true)}>
          {t('Send…')}
        </Button>
      </Group>
      <SendDialog
        isOpen={isAsking}
        close={() => setAsking(false)}
        content={content}
        audience={audience}
        users={users}
        sent={(messageId) => void navigate({ to: '/notifications/$id', params: { id: String(messageId) }, search: {} })}
      />
    </>
  )
}
