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
import { inWords } from '../common/labels.tsx'
import { PageHeader } from '../common/states.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { SendDialog } from './send-dialog.tsx'

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
      <PageHeader title="Write a campaign" about="Nothing is sent before you confirm it." />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextInput
            label="Title"
            required
            maxLength={200}
            value={title}
            error={faults['title']?.join(', ')}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
            data-autofocus
          />
          <Textarea
            label="Text"
            required
            autosize
            minRows={3}
            maxLength={2_000}
            value={text}
            error={faults['text']?.join(', ')}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <TextInput
            label="Link"
            description="Where a tap leads in the app, such as swapbell://items. Without one the app opens its list of notifications."
            value={link}
            error={(faults['data'] ?? faults['data.link'])?.join(', ')}
            onChange={({ currentTarget }) => setLink(currentTarget.value)}
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="audience">
              Audience
            </Text>
            <SegmentedControl
              aria-labelledby="audience"
              value={audience}
              onChange={(value) => setAudience(value)}
              data={[
                { value: 'all', label: 'Everyone' },
                { value: 'sandbox', label: 'Test users only' },
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
  if (!isComplete) return <Text c="dimmed">Write a title and a text to see whom the campaign reaches.</Text>
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
          Reaches {preview.is_estimate === true ? 'about ' : ''}
          {users.toLocaleString()} of {selected.toLocaleString()} users
        </Text>
        <Text size="sm" c="dimmed">
          {devices.total.toLocaleString()} phones, about {durationOf(seconds)}
        </Text>
      </Group>
      <Table mt="xs" verticalSpacing={4} highlightOnHover={false} aria-label="Users without this push">
        <Table.Tbody>
          {Object.entries(skipped).map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Td c="dimmed">{REASONS[reason] ?? inWords(reason)}</Table.Td>
              <Table.Td ta="right">{count.toLocaleString()}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td c="dimmed">iPhones / Android phones</Table.Td>
            <Table.Td ta="right">
              {devices.ios.toLocaleString()} / {devices.android.toLocaleString()}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        Size: {bytes.toLocaleString()} of {limit.toLocaleString()} bytes
      </Text>
      <Progress value={(100 * bytes) / limit} size="sm" aria-label={`${bytes} of ${limit} bytes`} />
    </Card>
  )
}

const REASONS: Record<string, string> = {
  no_device: 'have no phone',
  opted_out: 'have switched notifications off',
  inactive: 'are not active (suspended, banned)',
}

/** A length of time in words. */
export function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${(seconds / 3_600).toFixed(1)} h`
  return `${Math.round(seconds / 86_400)} days`
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
    onSuccess: () => notifications.show({ color: 'green', message: 'The test is on its way to your own phones.' }),
  })
  return (
    <>
      {test.error !== null && <Alert color="red">{toRefusal(test.error).message}</Alert>}
      <Group>
        <Button variant="default" disabled={!isReady} loading={test.isPending} onClick={() => test.mutate()}>
          Test to myself
        </Button>
        <Button disabled={!isReady} onClick={() => setAsking(true)}>
          Send…
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
