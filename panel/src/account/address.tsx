import { Alert, Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { faultsOf, Form, TextField } from '../common/form.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Failure } from '../common/states.tsx'
import { PresentPassword } from './present-password.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { t } from '../translation/translate.ts'

const accountQuery = queryOptions({
  queryKey: ['own account'],
  queryFn: async () => (await bodyOf(api.GET('/api/v1/account'))).data,
})

type Account = Awaited<ReturnType<NonNullable<typeof accountQuery.queryFn>>>

/** One's own e-mail address: whether it is confirmed, the mail for that once more, and a change of it. */
export function Address() {
  const account = useQuery(accountQuery)
  return (
    <TitledCard title={t('E-mail address')}>
      <Loaded of={account} pending={200}>
        {(data) => (
          <>
            <Unconfirmed account={data} />
            <AddressForm email={data.email} />
          </>
        )}
      </Loaded>
    </TitledCard>
  )
}

/** Which address waits for its confirmation; nothing when none does. */
function Unconfirmed({
  account: { email, email_verified: isConfirmed, pending_email: pending },
}: {
  account: Account
}) {
  const again = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/account/confirm-email', {})),
    onSuccess: () =>
      notifications.show({ color: 'green', message: t('A mail is on its way. Open its link within 30 minutes.') }),
  })
  if (pending === null && isConfirmed) return <Text size="sm">{t('{email} is confirmed.', { email })}</Text>
  return (
    <Alert
      color={pending === null ? 'gray' : 'yellow'}
      title={
        pending === null
          ? t('{email} is not confirmed', { email })
          : t('{email} waits for your confirmation', { email: pending })
      }
    >
      <Stack align="flex-start">
        <Text size="sm">
          {pending === null
            ? t('Send a mail to it, and open its link within 30 minutes.')
            : t('Open the link in the mail that we sent there. Until then {email} stays your address.', { email })}
        </Text>
        {again.error !== null && <Failure thrown={again.error} />}
        <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {pending === null ? t('Send the mail') : t('Send the mail again')}
        </Button>
      </Stack>
    </Alert>
  )
}

/** Asks for a new address. Where the service sends mail, it waits for its confirmation; else it is changed at once. */
function AddressForm({ email }: { email: string }) {
  const queries = useQueryClient()
  const [next, setNext] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: async () =>
      (await bodyOf(api.PATCH('/api/v1/account', { body: { email: next, current_password: password } }))).data,
    onSuccess: async (account) => {
      setNext('')
      setPassword('')
      queries.setQueryData(accountQuery.queryKey, account)
      notifications.show({ color: 'green', message: saidOf(account) })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  const faults = faultsOf(change.error)
  return (
    <Form
      call={change}
      submit={() => change.mutate()}
      label={t('Change the address')}
      color="quiet"
      fields={['email', 'current_password']}
      name={t('E-mail address')}
    >
      <TextField
        label={t('New e-mail address')}
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        placeholder={email}
        value={next}
        faults={faults['email']}
        onType={setNext}
      />
      <PresentPassword value={password} faults={faults['current_password']} onType={setPassword} />
    </Form>
  )
}

function saidOf({ email, pending_email: pending }: Account): string {
  return pending === null
    ? t('Your address is {email}.', { email })
    : t('A mail is on its way to {email}. Open its link within 30 minutes.', { email: pending })
}
