import { Button, Stack, Text } from '@mantine/core'
import { t } from '../translation/translate.ts'

export type SecondStepProps = {
  isPending: boolean
  waitSeconds: number
  /** Leads back to the form for the password. */
  retry: () => void
}

export function PasskeyForm(props: SecondStepProps & { submit: () => void; other: () => void }) {
  return (
    <Stack>
      <Text size="sm">{t('Your password is right. Now use your passkey.')}</Text>
      <Button onClick={props.submit} loading={props.isPending} disabled={props.waitSeconds > 0} autoFocus fullWidth>
        {props.waitSeconds > 0 ? t('Wait {seconds} s', { seconds: props.waitSeconds }) : t('Use your passkey')}
      </Button>
      <Button variant="default" onClick={props.other}>
        {t('Use a code instead')}
      </Button>
      <Button variant="subtle" onClick={props.retry}>
        {t('Begin again')}
      </Button>
    </Stack>
  )
}
