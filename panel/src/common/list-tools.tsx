import { ActionIcon, Button, Group, Loader, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState, type ReactNode } from 'react'
import type { ListSearch } from './list-search.ts'
import { t } from '../translation/translate.ts'

/** How long a search waits for another key. Enter begins it at once. */
const PAUSE_MS = 75

type AnyFilter = { name: string; label: string; options: readonly { value: string; label: string }[] }

type Show = (change: ListSearch) => void

type ListToolsProps = {
  search: ListSearch
  searchLabel: string | undefined
  filters: AnyFilter[]
  isNarrowed: boolean
  isLoading: boolean
  show: Show
  children?: ReactNode
}

/** What narrows a list: a search and filters, and the way back to all of it. */
export function ListTools({ search, searchLabel, filters, isNarrowed, isLoading, show, children }: ListToolsProps) {
  const navigate = useNavigate()
  return (
    <Group gap="xs" role="search">
      {searchLabel !== undefined && (
        <SearchField label={searchLabel} value={String(search['search'] ?? '')} onSearch={show} />
      )}
      {filters.map((filter) => (
        <FilterSelect
          key={filter.name}
          filter={filter}
          value={search[filter.name] === undefined ? null : String(search[filter.name])}
          show={show}
        />
      ))}
      {children}
      {isNarrowed && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} />}
          onClick={() => void navigate({ to: '.', search: {} })}
        >
          {t('Show all')}
        </Button>
      )}
      {isLoading && <Loader size="xs" aria-label={t('Loading')} />}
    </Group>
  )
}

type FilterSelectProps = { filter: AnyFilter; value: string | null; show: Show }

const FilterSelect = memo(function FilterSelect({ filter: { name, label, options }, value, show }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options}
      value={value}
      onChange={(chosen) => show({ [name]: chosen ?? undefined })}
      clearable
      w={180}
    />
  )
})

type SearchFieldProps = { label: string; value: string; onSearch: Show }

const SearchField = memo(function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  // The address follows the keys late and without spaces at the ends. Until it has the last search of this field, what
  // it says is not put in place of what was typed since.
  const awaited = useRef<string>(undefined)
  useEffect(() => {
    if (awaited.current === undefined) setTyped(value)
    else if (awaited.current === value) awaited.current = undefined
  }, [value])
  const search = useDebouncedCallback((text: string) => {
    const searched = text.trim()
    awaited.current = searched === value ? undefined : searched
    onSearch({ search: searched || undefined })
  }, PAUSE_MS)
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        search(currentTarget.value)
      }}
      onKeyDown={({ key }) => key === 'Enter' && search.flush()}
      onBlur={() => (awaited.current = undefined)}
      rightSection={
        typed !== '' && (
          <ActionIcon
            variant="subtle"
            aria-label={t('Clear the search')}
            onClick={() => {
              search.cancel()
              setTyped('')
              onSearch({ search: undefined })
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        )
      }
      w={{ base: '100%', xs: 280 }}
    />
  )
})
