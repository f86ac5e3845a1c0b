import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { toRefusal, describeRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { AddressInput, Done, EntryForm, Refused } from './entry-form.tsx'
import { EntryPage, TO_SIGN_IN } from './entry-page.tsx'

/** Asks for the mail by which a new password is chosen. The answer is the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => readBody(api.POST('/api/v1/password/forgot', { body: { email } })),
  })
  return (
    <EntryPage about={t('We send you a mail with a link for choosing a new password.')} link={TO_SIGN_IN}>
      {ask.error !== null && <Refused>{describeRefusal(toRefusal(ask.error))}</Refused>}
      {ask.isSuccess ? (
        <Done>{t('If this address has an account, a mail is on its way. Its link works for 30 minutes.')}</Done>
      ) : (
        <EntryForm label={t('Send the mail')} isPending={ask.isPending} submit={ask.mutate}>
          <AddressInput email={email} setEmail={setEmail} />
        </EntryForm>
      )}
    </EntryPage>
  )
}
