import { Alert, Button, Card, Checkbox, Group, Progress, Skeleton, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { toRefusal, describeRefusal } from '../api/refusal.ts'
import { useSession } from '../api/session.ts'
import { formatDuration } from '../common/duration.ts'
import { inWords } from '../common/labels.tsx'
import { UsersPicker, type NamedUser } from '../common/user-picker.tsx'
import { Failure } from '../common/states.tsx'
import { Choice, DraftPage, useDraft, useKept, type Content, type Draft } from './draft.tsx'
import { usePreview, type Preview } from './preview.ts'
import { SendButton } from './send-button.tsx'
import { formatNumber, plural, t } from '../translation/translate.ts'

type Audience = 'all' | 'sandbox' | 'named'

const NAMED_MAX = 100

type Addressees = { audience: Audience; users: NamedUser[]; promotional: boolean; isQuiet: boolean }

const EVERYONE: Addressees = { audience: 'all', users: [], promotional: false, isQuiet: false }

/** Writes a campaign: its look, its audience, its duration; a test to oneself; then the send. */
export function ComposePage() {
  const draft = useDraft('campaign')
  const { content, isComplete } = draft
  // A reload must not turn a campaign to a few into one to everyone.
  const { kept: to, change: address, forget } = useKept('campaign-to', EVERYONE)
  const { audience, users, promotional, isQuiet } = to
  const { preview, faults, failure, retry, isChecking } = usePreview(content, isComplete)
  return (
    <DraftPage
      title={t('Write a campaign')}
      about={t('Nothing is sent before you confirm it.')}
      linkAbout={t(
        'Where a tap leads in the app, such as swapbell://items. Without one the app opens its list of notifications.',
      )}
      draft={draft}
      faults={faults}
    >
      <Choice
        label={t('Audience')}
        value={audience}
        options={{ all: t('Everyone'), sandbox: t('Test users only'), named: t('Named users') }}
        choose={(chosen) => address({ audience: chosen })}
      />
      {failure !== null && <Failure thrown={failure} retry={() => void retry()} />}
      {audience === 'all' && <Reach preview={preview} isChecking={isChecking} isComplete={isComplete} />}
      {audience === 'named' && (
        <>
          <UsersPicker
            label={t('Users')}
            value={users}
            max={NAMED_MAX}
            onChange={(picked) => address({ users: picked })}
          />
          <Checkbox
            label={t('It is a promotion')}
            description={t(
              'A promotion to named users goes also to those who switched notifications off, and stays in the list.',
            )}
            checked={promotional}
            onChange={({ currentTarget }) => address({ promotional: currentTarget.checked })}
          />
        </>
      )}
      <Checkbox
        label={t('To the inbox only')}
        description={t('No phone rings; people find it in the app.')}
        checked={isQuiet}
        onChange={({ currentTarget }) => address({ isQuiet: currentTarget.checked })}
      />
      <Actions
        {...{ draft, to, preview }}
        isReady={isComplete && preview !== undefined}
        forget={() => {
          draft.forget()
          forget()
        }}
      />
    </DraftPage>
  )
}

type ReachProps = { preview: Preview | undefined; isChecking: boolean; isComplete: boolean }

function Reach({ preview, isChecking, isComplete }: ReachProps) {
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
            time: formatDuration(seconds),
          })}
        </Text>
      </Group>
      <Table mt="xs" verticalSpacing={4} highlightOnHover={false} aria-label={t('Users without this push')}>
        <Table.Tbody>
          {Object.entries(skipped).map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Td c="dimmed">{REASONS[reason] ?? inWords(reason)}</Table.Td>
              <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td c="dimmed">{t('iPhones / Android phones / browsers')}</Table.Td>
            <Table.Td ta="right">
              {formatNumber(devices.ios)} / {formatNumber(devices.android)} / {formatNumber(devices.web)}
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
  signed_out: t('have signed out on their phone'),
  opted_out: t('have switched notifications off'),
  inactive: t('are not active (suspended, banned)'),
}

function describeSkipped(skipped: { no_device: number; signed_out: number; opted_out: number }) {
  if (skipped.no_device + skipped.signed_out > 0)
    return { color: 'yellow', message: t('You are signed in on no phone: sign in to the app on one, then test again.') }
  if (skipped.opted_out > 0)
    return { color: 'yellow', message: t('You have switched notifications off, so no phone of yours rings.') }
  return { color: 'green', message: t('The test is on its way to your own phones.') }
}

type MessageInput = Content & { inbox_only: boolean }
type Named = MessageInput & { user_ids: number[]; promotional: boolean }

/** Sends to named users, or asks a second administrator where they are too many for one. */
async function sendToNamed(call: { body: Named; headers: { 'Idempotency-Key': string } }) {
  const sent = await api.POST('/api/admin/send-notification', call)
  if (sent.error?.code !== 'INVALID_STATE') return sent
  return api.POST('/api/admin/send-notification/approval', { body: call.body })
}

type ActionProps = {
  draft: Draft
  to: Addressees
  isReady: boolean
  preview: Preview | undefined
  forget: () => void
}

function Actions({ draft: { content }, to, isReady, preview, forget }: ActionProps) {
  const { audience, users, promotional, isQuiet } = to
  const { id } = useSession()
  const navigate = useNavigate()
  const reach = audience === 'named' ? users.length : (preview?.users ?? 0)
  const whom = audience === 'sandbox' ? t('the test users') : plural(reach, 'one user', '{count} users')
  const message: MessageInput = { ...content, inbox_only: isQuiet }
  const named: Named = { ...message, user_ids: users.map(({ id: userId }) => userId), promotional }
  const test = useMutation({
    mutationFn: () =>
      readBody(
        api.POST('/api/send-test-notification', {
          body: {
            user_id: id,
            title: content.title,
            text: content.text,
            ...(content.data && { link: content.data.link }),
          },
        }),
      ),
    onSuccess: ({ data: { skipped } }) => notifications.show(describeSkipped(skipped)),
  })
  return (
    <>
      {test.error !== null && <Alert color="red">{describeRefusal(toRefusal(test.error))}</Alert>}
      <Group>
        <Button variant="default" disabled={!isReady} loading={test.isPending} onClick={() => test.mutate()}>
          {t('Test to myself')}
        </Button>
        <SendButton
          isReady={isReady && (audience !== 'named' || users.length > 0)}
          title={t('Send this campaign?')}
          about={
            isQuiet
              ? t('“{title}” comes into the inboxes of {whom} at once. No phone rings.', { title: content.title, whom })
              : t(
                  '“{title}” is sent to {whom} at once. You can pause or stop it while it runs. Pushes that were sent cannot be called back.',
                  { title: content.title, whom },
                )
          }
          whom={whom}
          needsApproval={audience === 'all' && preview?.needs_approval === true}
          body={audience === 'named' ? named : message}
          send={({ headers }) => {
            if (audience === 'named') return sendToNamed({ body: named, headers })
            const call = { body: message, headers }
            return audience === 'all'
              ? api.POST('/api/admin/send-notification-all', call)
              : api.POST('/api/admin/send-notification-sandbox', call)
          }}
          forget={forget}
          sent={(messageId) =>
            void navigate({ to: '/notifications/$id', params: { id: String(messageId) }, search: {} })
          }
        />
      </Group>
    </>
  )
}
