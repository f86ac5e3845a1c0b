import { PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { toRefusal, describeRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { Done, EntryForm, Refused } from './entry-form.tsx'
import { EntryPage, TO_SIGN_IN } from './entry-page.tsx'
import { tokenOfAddress } from './token.ts'

/** Where the link of a mail about a forgotten password leads: users of the app choose their new password here too. */
export function ResetPasswordPage() {
  const [token] = useState(tokenOfAddress)
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => readBody(api.POST('/api/v1/password/reset', { body: { token, password } })),
  })
  const refusal = reset.error === null ? undefined : toRefusal(reset.error)
  const isDead = token === '' || refusal?.fields['token'] !== undefined
  return (
    <EntryPage about={t('Choose a new password. You are then signed out everywhere.')} link={TO_SIGN_IN}>
      {isDead && <Refused>{t('This link is no longer valid. Request another mail.')}</Refused>}
      {!isDead && refusal !== undefined && refusal.fields['password'] === undefined && (
        <Refused>{describeRefusal(refusal)}</Refused>
      )}
      {reset.isSuccess && <Done>{t('Your password was changed. Sign in with it in the app or here.')}</Done>}
      {!isDead && !reset.isSuccess && (
        <EntryForm label={t('Change the password')} isPending={reset.isPending} submit={reset.mutate}>
          <PasswordInput
            label={t('New password')}
            description={t('8 characters or more, 12 for administrators.')}
            required
            autoFocus
            autoComplete="new-password"
            value={password}
            error={refusal?.fields['password']?.join(', ')}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </EntryForm>
      )}
    </EntryPage>
  )
}
