import { Alert, Button, Code, List, Stack, Text } from '@mantine/core'
import { t } from '../translation/translate.ts'

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
