import { Modal, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { bodyOf } from '../api/client.ts'
import { showThatItWaits } from '../approvals/waits.ts'
import { Form } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

type Answer = { data: { notification_id: number } | { approval: object } }

type SendDialogProps<Body> = {
  isOpen: boolean
  close: () => void
  title: string
  about: string
  whom: string
  body: Body
  /** Sends the body once for each key. */
  send: (call: { body: Body; headers: { 'Idempotency-Key': string } }) => Parameters<typeof bodyOf<Answer>>[0]
  sent: (messageId: number) => void
}

/** Asks before a message leaves. What was written is sent once, also when it is sent again after a lost answer. */
export function SendDialog<Body>({ isOpen, close, title, about, whom, body, ...props }: SendDialogProps<Body>) {
  const queries = useQueryClient()
  const written = JSON.stringify(body)
  const [asked, setAsked] = useState(0)
  const key = useMemo(() => `${crypto.randomUUID()}-${asked}-${written.length}`, [asked, written])
  const send = useMutation({
    mutationFn: () => bodyOf<Answer>(props.send({ body, headers: { 'Idempotency-Key': key } })),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ['campaigns'] })
      if ('notification_id' in data) return props.sent(data.notification_id)
      // What was asked for may be refused, and then it is asked for anew.
      setAsked((before) => before + 1)
      showThatItWaits()
      close()
    },
  })
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <Form call={send} submit={() => send.mutate()} label={t('Send to {whom}', { whom })}>
        <Text>{about}</Text>
      </Form>
    </Modal>
  )
}
