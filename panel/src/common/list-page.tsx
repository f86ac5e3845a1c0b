import {
  ActionIcon,
  Button,
  Group,
  Loader,
  Pagination,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconSearch, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { changed, type ListSearch } from './list-search.ts'
import { Empty, Failure, PageHeader, SkeletonRows } from './states.tsx'

export type Column<Row> = {
  /** The name that the API sorts by, where it can. */
  sort?: string
  header: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
}

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
  search: ListSearch
  columns: Column<Row>[]
  filters?: Filter[]
  searchLabel?: string
  rowKey: (row: Row) => string | number
  empty: { title: string; text: string; action?: ReactNode }
  actions?: ReactNode
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
    queryKey: [queryKey, search],
    queryFn: () => load(search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs?.(state.data?.data ?? []) ?? false,
  })
  const isNarrowed = Object.keys(search).some((name) => !['page', 'per_page', 'sort_by', 'sort_order'].includes(name))
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
        {isNarrowed && (
          <Button
            variant="subtle"
            leftSection={<IconX size={16} />}
            onClick={() => void navigate({ to: '.', search: {} as never })}
          >
            Show all
          </Button>
        )}
        {isFetching && !isPending && <Loader size="xs" aria-label="Loading" />}
      </Group>
      {error !== null && data === undefined ? (
        <Failure thrown={error} retry={() => void refetch()} />
      ) : (
        <>
          <Rows {...{ columns, search, show, rowKey, isPending, title }} rows={data?.data ?? []} />
          {data?.data.length === 0 && (
            <Empty title={isNarrowed ? 'Nothing matches' : empty.title} action={isNarrowed ? undefined : empty.action}>
              {isNarrowed ? 'Change the search or the filters, or show all.' : empty.text}
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
          <ActionIcon variant="subtle" aria-label="Clear the search" onClick={() => onSearch({ search: undefined })}>
            <IconX size={16} />
          </ActionIcon>
        )
      }
      w={{ base: '100%', xs: 280 }}
    />
  )
}

type RowsProps<Row> = Pick<ListPageProps<Row>, 'columns' | 'search' | 'rowKey' | 'title'> & {
  rows: Row[]
  isPending: boolean
  show: (change: ListSearch) => void
}

function Rows<Row>({ columns, rows, search, show, rowKey, isPending, title }: RowsProps<Row>) {
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ type: 'auto' }}>
      <Table aria-label={title} aria-busy={isPending}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Heading key={column.header} {...{ column, search, show }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isPending && <SkeletonRows columns={columns.length} />}
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ header, cell, isNumber }) => (
                <Table.Td key={header} ta={isNumber ? 'right' : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Heading<Row>({
  column: { sort, header, isNumber },
  search,
  show,
}: {
  column: Column<Row>
  search: ListSearch
  show: (change: ListSearch) => void
}) {
  const align = isNumber ? 'right' : undefined
  if (sort === undefined) return <Table.Th ta={align}>{header}</Table.Th>
  const isSorted = search['sort_by'] === sort
  const isUp = search['sort_order'] === 'asc'
  const Arrow = isUp ? IconArrowUp : IconArrowDown
  return (
    <Table.Th ta={align} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        onClick={() => show({ sort_by: sort, sort_order: isSorted && !isUp ? 'asc' : 'desc' })}
      >
        {header}
        {isSorted && <Arrow size={14} aria-hidden style={{ verticalAlign: -2, marginLeft: 4 }} />}
      </UnstyledButton>
    </Table.Th>
  )
}

function Pages({ pagination, show }: { pagination: Page<unknown>['pagination']; show: (change: ListSearch) => void }) {
  const { current_page: current, total_pages: last, total_items: items, total_is_estimate: isEstimate } = pagination
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" className="figure">
        {isEstimate ? 'About ' : ''}
        {items.toLocaleString()} in all
      </Text>
      {last > 1 && (
        <Pagination
          value={current}
          total={last}
          onChange={(page) => show({ page })}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  )
}
