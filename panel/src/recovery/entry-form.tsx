import { Alert, Button, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormProps } from '../common/typed.ts'
import { t } from '../translation/translate.ts'

type EntryFormProps = {
  label: string
  isPending: boolean
  submit: () => void
  /** How long the button waits before the next try. */
  waitSeconds?: number
  children: ReactNode
}

/** The form of an entry page: its fields, and one button as wide as they are. */
export function EntryForm({ label, isPending, submit, waitSeconds = 0, children }: EntryFormProps) {
  return (
    <form {...useFormProps(submit, { isPending, error: null })}>
      <Stack>
        {children}
        <Button type="submit" loading={isPending} disabled={waitSeconds > 0} fullWidth>
          {waitSeconds > 0 ? t('Wait {seconds} s', { seconds: waitSeconds }) : label}
        </Button>
      </Stack>
    </form>
  )
}

/** The address by which an account is found. */
export function AddressInput({ email, setEmail }: { email: string; setEmail: (email: string) => void }) {
  return (
    <TextInput
      label={t('E-mail')}
      type="email"
      autoComplete="username"
      required
      autoFocus
      value={email}
      onChange={({ currentTarget }) => setEmail(currentTarget.value)}
    />
  )
}

export function Refused({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  )
}

export function Done({ children }: { children: ReactNode }) {
  return (
    <Alert color="green" role="status">
      {children}
    </Alert>
  )
}
