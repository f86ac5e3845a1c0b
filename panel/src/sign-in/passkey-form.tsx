import { Button, Stack, Text } from '@mantine/core'
import { t } from '../translation/translate.ts'

/** The second step of a sign-in by a passkey. */
export function PasskeyForm(props: {
  isPending: boolean
  waitSeconds: number
  submit: () => void
  other: () => void
  again: () => void
}) {
  return (
    <Stack>
      <Text size="sm">{t('Your password is right. Now use your passkey.')}</Text>
      <Button onClick={props.submit} loading={props.isPending} disabled={props.waitSeconds > 0} autoFocus fullWidth>
        {props.waitSeconds > 0 ? t('Wait {seconds} s', { seconds: props.waitSeconds }) : t('Use your passkey')}
      </Button>
      <Button variant="default" onClick={props.other}>
        {t('Use a code instead')}
      </Button>
      <Button variant="subtle" onClick={props.again}>
        {t('Begin again')}
      </Button>
    </Stack>
  )
}
