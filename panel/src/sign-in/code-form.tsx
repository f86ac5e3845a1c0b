import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { EntryForm } from '../recovery/entry-form.tsx'
import type { SecondStepProps } from './passkey-form.tsx'
import { t } from '../translation/translate.ts'

type CodeFormProps = SecondStepProps & {
  submit: (code: string) => void
  /** Whether the account has an app; otherwise it has recovery codes alone. */
  hasApp: boolean
  /** Absent: there is no passkey. */
  other?: (() => void) | undefined
}

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function CodeForm(props: CodeFormProps) {
  const [code, setCode] = useState('')
  return (
    <Stack>
      <EntryForm
        label={t('Sign in')}
        isPending={props.isPending}
        waitSeconds={props.waitSeconds}
        submit={() => props.submit(cleanCode(code))}
      >
        <Text size="sm">
          {props.hasApp
            ? t('Your password is right. Enter the code that your app shows now, or a recovery code.')
            : t('Your password is right. Enter one of your recovery codes.')}
        </Text>
        <CodeInput value={code} onType={setCode} />
      </EntryForm>
      {props.other !== undefined && (
        <Button variant="default" onClick={props.other}>
          {t('Use your passkey instead')}
        </Button>
      )}
      <Button variant="subtle" onClick={props.retry}>
        {t('Begin again')}
      </Button>
    </Stack>
  )
}

type CodeInputProps = { value: string; onType: (code: string) => void; faults?: string[] | undefined }

export function CodeInput({ value, onType, faults }: CodeInputProps) {
  return (
    <TextInput
      label={t('Code')}
      description={t('Six digits, or a recovery code.')}
      autoComplete="one-time-code"
      required
      autoFocus
      maxLength={24}
      value={value}
      error={faults?.join(', ')}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  )
}

/** Apps show a code in two groups; the API takes it without the gap. */
export function cleanCode(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}
