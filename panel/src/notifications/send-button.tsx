import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readBody } from '../api/client.ts'
import { showThatItWaits } from '../approvals/waits.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form } from '../common/form.tsx'
import { t } from '../translation/translate.ts'

type Answer = { data: { notification_id: number } | { approval: object } }

type SendButtonProps<Body> = {
  isReady: boolean
  title: string
  about: string
  whom: string
  /** A second administrator must approve it; absent: that is known only when it is asked for. */
  needsApproval?: boolean
  body: Body
  /** Sends the body once for each key. */
  send: (call: { body: Body; headers: { 'Idempotency-Key': string } }) => Parameters<typeof readBody<Answer>>[0]
  sent: (messageId: number) => void
  /** Clears what was written, once the service has it. */
  forget: () => void
}

/** Asks before a message leaves. What was written is sent once, also when it is sent again after a lost answer. */
export function SendButton<Body>({ isReady, title, about, whom, body, ...props }: SendButtonProps<Body>) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const written = JSON.stringify(body)
  const key = useMemo(() => `${crypto.randomUUID()}-${written.length}`, [written])
  const send = useMutation({
    mutationFn: () => readBody<Answer>(props.send({ body, headers: { 'Idempotency-Key': key } })),
    onSuccess: async ({ data }) => {
      props.forget()
      await queries.invalidateQueries({ queryKey: ['campaigns'] })
      if ('notification_id' in data) return props.sent(data.notification_id)
      await queries.invalidateQueries({ queryKey: ['approvals'] })
      showThatItWaits()
      await navigate({ to: '/approvals', search: { status: 'waiting' } })
    },
  })
  return (
    <DialogButton
      variant="filled"
      style={{ alignSelf: 'flex-start' }}
      opens={t('Send…')}
      heading={title}
      disabled={!isReady}
    >
      {() => (
        <Form
          call={send}
          submit={() => send.mutate()}
          label={props.needsApproval === true ? t('Ask to send to {whom}', { whom }) : t('Send to {whom}', { whom })}
        >
          {props.needsApproval === true && (
            <Text fw={600}>{t('A second administrator must approve this first. Nothing is sent before.')}</Text>
          )}
          <Text>{about}</Text>
        </Form>
      )}
    </DialogButton>
  )
}
