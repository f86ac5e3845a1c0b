import { Button, Group, Text } from '@mantine/core'
import { toDateField } from '../common/days.ts'
import { Form, TextField, useFields } from '../common/form.tsx'
import { plural, t } from '../translation/translate.ts'
import { SuspensionReason } from './suspension-reason.tsx'

const CHOICES = [1, 7, 30]
const DAY_MS = 86_400_000

export type Suspension = { status_reason: string | null; suspended_until: string | null }

type SuspendProps = { call: { isPending: boolean; error: unknown }; suspend: (suspension: Suspension) => void }

export function SuspendForm({ call, suspend }: SuspendProps) {
  const { typed, change, field } = useFields({ reason: '', suspended_until: '' })
  const submit = () =>
    suspend({
      status_reason: typed.reason.trim() || null,
      suspended_until: typed.suspended_until === '' ? null : new Date(typed.suspended_until).toISOString(),
    })
  return (
    <Form call={call} submit={submit} label={t('Suspend')} color="yellow" fields={['suspended_until']}>
      <Text size="sm">
        {t(
          'All sessions end at once, products are hidden, and no push is sent to this user until the account is active again.',
        )}
      </Text>
      <SuspensionReason reason={typed.reason} setReason={(reason) => change({ reason })} />
      <TextField
        type="datetime-local"
        label={t('Until')}
        description={t('Empty: until an administrator makes the account active again.')}
        {...field('suspended_until', call)}
      />
      <Group gap="xs">
        {CHOICES.map((days) => (
          <Button
            key={days}
            size="compact-sm"
            variant="default"
            onClick={() => change({ suspended_until: toDateField(new Date(Date.now() + days * DAY_MS)) })}
          >
            {plural(days, 'one day', '{count} days')}
          </Button>
        ))}
      </Group>
    </Form>
  )
}
