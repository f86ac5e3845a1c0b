import { PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, bodyOf, toRefusal, wordsOf } from '../api/client.ts'
import { AddressInput, EntryForm, Refused } from '../recovery/entry-form.tsx'
import { EntryPage } from '../recovery/entry-page.tsx'
import { t } from '../translation/translate.ts'
import { CodeForm } from './code-form.tsx'

/** The sign-in page. `signedIn` is called when the session is there. */
export function SignInPage({ signedIn }: { signedIn: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [pendingToken, setPendingToken] = useState<string>()
  const signIn = useMutation({
    mutationFn: (code: string | undefined) =>
      code === undefined ? withPassword(email, password) : withCode(pendingToken ?? '', code),
    onSuccess: ({ data }) => ('pending_token' in data ? setPendingToken(data.pending_token) : signedIn()),
    onError: (thrown) => {
      if (toRefusal(thrown).code === 'SIGN_IN_EXPIRED') setPendingToken(undefined)
    },
  })
  const waitSeconds = useCountdown(
    signIn.error === null ? undefined : toRefusal(signIn.error).retryAfter,
    signIn.failureCount,
  )
  return (
    <EntryPage
      about={t('Sign in to the administration.')}
      link={pendingToken === undefined ? { to: '/forgot-password', label: t('Forgot your password?') } : undefined}
    >
      {signIn.error !== null && <SignInFault thrown={signIn.error} waitSeconds={waitSeconds} />}
      {pendingToken === undefined ? (
        <EntryForm
          label={t('Sign in')}
          isPending={signIn.isPending}
          waitSeconds={waitSeconds}
          submit={() => signIn.mutate(undefined)}
        >
          <AddressInput email={email} setEmail={setEmail} />
          <PasswordInput
            label={t('Password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </EntryForm>
      ) : (
        <CodeForm
          isPending={signIn.isPending}
          waitSeconds={waitSeconds}
          submit={(code) => signIn.mutate(code)}
          again={() => {
            setPendingToken(undefined)
            signIn.reset()
          }}
        />
      )}
    </EntryPage>
  )
}

function withPassword(email: string, password: string) {
  return bodyOf(api.POST('/api/admin/v1/session', { body: { email, password } }))
}

function withCode(pending_token: string, code: string) {
  return bodyOf(api.POST('/api/admin/v1/session/second-factor', { body: { pending_token, code } }))
}

function SignInFault({ thrown, waitSeconds }: { thrown: unknown; waitSeconds: number }) {
  const words = wordsOf(toRefusal(thrown))
  return (
    <Refused>
      {waitSeconds > 0 ? t('Too many tries. Try again in {seconds} s.', { seconds: waitSeconds }) : words}
    </Refused>
  )
}

/** Counts down whole seconds from `seconds`, again for each `of`. */
function useCountdown(seconds: number | undefined, of: number): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    setLeft(seconds ?? 0)
    if (seconds === undefined) return undefined
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000)
    return () => clearInterval(timer)
  }, [seconds, of])
  return left
}
