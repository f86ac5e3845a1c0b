import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { showThatItWaits } from '../approvals/waits.ts'
import { Failure } from '../common/states.tsx'
import type { Audience, Content } from './compose.tsx'
import { plural, t } from '../translation/translate.ts'

type SendDialogProps = {
  isOpen: boolean
  close: () => void
  content: Content
  audience: Audience
  users: number | undefined
  sent: (messageId: number) => void
}

/** Asks before a campaign leaves. One opening of the dialog is one send, however often the button is pressed. */
export function SendDialog({ isOpen, close, content, audience, users, sent }: SendDialogProps) {
  const [key, setKey] = useState('')
  useEffect(() => {
    if (isOpen) setKey(crypto.randomUUID())
  }, [isOpen])
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: () => {
      const call = { body: content, headers: { 'Idempotency-Key': key } }
      return bodyOf(
        audience === 'all'
          ? api.POST('/api/admin/send-notification-all', call)
          : api.POST('/api/admin/send-notification-sandbox', call),
      )
    },
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ['campaigns'] })
      if ('notification_id' in data) return sent(data.notification_id)
      showThatItWaits()
      close()
    },
  })
  const whom = audience === 'sandbox' ? t('the test users') : plural(users ?? 0, 'one user', '{count} users')
  return (
    <Modal opened={isOpen} onClose={close} title={t('Send this campaign?')}>
      <Stack>
        <Text>
          {t(
            '“{title}” goes to {whom} at once. You can pause or stop it while it runs; what has left cannot be called back.',
            { title: content.title, whom },
          )}
        </Text>
        {send.error !== null && <Failure thrown={send.error} />}
        <Button loading={send.isPending} onClick={() => send.mutate()} data-autofocus>
          {t('Send to {whom}', { whom })}
        </Button>
      </Stack>
    </Modal>
  )
}
