import { Alert, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form, TextArea, TextField, useFields } from '../common/form.tsx'
import { useCall } from '../common/use-call.ts'
import { Moment } from '../common/moment.tsx'
import { t } from '../translation/translate.ts'
import { pushStatusQuery, type Provider } from './push-status.ts'

// What a person types, so that nobody halts everything by a slip.
const WORD = 'HALT'

/** The switch that halts all sending: it asks why, and for a typed word. */
export function HaltButton() {
  return (
    <DialogButton color="red" variant="light" opens={t('Halt sending')} heading={t('Halt all sending?')}>
      {(close) => <HaltForm close={close} />}
    </DialogButton>
  )
}

function HaltForm({ close }: { close: () => void }) {
  const { typed, change, field } = useFields({ reason: '', word: '' })
  const queries = useQueryClient()
  const reason = typed.reason.trim()
  const halt = useCall(() => readBody(api.POST('/api/admin/push-status/halt', { body: { reason } })), {
    onDone: ({ data }) => {
      queries.setQueryData(pushStatusQuery.queryKey, data)
      close()
    },
    isShown: true,
  })
  return (
    <Form
      call={halt}
      submit={() => halt.mutate()}
      label={t('Halt all sending')}
      color="red"
      isReady={reason !== '' && typed.word.trim() === WORD}
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
        {...field('reason', halt)}
        onType={(text) => change({ reason: text.replaceAll('\n', ' ') })}
        data-autofocus
      />
      <TextField
        label={t('Type {word} to confirm', { word: WORD })}
        required
        autoComplete="off"
        {...field('word', halt)}
      />
    </Form>
  )
}

/** Who halted sending, when and why; of several providers, by which ones. */
export function HandHalts({ providers }: { providers: Provider[] }) {
  const halted = Object.groupBy(providers, ({ halt }) => JSON.stringify(halt))
  return Object.values(halted).map((alike = []) => {
    const [first] = alike
    if (first === undefined || first.halt === null) return null
    const name = first.halt.by?.name ?? t('an operator')
    const isAll = alike.length === providers.length
    const by = alike.map(({ provider }) => provider).join(', ')
    return (
      <Alert
        key={by}
        color="red"
        title={
          isAll
            ? t('Sending was halted by {name}', { name })
            : t('Sending by {providers} was halted by {name}', { providers: by, name })
        }
      >
        {first.halt.reason}
        <Text size="sm" c="dimmed">
          <Moment at={first.since} />
        </Text>
      </Alert>
    )
  })
}
