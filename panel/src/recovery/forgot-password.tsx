import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, bodyOf, toRefusal, wordsOf } from '../api/client.ts'
import { t } from '../translation/translate.ts'
import { EntryPage, TO_SIGN_IN } from './entry-page.tsx'

/** Asks for the mail by which a new password is chosen. The answer is the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/password/forgot', { body: { email } })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <EntryPage about={t('We send you a mail with a link for choosing a new password.')} link={TO_SIGN_IN}>
      {ask.error !== null && (
        <Alert color="red" role="alert">
          {wordsOf(toRefusal(ask.error))}
        </Alert>
      )}
      {ask.isSuccess ? (
        <Alert color="green" role="status">
          {t('If this address has an account, a mail is on its way. Its link works for 30 minutes.')}
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={t('E-mail')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <Button type="submit" loading={ask.isPending} fullWidth>
              {t('Send the mail')}
            </Button>
          </Stack>
        </form>
      )}
    </EntryPage>
  )
}
