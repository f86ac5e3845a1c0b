import { Alert, Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../common/modal.tsx'
import { api, bodyOf } from '../api/client.ts'
import { Form, TextArea, TextField } from '../common/form.tsx'
import { Moment } from '../common/moment.tsx'
import { t } from '../translation/translate.ts'
import { pushStatusQuery, type Status } from './push-status.ts'

// What a person types, so that nobody halts everything by a slip.
const WORD = 'HALT'

/** The switch that halts all sending: it asks why, and for a typed word. */
export function HaltButton() {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const close = () => {
    setOpen(false)
    setReason('')
    setTyped('')
    halt.reset()
  }
  const halt = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/admin/push-status/halt', { body: { reason: reason.trim() } })),
    onSuccess: ({ data }) => {
      queries.setQueryData(pushStatusQuery.queryKey, data)
      close()
    },
  })
  return (
    <>
      <Button color="red" variant="light" onClick={() => setOpen(true)}>
        {t('Halt sending')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('Halt all sending?')}>
        <Form
          call={halt}
          submit={() => halt.mutate()}
          label={t('Halt all sending')}
          color="red"
          isReady={reason.trim() !== '' && typed.trim() === WORD}
        >
          <Text size="sm">
            {t(
              'After one second no push is sent, neither of campaigns nor of chats, until somebody resumes sending. Pushes that were sent cannot be called back.',
            )}
          </Text>
          <TextArea
            label={t('Why')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onType={(text) => setReason(text.replaceAll('\n', ' '))}
            data-autofocus
          />
          <TextField
            label={t('Type {word} to confirm', { word: WORD })}
            required
            autoComplete="off"
            value={typed}
            onType={setTyped}
          />
        </Form>
      </Modal>
    </>
  )
}

type HandHaltProps = { halt: NonNullable<Status['halt']>; since: Status['since'] }

/** Who halted sending, when and why. */
export function HandHalt({ halt, since }: HandHaltProps) {
  return (
    <Alert color="red" title={t('Sending was halted by {name}', { name: halt.by?.name ?? t('an operator') })}>
      {halt.reason}
      <Text size="sm" c="dimmed">
        <Moment at={since} />
      </Text>
    </Alert>
  )
}
