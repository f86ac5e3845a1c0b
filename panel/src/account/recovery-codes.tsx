import { Alert, Button, Code, List, Stack, Text } from '@mantine/core'
import { plural, t } from '../translation/translate.ts'

/** New recovery codes, which are shown once. */
export function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  return (
    <Alert color="yellow" title={t('Keep these recovery codes')}>
      <Stack>
        <Text size="sm">
          {t('They are shown only once. Each of them signs you in once without your app or your passkey.')}
        </Text>
        <List listStyleType="none">
          {codes.map((code) => (
            <List.Item key={code}>
              <Code>{code}</Code>
            </List.Item>
          ))}
        </List>
        <Button variant="default" onClick={done}>
          {t('I have kept them')}
        </Button>
      </Stack>
    </Alert>
  )
}

export function CodesCount({ left }: { left: number }) {
  return (
    <>
      {plural(left, '{count} of 10 recovery codes is left.', '{count} of 10 recovery codes are left.')}{' '}
      {left < 3 && t('Get new ones.')}
    </>
  )
}
