import { Button, Card, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { Failure, PageHeader } from '../common/states.tsx'

type Change = { name?: string; password?: string; current_password?: string }

function useChange(done: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Change) => bodyOf(api.PATCH('/api/v1/account', { body })),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: done })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

/** One's own account: name and password. */
export function AccountPage() {
  return (
    <Stack maw={480}>
      <PageHeader title="My account" about={useSession().email} />
      <NameForm />
      <PasswordForm />
    </Stack>
  )
}

function NameForm() {
  const [name, setName] = useState(useSession().name)
  const change = useChange('Your name was changed.')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ name })
  }
  return (
    <Card withBorder component="form" onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          error={change.error === null ? undefined : toRefusal(change.error).fields['name']?.join(', ')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          Change the name
        </Button>
      </Stack>
    </Card>
  )
}

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useChange('Your password was changed. Your other sessions have ended.')
  const faults = change.error === null ? {} : toRefusal(change.error).fields
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ password: next, current_password: current })
  }
  return (
    <Card withBorder component="form" onSubmit={submit}>
      <Stack>
        <Text fw={600} component="h2" size="md">
          Password
        </Text>
        {change.error !== null && Object.keys(faults).length === 0 && <Failure thrown={change.error} />}
        <PasswordInput
          label="Present password"
          required
          autoComplete="current-password"
          value={current}
          error={faults['current_password']?.join(', ')}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="12 characters or more for administrators."
          required
          autoComplete="new-password"
          value={next}
          error={faults['password']?.join(', ')}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          Change the password
        </Button>
      </Stack>
    </Card>
  )
}
