import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { t } from '../translation/translate.ts'

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function CodeForm(props: {
  isPending: boolean
  waitSeconds: number
  submit: (code: string) => void
  again: () => void
}) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.submit(codeOf(code))
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {t('Your password is right. Enter the code that your app shows now, or a recovery code.')}
        </Text>
        <CodeInput value={code} onChange={setCode} />
        <Button type="submit" loading={props.isPending} disabled={props.waitSeconds > 0} fullWidth>
          {props.waitSeconds > 0 ? t('Wait {seconds} s', { seconds: props.waitSeconds }) : t('Sign in')}
        </Button>
        <Button variant="subtle" onClick={props.again}>
          {t('Begin again')}
        </Button>
      </Stack>
    </form>
  )
}

export function CodeInput({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (code: string) => void
  error?: string | undefined
}) {
  return (
    <TextInput
      label={t('Code')}
      description={t('Six digits, or a recovery code.')}
      autoComplete="one-time-code"
      required
      autoFocus
      maxLength={24}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Apps show a code in two groups; the API takes it without the gap. */
export function codeOf(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}
