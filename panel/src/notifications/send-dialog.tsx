import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { Failure } from '../common/states.tsx'
import type { Audience, Content } from './compose.tsx'

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
      sent(data.notification_id)
    },
  })
  const whom =
    audience === 'sandbox' ? 'the test users' : users === 1 ? 'one user' : `${(users ?? 0).toLocaleString()} users`
  return (
    <Modal opened={isOpen} onClose={close} title="Send this campaign?">
      <Stack>
        <Text>
          “{content.title}” goes to {whom} at once. You can pause or stop it while it runs; what has left cannot be
          called back.
        </Text>
        {send.error !== null && <Failure thrown={send.error} />}
        <Button loading={send.isPending} onClick={() => send.mutate()} data-autofocus>
          Send to {whom}
        </Button>
      </Stack>
    </Modal>
  )
}
