import { Button, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, ifVersion } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { Confirm } from '../common/confirm.tsx'
import { inWords } from '../common/labels.tsx'
import { Modal } from '../common/modal.tsx'
import { Failure } from '../common/states.tsx'
import { useFormProps } from '../common/typed.ts'
import { useCall } from '../common/use-call.ts'
import { UserPicker, type PickedUser } from '../common/user-picker.tsx'
import { t } from '../translation/translate.ts'
import type { Administrator } from './administrators.tsx'
import { rolesQuery } from './roles-query.ts'

type Wanted = { user: PickedUser; role: Administrator['role']; password?: string }

function changeRole({ user: { id, version }, ...body }: Wanted) {
  return bodyOf(api.PATCH('/api/admin/v1/user-update', { body: { id, ...body }, headers: ifVersion(version) }))
}

const REFRESHED = ['administrators', 'users', 'pick-users']

type DialogProps = { isOpen: boolean; close: () => void; user: Administrator | undefined }

/** Gives an account a role of the panel, after the username was typed. */
export function GiveRole({ isOpen, close, user }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={user === undefined ? t('Give a role') : t('Change the role of {name}', { name: user.name })}
    >
      {isOpen && <GiveForm user={user} close={close} />}
    </Modal>
  )
}

function GiveForm({ user: known, close }: Pick<DialogProps, 'user' | 'close'>) {
  const [picked, setPicked] = useState<PickedUser | undefined>(known)
  const [role, setRole] = useState<Administrator['role'] | null>(null)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const { data: roles = [] } = useQuery(rolesQuery)
  const give = useCall(changeRole, { done: t('The role was given.'), refresh: REFRESHED, isShown: true })
  const { fields } = toRefusal(give.error)
  const isPasswordAsked = fields['password'] !== undefined || password !== ''
  const offered = roles.filter(({ permissions, may_give }) => permissions.length > 0 && may_give)
  const submit = () => {
    if (picked === undefined || role === null) return
    give.mutate({ user: picked, role, ...(password !== '' && { password }) }, { onSuccess: close })
  }
  return (
    <form {...useFormProps(submit, give)}>
      <Stack>
        <Text size="sm">{t('The sessions of this account end. The new role applies from the next sign-in.')}</Text>
        {known === undefined && <UserPicker label={t('Account')} value={picked} onChange={setPicked} />}
        <Select
          label={t('Role')}
          required
          data={offered.map(({ role: value }) => ({ value, label: inWords(value) }))}
          value={role}
          onChange={setRole}
        />
        {give.error !== null && fields['password'] === undefined && <Failure thrown={give.error} />}
        {isPasswordAsked && (
          <PasswordInput
            label={t('New password')}
            description={t('12 characters or more. Tell it to this person; nobody else can read it.')}
            error={fields['password']?.join(', ')}
            autoComplete="new-password"
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
        {picked !== undefined && (
          <TextInput
            label={t('Type {word} to confirm', { word: picked.username })}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        <Button
          type="submit"
          loading={give.isPending}
          disabled={picked === undefined || role === null || typed !== picked.username}
        >
          {t('Give the role')}
        </Button>
      </Stack>
    </form>
  )
}

/** Takes every right of the panel from an account, after the username was typed. */
export function TakeRole({ isOpen, close, user }: DialogProps & { user: Administrator }) {
  const take = useCall(changeRole, { done: t('The role was taken away.'), refresh: REFRESHED, isShown: true })
  return (
    <Confirm
      isOpen={isOpen}
      close={close}
      title={t('Take the role of {name}', { name: user.name })}
      word={user.username}
      label={t('Take the role away')}
      call={take}
      confirm={() => take.mutate({ user, role: 'user' }, { onSuccess: close })}
    >
      {t('All sessions end at once. The account stays, as an ordinary user of the app.')}
    </Confirm>
  )
}
