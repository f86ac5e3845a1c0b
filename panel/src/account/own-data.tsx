import { Card, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { faultsOf, Form } from '../common/form.tsx'
import { save } from '../common/save.ts'
import { PresentPassword } from './present-password.tsx'
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
  return (
    <Card withBorder>
      <Form
        call={load}
        submit={() => load.mutate()}
        label={t('Get my data')}
        color="quiet"
        fields={['current_password']}
        name={t('My data')}
      >
        <Text fw={600} component="h2" size="md">
          {t('My data')}
        </Text>
        <Text size="sm">{t('Everything that the service stores about you, as one JSON file.')}</Text>
        <PresentPassword value={password} faults={faultsOf(load.error)['current_password']} onType={setPassword} />
      </Form>
    </Card>
  )
}
