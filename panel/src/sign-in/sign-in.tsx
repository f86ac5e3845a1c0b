import { PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { toRefusal, describeRefusal } from '../api/refusal.ts'
import { AddressInput, EntryForm, Refused } from '../recovery/entry-form.tsx'
import { EntryPage } from '../recovery/entry-page.tsx'
import { t } from '../translation/translate.ts'
import { CodeForm } from './code-form.tsx'
import { knowsPasskeys, signByPasskey } from './passkey.ts'
import { PasskeyForm, type SecondStepProps } from './passkey-form.tsx'

type Pending = { pending_token: string; factors: string[] }
type Step = { kind: 'password' } | { kind: 'code'; code: string } | { kind: 'passkey' }

/** The sign-in page. `signedIn` is called when the session is there. */
export function SignInPage({ signedIn }: { signedIn: () => void }) {
  return (
    <EntryPage
      about={t('Sign in to the administration.')}
      link={{ to: '/forgot-password', label: t('Forgot your password?') }}
    >
      <SignInForm signedIn={signedIn} />
    </EntryPage>
  )
}

/** Both steps of a sign-in. `known`: the address of whoever signs in again. */
export function SignInForm({ signedIn, known }: { signedIn: () => void; known?: string }) {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [pending, setPending] = useState<Pending>()
  const signIn = useMutation({
    mutationFn: (step: Step) => {
      const token = pending?.pending_token ?? ''
      if (step.kind === 'password') return withPassword(email, password)
      return step.kind === 'code' ? withCode(token, step.code) : withPasskey(token)
    },
    onSuccess: ({ data }) => ('pending_token' in data ? setPending(data) : signedIn()),
    onError: (thrown) => {
      if (toRefusal(thrown).code === 'SIGN_IN_EXPIRED') setPending(undefined)
    },
  })
  const waitSeconds = useCountdown(
    signIn.error === null ? undefined : toRefusal(signIn.error).retryAfter,
    signIn.failureCount,
  )
  return (
    <Stack>
      {signIn.error !== null && <SignInFault thrown={signIn.error} waitSeconds={waitSeconds} />}
      {pending === undefined ? (
        <EntryForm
          label={t('Sign in')}
          isPending={signIn.isPending}
          waitSeconds={waitSeconds}
          submit={() => signIn.mutate({ kind: 'password' })}
        >
          {known === undefined && <AddressInput email={email} setEmail={setEmail} />}
          {/* Over a page it may come after its dialog, which has then given the focus to what was there. */}
          <PasswordInput
            data-autofocus
            autoFocus={known !== undefined}
            label={t('Password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </EntryForm>
      ) : (
        <SecondStep
          factors={pending.factors}
          isPending={signIn.isPending}
          waitSeconds={waitSeconds}
          show={signIn.mutate}
          forget={signIn.reset}
          retry={() => {
            setPending(undefined)
            signIn.reset()
          }}
        />
      )}
    </Stack>
  )
}

type StepProps = SecondStepProps & { factors: string[]; show: (step: Step) => void; forget: () => void }

/** The passkey first, where there is one, and a code as the other way. */
function SecondStep(props: StepProps) {
  const { factors, show, ...rest } = props
  const hasPasskey = factors.includes('passkey') && knowsPasskeys()
  const [isByPasskey, setByPasskey] = useState(hasPasskey)
  const turn = () => {
    props.forget()
    setByPasskey(!isByPasskey)
  }
  return isByPasskey ? (
    <PasskeyForm {...rest} submit={() => show({ kind: 'passkey' })} other={turn} />
  ) : (
    <CodeForm
      {...rest}
      hasApp={factors.includes('app')}
      submit={(code) => show({ kind: 'code', code })}
      other={hasPasskey ? turn : undefined}
    />
  )
}

function withPassword(email: string, password: string) {
  return readBody(api.POST('/api/admin/v1/session', { body: { email, password } }))
}

function withCode(pending_token: string, code: string) {
  return readBody(api.POST('/api/admin/v1/session/second-factor', { body: { pending_token, code } }))
}

async function withPasskey(pending_token: string) {
  const { data } = await readBody(api.POST('/api/admin/v1/session/passkey/options', { body: { pending_token } }))
  const passkey = await signByPasskey(data)
  return readBody(api.POST('/api/admin/v1/session/passkey', { body: { pending_token, passkey } }))
}

function SignInFault({ thrown, waitSeconds }: { thrown: unknown; waitSeconds: number }) {
  const words = describeRefusal(toRefusal(thrown))
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
