import { Alert, Button, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Form, TextField, useFields } from '../common/form.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Failure } from '../common/states.tsx'
import { PresentPassword } from './present-password.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

const accountQuery = queryOptions({
  queryKey: ['own account'],
  queryFn: async () => (await readBody(api.GET('/api/v1/account'))).data,
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

/** The address that waits for its confirmation; nothing when none does. */
function Unconfirmed({
  account: { email, email_verified: isConfirmed, pending_email: pending },
}: {
  account: Account
}) {
  const resend = useCall(() => readBody(api.POST('/api/v1/account/confirm-email', {})), {
    done: t('A mail is on its way. Open its link within 30 minutes.'),
    isShown: true,
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
        {resend.error !== null && <Failure thrown={resend.error} />}
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
          {pending === null ? t('Send the mail') : t('Send the mail again')}
        </Button>
      </Stack>
    </Alert>
  )
}

/** Asks for a new address. Where the service sends mail, it waits for its confirmation; else it is changed at once. */
function AddressForm({ email }: { email: string }) {
  const { typed, field, clear } = useFields({ email: '', current_password: '' })
  const change = useCall(async () => (await readBody(api.PATCH('/api/v1/account', { body: typed }))).data, {
    done: describeAddress,
    refresh: [...accountQuery.queryKey, ...sessionQuery.queryKey],
    isShown: true,
  })
  return (
    <Form
      call={change}
      submit={() => change.mutate(undefined, { onSuccess: clear })}
      label={t('Change the address')}
      color="quiet"
      fields={Object.keys(typed)}
      name={t('E-mail address')}
    >
      <TextField
        label={t('New e-mail address')}
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        placeholder={email}
        {...field('email', change)}
      />
      <PresentPassword {...field('current_password', change)} />
    </Form>
  )
}

function describeAddress({ email, pending_email: pending }: Account): string {
  return pending === null
    ? t('Your address is {email}.', { email })
    : t('A mail is on its way to {email}. Open its link within 30 minutes.', { email: pending })
}
