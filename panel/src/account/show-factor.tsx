import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { Form, useFields } from '../common/form.tsx'
import { Failure } from '../common/states.tsx'
import { CodeInput, cleanCode } from '../sign-in/code-form.tsx'
import { knowsPasskeys, signByPasskey } from '../sign-in/passkey.ts'
import { t } from '../translation/translate.ts'
import { passkeysQuery } from './passkeys-query.ts'

/** Whether a change was refused because the second factor was not shown just before. */
export function isStale(error: unknown): boolean {
  return error !== null && toRefusal(error).code === 'SECOND_FACTOR_STALE'
}

/** Asks for the second factor again: by a passkey, or by a code. `done` is called once it was shown. */
export function ShowFactor({ done }: { done: () => void }) {
  const { data } = useQuery(passkeysQuery)
  const hasPasskey = data?.is_available === true && data.passkeys.length > 0 && knowsPasskeys()
  const byPasskey = useMutation({ mutationFn: showPasskey, onSuccess: done })
  const { typed, field } = useFields({ code: '' })
  const byCode = useMutation({
    mutationFn: () =>
      readBody(api.POST('/api/v1/account/second-factor/show', { body: { code: cleanCode(typed.code) } })),
    onSuccess: done,
  })
  return (
    <Stack>
      <Text size="sm">{t('Show your second factor first. Then you can change it for ten minutes.')}</Text>
      {byPasskey.error !== null && <Failure thrown={byPasskey.error} />}
      {hasPasskey && (
        <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          {t('Use your passkey')}
        </Button>
      )}
      <Form call={byCode} submit={() => byCode.mutate()} label={t('Use the code')} color="quiet" fields={['code']}>
        <CodeInput {...field('code', byCode)} />
      </Form>
    </Stack>
  )
}

async function showPasskey() {
  const { data } = await readBody(api.POST('/api/v1/account/show-passkey/options', { body: {} }))
  const passkey = await signByPasskey(data)
  return readBody(api.POST('/api/v1/account/show-passkey', { body: { passkey } }))
}
