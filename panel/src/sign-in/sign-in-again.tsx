import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SIGNED_OUT } from '../api/send.ts'
import { leaveForSignIn, useSession } from '../api/session.ts'
import { part } from '../common/loaded.tsx'
import { t } from '../translation/translate.ts'

// Most sessions end without it, so a page does not load it.
const SignInForm = part('sign-in', async () => (await import('./sign-in.tsx')).SignInForm)

/** Asks for a sign-in over the page when the session has ended. What was typed stays, and calls that wait go on. */
export function SignInAgain() {
  const { email } = useSession()
  const queries = useQueryClient()
  const waiting = useRef<(() => void)[]>([])
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onSignedOut = (event: Event) => {
      event.preventDefault()
      waiting.current.push((event as CustomEvent<() => void>).detail)
      setOpen(true)
    }
    addEventListener(SIGNED_OUT, onSignedOut)
    return () => removeEventListener(SIGNED_OUT, onSignedOut)
  }, [])
  const goOn = () => {
    setOpen(false)
    for (const call of waiting.current.splice(0)) call()
    void queries.invalidateQueries()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      withCloseButton={false}
      zIndex={1_000}
      title={t('Your session has ended. Sign in again.')}
    >
      <Stack>
        <Text size="sm">{t('You sign in as {email}. What you have typed stays.', { email })}</Text>
        {isOpen && <SignInForm signedIn={goOn} known={email} />}
        <Anchor component="button" type="button" size="sm" onClick={() => void leaveForSignIn()}>
          {t('Sign in as somebody else')}
        </Anchor>
      </Stack>
    </Modal>
  )
}
