import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { Form, PasswordField, TextField, useFields } from '../common/form.tsx'
import { inWords } from '../common/labels.tsx'
import { useCall } from '../common/use-call.ts'
import { UserPicker, type PickedUser } from '../common/user-picker.tsx'
import { t } from '../translation/translate.ts'
import { rolesQuery } from './roles-query.ts'

type Role = PickedUser['role']

export function changeRole({ user: { id, version }, ...body }: { user: PickedUser; role: Role; password?: string }) {
  return readBody(api.PATCH('/api/admin/v1/user-update', { body: { id, ...body }, headers: ifVersion(version) }))
}

export const REFRESHED = ['administrators', 'users', 'pick-users']

/** Gives an account a role of the panel, after the username was typed. `user` absent: it is chosen here. */
export function GiveForm({ user: known, close }: { user?: PickedUser; close: () => void }) {
  const [picked, setPicked] = useState<PickedUser | undefined>(known)
  const [role, setRole] = useState<Role | null>(null)
  const { typed, field } = useFields({ word: '', password: '' })
  const { data: roles = [] } = useQuery(rolesQuery)
  const give = useCall(changeRole, { done: t('The role was given.'), refresh: REFRESHED, isShown: true })
  const isPasswordRequired = field('password', give).faults !== undefined || typed.password !== ''
  const offered = roles.filter(({ permissions, may_give }) => permissions.length > 0 && may_give)
  const submit = () => {
    if (picked === undefined || role === null) return
    const { password } = typed
    give.mutate({ user: picked, role, ...(password !== '' && { password }) }, { onSuccess: close })
  }
  return (
    <Form
      call={give}
      submit={submit}
      label={t('Give the role')}
      fields={['password']}
      isReady={role !== null && typed.word === picked?.username}
    >
      <Text size="sm">{t('The sessions of this account end. The new role applies from the next sign-in.')}</Text>
      {known === undefined && <UserPicker label={t('Account')} value={picked} onChange={setPicked} />}
      <Select
        label={t('Role')}
        required
        data={offered.map(({ role: value }) => ({ value, label: inWords(value) }))}
        value={role}
        onChange={setRole}
      />
      {isPasswordRequired && (
        <PasswordField
          label={t('New password')}
          description={t('12 characters or more. Tell it to this person; nobody else can read it.')}
          autoComplete="new-password"
          {...field('password', give)}
        />
      )}
      {picked !== undefined && (
        <TextField label={t('Type {word} to confirm', { word: picked.username })} {...field('word', give)} />
      )}
    </Form>
  )
}
