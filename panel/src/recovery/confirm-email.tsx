import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { toRefusal, describeRefusal } from '../api/refusal.ts'
import { t } from '../translation/translate.ts'
import { Done, Refused } from './entry-form.tsx'
import { EntryPage, TO_SIGN_IN } from './entry-page.tsx'
import { tokenOfAddress } from './token.ts'

/** Where the link that confirms an address leads. It takes a click: programs that check mails open links. */
export function ConfirmEmailPage() {
  const [token] = useState(tokenOfAddress)
  const confirm = useMutation({
    mutationFn: () => readBody(api.POST('/api/v1/email/confirm', { body: { token } })),
  })
  const refusal = confirm.error === null ? undefined : toRefusal(confirm.error)
  const isDead = token === '' || refusal?.fields['token'] !== undefined
  return (
    <EntryPage about={t('Confirm that this e-mail address is yours.')} link={TO_SIGN_IN}>
      {isDead && <Refused>{t('This link is no longer valid. Request another mail.')}</Refused>}
      {!isDead && refusal !== undefined && <Refused>{describeRefusal(refusal)}</Refused>}
      {confirm.isSuccess && <Done>{t('Your address is confirmed.')}</Done>}
      {!isDead && !confirm.isSuccess && (
        <Button loading={confirm.isPending} onClick={() => confirm.mutate()} fullWidth>
          {t('Confirm the address')}
        </Button>
      )}
    </EntryPage>
  )
}
