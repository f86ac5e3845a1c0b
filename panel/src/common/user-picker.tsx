import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import type { QueryOf } from './list-query.ts'
import { t } from '../translation/translate.ts'

const FOUND_MAX = 20

export type PickedUser = Awaited<ReturnType<typeof findUsers>>[number]

/** What a draft keeps of each person whom it names. */
export type NamedUser = Pick<PickedUser, 'id' | 'name' | 'email'>

type Role = NonNullable<QueryOf<'/api/admin/v1/users'>['role']>[number]

async function findUsers(search: string, roles: Role[] = []) {
  const query = { per_page: FOUND_MAX, ...(search !== '' && { search }), ...(roles.length > 0 && { role: roles }) }
  return (await readBody(api.GET('/api/admin/v1/users', { params: { query } }))).data
}

function useFound(roles?: Role[]) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const { data = [], isFetching } = useQuery({
    queryKey: ['pick-users', search, roles],
    queryFn: () => findUsers(search, roles),
  })
  // Options of another text would move under the pointer when the answer comes.
  const isSearching = isFetching || typed.trim() !== search
  return { typed, setTyped, found: isSearching ? [] : data, nothing: isSearching ? t('Searching…') : t('Nobody found') }
}

function toOption({ id, name, email }: NamedUser) {
  return { value: String(id), label: `${name} · ${email}` }
}

type OneProps = {
  label: string
  /** Absent: all. */
  roles?: Role[]
  value: PickedUser | undefined
  onChange: (user: PickedUser | undefined) => void
}

export function UserPicker({ label, roles, value, onChange }: OneProps) {
  const { typed, setTyped, found, nothing } = useFound(roles)
  const known = value === undefined || found.some(({ id }) => id === value.id) ? found : [value, ...found]
  return (
    <Select
      label={label}
      required
      searchable
      clearable
      filter={({ options }) => options}
      data={known.map(toOption)}
      value={value === undefined ? null : String(value.id)}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={nothing}
      onChange={(id) => onChange(known.find((user) => String(user.id) === id))}
    />
  )
}

type ManyProps = {
  label: string
  value: NamedUser[]
  max: number
  onChange: (users: NamedUser[]) => void
}

/** Finds accounts by name, username or e-mail, up to `max` of them. */
export function UsersPicker({ label, value, max, onChange }: ManyProps) {
  const { typed, setTyped, found, nothing } = useFound()
  const known: NamedUser[] = [...value, ...found.filter(({ id }) => !value.some((user) => user.id === id))]
  const pick = (ids: string[]) => known.filter(({ id }) => ids.includes(String(id)))
  return (
    <MultiSelect
      label={label}
      required
      searchable
      hidePickedOptions
      filter={({ options }) => options}
      maxValues={max}
      data={known.map(toOption)}
      value={value.map(({ id }) => String(id))}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={nothing}
      onChange={(ids) => onChange(pick(ids).map(({ id, name, email }) => ({ id, name, email })))}
    />
  )
}
