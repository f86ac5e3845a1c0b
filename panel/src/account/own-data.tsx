import { Text } from '@mantine/core'
import { api, readBody } from '../api/client.ts'
import { Form, useFields } from '../common/form.tsx'
import { save } from '../common/save.ts'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { PresentPassword } from './present-password.tsx'
import { t } from '../translation/translate.ts'

/** Saves everything that the service has about oneself as a file. It takes the password. */
export function OwnData() {
  const { typed, field, clear } = useFields({ current_password: '' })
  const load = useCall(() => readBody<Blob>(api.POST('/api/v1/account/export', { body: typed, parseAs: 'blob' })), {
    done: t('Your data was saved as a file.'),
    onDone: (file) => {
      clear()
      save('swapbell-my-data.json', file)
    },
    isShown: true,
  })
  return (
    <TitledCard title={t('My data')}>
      <Form
        call={load}
        submit={() => load.mutate()}
        label={t('Get my data')}
        color="quiet"
        fields={Object.keys(typed)}
        name={t('My data')}
      >
        <Text size="sm">{t('Everything that the service stores about you, as one JSON file.')}</Text>
        <PresentPassword {...field('current_password', load)} />
      </Form>
    </TitledCard>
  )
}
