import { Card, Select, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { toFieldFaults, Form, PasswordField, TextField, useFields } from '../common/form.tsx'
import { PageHeader } from '../common/states.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { useCall } from '../common/use-call.ts'
import { Address } from './address.tsx'
import { BrowserPush } from './browser.tsx'
import { OwnData } from './own-data.tsx'
import { Passkeys } from './passkeys.tsx'
import { PresentPassword } from './present-password.tsx'
import { Sessions } from './sessions.tsx'
import { chooseLanguage, language, LANGUAGES, type Language } from '../translation/language.ts'
import { t } from '../translation/translate.ts'
import { areLettersOn, switchLetters } from '../shell/keys.tsx'
import { SecondFactor } from './second-factor.tsx'

type Change = { name?: string; password?: string; current_password?: string }

function useChange(done: string) {
  return useCall((body: Change) => readBody(api.PATCH('/api/v1/account', { body })), {
    done,
    refresh: sessionQuery.queryKey,
    isShown: true,
  })
}

/**
 * One's own account: name, address, password, second factor, passkeys, sessions, data, and the language of the panel.
 */
export function AccountPage() {
  return (
    <Stack maw={480}>
      <PageHeader title={t('My account')} about={useSession().email} />
      <NameForm />
      <Address />
      <PasswordForm />
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <BrowserPush />
      <OwnData />
      <LettersChoice />
      <LanguageChoice />
    </Stack>
  )
}

function NameForm() {
  const [name, setName] = useState(useSession().name)
  const change = useChange(t('Your name was changed.'))
  const faults = toFieldFaults(change.error)['name']
  return (
    <Card withBorder>
      <Form
        call={change}
        submit={() => change.mutate({ name })}
        label={t('Change the name')}
        color="quiet"
        fields={['name']}
      >
        <TextField label={t('Name')} required maxLength={100} value={name} faults={faults} onType={setName} />
      </Form>
    </Card>
  )
}

function PasswordForm() {
  const { typed, field } = useFields({ password: '', current_password: '' })
  const change = useChange(t('Your password was changed. Your other sessions have ended.'))
  return (
    <TitledCard title={t('Password')}>
      <Form
        call={change}
        submit={() => change.mutate(typed)}
        label={t('Change the password')}
        color="quiet"
        fields={Object.keys(typed)}
      >
        <PresentPassword {...field('current_password', change)} />
        <PasswordField
          label={t('New password')}
          description={t('12 characters or more for administrators.')}
          autoComplete="new-password"
          {...field('password', change)}
        />
      </Form>
    </TitledCard>
  )
}

function LettersChoice() {
  const [isOn, setOn] = useState(areLettersOn)
  return (
    <Card withBorder>
      <Switch
        label={t('Letters as shortcuts')}
        description={t('Press ? for a list of them. Ctrl-K always works.')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          switchLetters(checked)
          setOn(checked)
        }}
      />
    </Card>
  )
}

function LanguageChoice() {
  return (
    <Card withBorder>
      <Select
        label={t('Language')}
        description={t('Reloads the panel. Dates and numbers change too.')}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label }))}
        value={language}
        allowDeselect={false}
        onChange={(code) => code !== null && chooseLanguage(code)}
      />
    </Card>
  )
}
