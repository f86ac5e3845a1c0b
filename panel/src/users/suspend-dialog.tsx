import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { fieldOf } from '../common/days.ts'
import { faultsOf, Form, TextField } from '../common/form.tsx'
import { Modal } from '../common/modal.tsx'
import { plural, t } from '../translation/translate.ts'
import { SuspensionReason } from './suspension-reason.tsx'

const CHOICES = [1, 7, 30]
const DAY_MS = 86_400_000

export type Suspension = { status_reason: string | null; suspended_until: string | null }

type SuspendProps = {
  isOpen: boolean
  close: () => void
  name: string
  call: { isPending: boolean; error: unknown }
  suspend: (suspension: Suspension) => void
}

/** Asks why an account is suspended, and until when. */
export function SuspendDialog({ isOpen, close, name, ...form }: SuspendProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={t('Suspend {name}', { name })}>
      {isOpen && <SuspendForm {...form} />}
    </Modal>
  )
}

function SuspendForm({ call, suspend }: Pick<SuspendProps, 'call' | 'suspend'>) {
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const submit = () =>
    suspend({
      status_reason: reason.trim() || null,
      suspended_until: until === '' ? null : new Date(until).toISOString(),
    })
  return (
    <Form call={call} submit={submit} label={t('Suspend')} color="yellow" fields={['suspended_until']}>
      <Text size="sm">
        {t(
          'All sessions end at once, products are hidden, and no push is sent to this user until the account is active again.',
        )}
      </Text>
      <SuspensionReason reason={reason} setReason={setReason} />
      <TextField
        type="datetime-local"
        label={t('Until')}
        description={t('Empty: until an administrator makes the account active again.')}
        value={until}
        faults={faultsOf(call.error)['suspended_until']}
        onType={setUntil}
      />
      <Group gap="xs">
        {CHOICES.map((days) => (
          <Button
            key={days}
            size="compact-sm"
            variant="default"
            onClick={() => setUntil(fieldOf(new Date(Date.now() + days * DAY_MS)))}
          >
            {plural(days, 'one day', '{count} days')}
          </Button>
        ))}
      </Group>
    </Form>
  )
}
