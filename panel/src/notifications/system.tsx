import { Button, Modal, SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { Failure, PageHeader } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { UsersPicker, type PickedUser } from '../common/user-picker.tsx'
import { plural, t } from '../translation/translate.ts'
import { PhonePreview } from './phone-preview.tsx'

const NAMED_MAX = 100

/** Writes a system notification, which is no promotion: to people who are named, or to everyone. */
export function SystemNotificationPage() {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [link, setLink] = useState('')
  const [to, setTo] = useState<'named' | 'all'>('named')
  const [users, setUsers] = useState<PickedUser[]>([])
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const body = {
    title,
    text,
    ...(to === 'all' ? { all: true as const } : { user_ids: users.map(({ id }) => id) }),
    ...(link.trim() !== '' && { data: { link: link.trim() } }),
  }
  // One key for one content: a second press sends nothing twice, also after an answer that was lost.
  const content = JSON.stringify(body)
  const key = useMemo(() => `${crypto.randomUUID()}-${content.length}`, [content])
  const send = useCall(
    () => bodyOf(api.POST('/api/admin/send-system-notification', { body, headers: { 'Idempotency-Key': key } })),
    { done: t('The notification is on its way.'), refresh: ['campaigns'], isShown: true },
  )
  const { fields } = toRefusal(send.error)
  const isComplete = title.trim() !== '' && text.trim() !== '' && (to === 'all' || users.length > 0)
  const whom = to === 'all' ? t('everyone') : plural(users.length, 'one user', '{count} users')
  return (
    <>
      <PageHeader
        title={t('Write a system notification')}
        about={t(
          'What the service itself has to say: no promotion. Who has switched off system messages does not get it.',
        )}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextInput
            label={t('Title')}
            required
            maxLength={200}
            value={title}
            error={fields['title']?.join(', ')}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <Textarea
            label={t('Text')}
            required
            autosize
            minRows={3}
            maxLength={2_000}
            value={text}
            error={fields['text']?.join(', ')}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <TextInput
            label={t('Link')}
            value={link}
            error={(fields['data'] ?? fields['data.link'])?.join(', ')}
            onChange={({ currentTarget }) => setLink(currentTarget.value)}
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="addressees">
              {t('To whom')}
            </Text>
            <SegmentedControl
              aria-labelledby="addressees"
              value={to}
              onChange={(value) => setTo(value)}
              data={[
                { value: 'named', label: t('Named users') },
                { value: 'all', label: t('Everyone') },
              ]}
            />
          </div>
          {to === 'named' && (
            <UsersPicker
              label={t('Users')}
              value={users}
              max={NAMED_MAX}
              error={fields['user_ids']?.join(', ')}
              onChange={setUsers}
            />
          )}
          <Button disabled={!isComplete} onClick={() => setAsking(true)} style={{ alignSelf: 'flex-start' }}>
            {t('Send…')}
          </Button>
        </Stack>
        <PhonePreview title={title} text={text} />
      </SimpleGrid>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={t('Send this notification?')}>
        <Stack>
          <Text>{t('“{title}” goes to {whom} at once.', { title, whom })}</Text>
          {send.error !== null && <Failure thrown={send.error} />}
          <Button
            loading={send.isPending}
            data-autofocus
            onClick={() =>
              send.mutate(undefined, { onSuccess: () => void navigate({ to: '/notifications', search: {} }) })
            }
          >
            {t('Send to {whom}', { whom })}
          </Button>
        </Stack>
      </Modal>
    </>
  )
}
