import { Button, Card, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, bodyOf, toRefusal } from '../api/client.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { Failure, PageHeader } from '../common/states.tsx'
import { Address } from './address.tsx'
import { OwnData } from './own-data.tsx'
import { Sessions } from './sessions.tsx'
import { chooseLanguage, language, LANGUAGES, type Language } from '../translation/language.ts'
import { t } from '../translation/translate.ts'
import { SecondFactor } from './second-factor.tsx'

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

/** One's own account: name, address, password, second factor, sessions, data, and the language of the panel. */
export function AccountPage() {
  return (
    <Stack maw={480}>
      <PageHeader title={t('My account')} about={useSession().email} />
      <NameForm />
      <Address />
      <PasswordForm />
      <SecondFactor />
      <Sessions />
      <OwnData />
      <LanguageChoice />
    </Stack>
  )
}

function NameForm() {
  const [name, setName] = useState(useSession().name)
  const change = useChange(t('Your name was changed.'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ name })
  }
  return (
    <Card withBorder component="form" onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          required
          maxLength={100}
          value={name}
          error={change.error === null ? undefined : toRefusal(change.error).fields['name']?.join(', ')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t('Change the name')}
        </Button>
      </Stack>
    </Card>
  )
}

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useChange(t('Your password was changed. Your other sessions have ended.'))
  const faults = change.error === null ? {} : toRefusal(change.error).fields
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ password: next, current_password: current })
  }
  return (
    <Card withBorder component="form" onSubmit={submit}>
      <Stack>
        <Text fw={600} component="h2" size="md">
          {t('Password')}
        </Text>
        {change.error !== null && Object.keys(faults).length === 0 && <Failure thrown={change.error} />}
        <PasswordInput
          label={t('Present password')}
          required
          autoComplete="current-password"
          value={current}
          error={faults['current_password']?.join(', ')}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
        <PasswordInput
          label={t('New password')}
          description={t('12 characters or more for administrators.')}
          required
          autoComplete="new-password"
          value={next}
          error={faults['password']?.join(', ')}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t('Change the password')}
        </Button>
      </Stack>
    </Card>
  )
}

function LanguageChoice() {
  return (
    <Card withBorder>
      <Select
        label={t('Language')}
        description={t('Loads the panel anew. Dates and numbers follow.')}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label }))}
        value={language}
        allowDeselect={false}
        onChange={(code) => code !== null && chooseLanguage(code)}
      />
    </Card>
  )
}
