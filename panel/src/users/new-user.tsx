import { Card, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { rolesQuery, type Role } from '../administrators/roles-query.ts'
import { api, readBody } from '../api/client.ts'
import { Form, PasswordField, TextField, useFields } from '../common/form.tsx'
import { inWords } from '../common/labels.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { t } from '../translation/translate.ts'

const EMPTY = { name: '', email: '', username: '', password: '', role: 'user' as Role['role'] }

export function NewUserPage() {
  const roles = useQuery(rolesQuery)
  return (
    <Stack maw={480}>
      <PageHeader
        title={t('Add a user')}
        about={t('The person gets a mail to confirm the address, if the service sends mail.')}
      />
      <Loaded of={roles} pending={300}>
        {(known) => (
          <Card withBorder>
            <NewUserForm roles={known.filter(({ may_give: mayGive }) => mayGive).map(({ role }) => role)} />
          </Card>
        )}
      </Loaded>
    </Stack>
  )
}

function NewUserForm({ roles }: { roles: Role['role'][] }) {
  const { typed, change, field } = useFields(EMPTY)
  const navigate = useNavigate()
  const add = useCall(
    ({ username, ...body }: typeof EMPTY) =>
      readBody(
        api.POST('/api/admin/v1/admin/create-user', { body: { ...body, ...(username !== '' && { username }) } }),
      ),
    { done: t('{name} was added.', { name: typed.name }), refresh: ['users'], isShown: true },
  )
  const submit = () =>
    add.mutate(typed, {
      onSuccess: ({ data }) => void navigate({ to: '/users/$id', params: { id: String(data.id) }, search: {} }),
    })
  return (
    <Form call={add} submit={submit} label={t('Add the user')} fields={Object.keys(EMPTY)}>
      <TextField label={t('Name')} required maxLength={100} {...field('name', add)} />
      <TextField label={t('E-mail')} required type="email" maxLength={254} {...field('email', add)} />
      <TextField
        label={t('Username')}
        description={t('Empty: the service chooses one.')}
        maxLength={64}
        {...field('username', add)}
      />
      <PasswordField
        label={t('Password')}
        description={t('Tell it to this person; nobody else can read it. 12 characters or more for administrators.')}
        autoComplete="new-password"
        {...field('password', add)}
      />
      <Select
        label={t('Role')}
        data={roles.map((value) => ({ value, label: inWords(value) }))}
        value={typed.role}
        error={field('role', add).faults?.join(', ')}
        allowDeselect={false}
        onChange={(role) => role !== null && change({ role })}
      />
    </Form>
  )
}
