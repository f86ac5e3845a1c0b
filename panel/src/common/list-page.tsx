import { ActionIcon, Button, Group, Loader, Pagination, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { Rows, type Column } from './list-rows.tsx'
import { ColumnChoice, shownColumns, withoutColumns } from './column-choice.tsx'
import { changed, type ListSearch } from './list-search.ts'
import { SelectionBar, usePicks, type Selection } from './selection.tsx'
import { Empty, Failure, PageHeader } from './states.tsx'
import { t } from '../translation/translate.ts'

type Filter = { name: string; label: string; options: { value: string; label: string }[] }

type Page<Row> = {
  data: Row[]
  pagination: { current_page: number; total_pages: number; total_items: number; total_is_estimate?: true }
}

type ListPageProps<Row> = {
  title: string
  about: string
  queryKey: string
  load: (search: ListSearch) => Promise<Page<Row>>
  /** True where the viewer chooses which columns are shown. */
  hasColumnChoice?: boolean
  search: ListSearch
  columns: Column<Row>[]
  filters?: Filter[]
  searchLabel?: string
  rowKey: (row: Row) => string | number
  empty: { title: string; text: string; action?: ReactNode }
  actions?: ReactNode
  /** Shows boxes to select rows by, and this above the list while some are selected. */
  selected?: (selection: Selection, clear: () => void) => ReactNode
  /** True for a list below something else on its page. */
  isPart?: boolean
  /** Loads again by itself, in milliseconds, while something on the page changes. */
  refetchMs?: (rows: Row[]) => number | false
}

/** A list of the API: search, filters, orders and pages, all of them in the address. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, about, queryKey, load, search, columns, filters = [], rowKey, empty, actions, refetchMs } = props
  const navigate = useNavigate()
  const show = (change: ListSearch) => void navigate({ to: '.', search: changed(search, change) as never })
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: [queryKey, withoutColumns(search)],
    queryFn: () => load(withoutColumns(search)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs?.(state.data?.data ?? []) ?? false,
  })
  const shown = shownColumns(columns, search)
  const { picked, toggle, ...picks } = usePicks((data?.data ?? []).map((row) => Number(rowKey(row))))
  const total = data?.pagination.total_items ?? 0
  const isNarrowed = Object.keys(search).some(
    (name) => !['page', 'per_page', 'sort_by', 'sort_order', 'columns'].includes(name),
  )
  return (
    <Stack gap="sm">
      <PageHeader title={title} about={about} isPart={props.isPart ?? false}>
        {actions}
      </PageHeader>
      <Group gap="xs" role="search">
        {props.searchLabel !== undefined && (
          <SearchField label={props.searchLabel} value={String(search['search'] ?? '')} onSearch={show} />
        )}
        {filters.map(({ name, label, options }) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={label}
            data={options}
            value={search[name] === undefined ? null : String(search[name])}
            onChange={(value) => show({ [name]: value ?? undefined })}
            clearable
            w={180}
          />
        ))}
        {props.hasColumnChoice && <ColumnChoice columns={columns} search={search} show={show} />}
        {isNarrowed && (
          <Button
            variant="subtle"
            leftSection={<IconX size={16} />}
            onClick={() => void navigate({ to: '.', search: {} as never })}
          >
            {t('Show all')}
          </Button>
        )}
        {isFetching && !isPending && <Loader size="xs" aria-label={t('Loading')} />}
      </Group>
      {error !== null && data === undefined ? (
        <Failure thrown={error} retry={() => void refetch()} />
      ) : (
        <>
          {props.selected !== undefined && picked.length > 0 && (
            <SelectionBar {...{ picked, total, search: withoutColumns(search), picks }} actions={props.selected} />
          )}
          <Rows
            {...{ columns: shown, search, show, rowKey, isPending, title }}
            rows={data?.data ?? []}
            {...(props.selected && { picked, toggle })}
          />
          {data?.data.length === 0 && (
            <Empty
              title={isNarrowed ? t('Nothing matches') : empty.title}
              action={isNarrowed ? undefined : empty.action}
            >
              {isNarrowed ? t('Change the search or the filters, or show all.') : empty.text}
            </Empty>
          )}
          {data !== undefined && data.data.length > 0 && <Pages pagination={data.pagination} show={show} />}
        </>
      )}
    </Stack>
  )
}

function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (change: ListSearch) => void
}) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const search = useDebouncedCallback((text: string) => onSearch({ search: text.trim() || undefined }), 300)
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
      rightSection={
        typed !== '' && (
          <ActionIcon
            variant="subtle"
            aria-label={t('Clear the search')}
            onClick={() => onSearch({ search: undefined })}
          >
            <IconX size={16} />
          </ActionIcon>
        )
      }
      w={{ base: '100%', xs: 280 }}
    />
  )
}

const CONTROLS = {
  first: t('first page'),
  previous: t('previous page'),
  next: t('next page'),
  last: t('last page'),
}

function Pages({ pagination, show }: { pagination: Page<unknown>['pagination']; show: (change: ListSearch) => void }) {
  const { current_page: current, total_pages: last, total_items: items, total_is_estimate: isEstimate } = pagination
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" className="figure">
        {isEstimate ? t('About {count} in all', { count: items }) : t('{count} in all', { count: items })}
      </Text>
      {last > 1 && (
        <Pagination
          value={current}
          total={last}
          onChange={(page) => show({ page })}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
        />
      )}
    </Group>
  )
}
