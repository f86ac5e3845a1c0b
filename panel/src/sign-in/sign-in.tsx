import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { api, bodyOf, toRefusal, wordsOf } from '../api/client.ts'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate(undefined)
  }
  return (
    <EntryPage
      about={t('Sign in to the administration.')}
      link={pendingToken === undefined ? { to: '/forgot-password', label: t('Forgot your password?') } : undefined}
    >
      {signIn.error !== null && <SignInFault thrown={signIn.error} waitSeconds={waitSeconds} />}
      {pendingToken === undefined ? (
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
            <PasswordInput
              label={t('Password')}
              autoComplete="current-password"
              required
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Button type="submit" loading={signIn.isPending} disabled={waitSeconds > 0} fullWidth>
              {waitSeconds > 0 ? t('Wait {seconds} s', { seconds: waitSeconds }) : t('Sign in')}
            </Button>
          </Stack>
        </form>
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
    <Alert color="red" role="alert">
      {waitSeconds > 0 ? t('Too many tries. Try again in {seconds} s.', { seconds: waitSeconds }) : words}
    </Alert>
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
