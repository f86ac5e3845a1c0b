import { Button, Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { useSession } from '../api/session.ts'
import { inWords, toOptions } from '../common/labels.tsx'
import { mergeFields, type Conflict } from '../common/merge.ts'
import { Failure } from '../common/states.tsx'
import { tellDone } from '../common/tell.ts'
import { useFormProps } from '../common/typed.ts'
import { useUserCall } from './use-user-call.ts'
import type { Profile } from './user.tsx'
import { t } from '../translation/translate.ts'

const TEXTS = [
  ['name', t('Name')],
  ['username', t('Username')],
  ['email', t('E-mail')],
  ['phone', t('Phone')],
  ['city', t('City')],
  ['avatar_url', t('Address of the picture')],
] as const

type Edit = Pick<Profile, (typeof TEXTS)[number][0] | 'role' | 'is_test_user'>
type Change = Partial<Edit>
type Saving = { change: Change; version: number }

function toEdit({ name, username, email, phone, city, avatar_url, role, is_test_user }: Edit): Edit {
  return { name, username, email, phone, city, avatar_url, role, is_test_user }
}

/**
 * Edits an account. When somebody else has changed it meanwhile, what only one of both changed is kept, and each field
 * that both changed is asked for.
 */
export function EditForm({ user, close }: { user: Profile; close: () => void }) {
  const queries = useQueryClient()
  const [base, setBase] = useState({ record: toEdit(user), version: user.version })
  const [typed, setTyped] = useState(toEdit(user))
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const save = useUserCall(
    user,
    ({ change, version }: Saving) =>
      readBody(
        api.PATCH('/api/admin/v1/user-update', { body: { id: user.id, ...change }, headers: ifVersion(version) }),
      ),
    ({ status, data }) => status === 412 && merge(data as Profile),
  )
  const send = (saving: Saving) => {
    if (Object.keys(saving.change).length > 0) return save.mutate(saving, { onSuccess: close })
    // Somebody else has saved the same.
    void queries.invalidateQueries({ queryKey: ['user', user.id] })
    tellDone(t('{name} already is as you want it.', { name: user.name }))
    close()
  }
  const merge = (theirs: Profile) => {
    const merged = mergeFields(base.record, typed, toEdit(theirs))
    setBase({ record: toEdit(theirs), version: theirs.version })
    setTyped({ ...toEdit(theirs), ...merged.save })
    setConflicts(merged.conflicts)
    // Nothing is in question: save once more, over what the other has saved.
    if (merged.conflicts.length === 0) send({ change: merged.save, version: theirs.version })
  }
  const isOwn = useSession().id === user.id
  const change = (part: Change) => setTyped({ ...typed, ...part })
  const { fields } = toRefusal(save.error)
  const isRefused = save.error !== null && toRefusal(save.error).status !== 412
  const changed = Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => value !== base.record[name as keyof Edit]),
  )
  return (
    <form {...useFormProps(() => send({ change: changed, version: base.version }), save)}>
      <Stack>
        {isRefused && <Failure thrown={save.error} />}
        {conflicts.length > 0 ? (
          <Conflicts conflicts={conflicts} typed={typed} choose={change} />
        ) : (
          <Fields typed={typed} change={change} faults={fields} isOwn={isOwn} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={Object.keys(changed).length === 0 && conflicts.length === 0}
          >
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type FieldsProps = {
  typed: Edit
  change: (part: Change) => void
  faults: Record<string, string[]>
  isOwn: boolean
}

function Fields({ typed, change, faults, isOwn }: FieldsProps) {
  return (
    <>
      {TEXTS.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          value={typed[name] ?? ''}
          error={faults[name]?.join(' ')}
          // An empty optional field is none.
          onChange={({ currentTarget: { value } }) =>
            change({
              [name]: value === '' && name !== 'name' && name !== 'username' && name !== 'email' ? null : value,
            })
          }
        />
      ))}
      <Select
        label={t('Role')}
        description={isOwn ? t('Nobody changes their own role.') : t('A new role ends the sessions of this account.')}
        disabled={isOwn}
        data={toOptions<Edit['role']>(['user', 'analyst', 'moderator', 'admin', 'super_admin'])}
        value={typed.role}
        error={faults['role']?.join(' ')}
        allowDeselect={false}
        onChange={(role) => role !== null && change({ role })}
      />
      <Checkbox
        label={t('Test user: gets the pushes of test campaigns')}
        checked={typed.is_test_user}
        onChange={({ currentTarget }) => change({ is_test_user: currentTarget.checked })}
      />
    </>
  )
}

type ConflictsProps = { conflicts: Conflict[]; typed: Edit; choose: (part: Change) => void }

function Conflicts({ conflicts, typed, choose }: ConflictsProps) {
  return (
    <>
      <Text size="sm">
        {t(
          'Somebody else has changed this account at the same time. Fields that only one of you changed are kept. Choose a value for fields that both of you changed.',
        )}
      </Text>
      {conflicts.map(({ name, before, mine, theirs }) => (
        <Radio.Group
          key={name}
          label={inWords(name)}
          description={t('It was: {value}', { value: formatValue(before) })}
          value={typed[name as keyof Edit] === mine ? 'mine' : 'theirs'}
          onChange={(side) => choose({ [name]: side === 'mine' ? mine : theirs })}
        >
          <Stack gap={6} mt={6}>
            <Radio value="theirs" label={t('Theirs: {value}', { value: formatValue(theirs) })} />
            <Radio value="mine" label={t('Yours: {value}', { value: formatValue(mine) })} />
          </Stack>
        </Radio.Group>
      ))}
    </>
  )
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  return typeof value === 'string' && value !== '' ? value : t('nothing')
}
