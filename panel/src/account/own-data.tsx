import { Button, Card, PasswordInput, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { save } from '../common/save.ts'
import { Failure } from '../common/states.tsx'
import { t } from '../translation/translate.ts'

/** Saves everything that the service has about oneself as a file. It takes the password. */
export function OwnData() {
  const [password, setPassword] = useState('')
  const load = useMutation({
    mutationFn: () =>
      bodyOf<Blob>(api.POST('/api/v1/account/export', { body: { current_password: password }, parseAs: 'blob' })),
    onSuccess: (file) => {
      setPassword('')
      save('swapbell-my-data.json', file)
      notifications.show({ color: 'green', message: t('Your data was saved as a file.') })
    },
  })
  const faults = load.error === null ? {} : toRefusal(load.error).fields
  const submit = (event: FormEvent) => {
    event.preventDefault()
    load.mutate()
  }
  return (
    <Card withBorder component="form" onSubmit={submit} aria-label={t('My data')}>
      <Stack>
        <Text fw={600} component="h2" size="md">
          {t('My data')}
        </Text>
        <Text size="sm">{t('Everything that the service has about you, as one JSON file.')}</Text>
        {load.error !== null && Object.keys(faults).length === 0 && <Failure thrown={load.error} />}
        <PasswordInput
          label={t('Present password')}
          required
          autoComplete="current-password"
          value={password}
          error={faults['current_password']?.join(', ')}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={load.isPending}>
          {t('Get my data')}
        </Button>
      </Stack>
    </Card>
  )
}
