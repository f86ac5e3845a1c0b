import { Button, Group, Pagination, Stack, Text } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMatch, useNavigate, useRouter } from '@tanstack/react-router'
import { memo, useCallback, useMemo, useRef, type ReactNode } from 'react'
import { toRefusal } from '../api/refusal.ts'
import { Rows, type Column } from './list-rows.tsx'
import { ColumnChoice, visibleColumns, withoutColumns } from './column-choice.tsx'
import { changed, type ListSearch } from './list-search.ts'
import type { Filter } from './list-query.ts'
import { ListTools } from './list-tools.tsx'
import { Loaded } from './loaded.tsx'
import { useEntry } from '../shell/navigation.ts'
import { SelectionBar, usePicks, type Selection } from './selection.tsx'
import { Empty, PageHeader } from './states.tsx'
import { plural, t } from '../translation/translate.ts'

type Pagination = { current_page: number; total_pages: number; total_items: number; total_is_estimate?: true }

/** A page of a list with a total, or one that leads to the next. */
export type Page<Row> = { data: Row[]; pagination?: Pagination; next_cursor?: string | null }

export type ListPageProps<Row, Query> = {
  /** Absent: the title and the sentence of the page's entry in the menu. */
  title?: string
  about?: string
  queryKey: string
  load: (query: Query) => Promise<Page<Row>>
  /** True where the viewer chooses which columns are shown. */
  hasColumnChoice?: boolean
  search: ListSearch
  columns: Column<Row, Query>[]
  filters?: Filter<Query>[]
  searchLabel?: string
  rowKey: (row: Row) => string | number
  empty: { title: string; text: string; action?: ReactNode }
  actions?: ReactNode
  /** What narrows the list besides. */
  tools?: ReactNode
  /** Shows boxes to select rows by, and this above the list while some are selected. */
  selected?: (selection: Selection, clear: () => void) => ReactNode
  /** True for a list below something else on its page. */
  isPart?: boolean
  /** Reloads after this many milliseconds while something on the page changes. */
  refetchMs?: (rows: Row[]) => number | false
}

const NARROWS_NOTHING = ['page', 'per_page', 'cursor', 'limit', 'sort_by', 'sort_order', 'columns']
const NO_FILTERS: never[] = []

/** A list of the API: search, filters, orders and pages, all of them in the address. */
export function ListPage<Row, Query>(props: ListPageProps<Row, Query>) {
  const { search, filters = NO_FILTERS, refetchMs } = props
  const { title, about } = { ...useEntry(), ...props }
  const { queryOf, show } = useAddress(props)
  const list = useQuery({
    ...queryOf(search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs?.(state.data?.data ?? []) ?? false,
  })
  // A list without a search and filters is what its address says.
  const canNarrow = filters.length > 0 || props.searchLabel !== undefined
  const isNarrowed = canNarrow && Object.keys(search).some((name) => !NARROWS_NOTHING.includes(name))
  const isForbidden = list.data === undefined && list.error !== null && toRefusal(list.error).status === 403
  return (
    <Stack gap="sm">
      <PageHeader {...{ title, about }} isPart={props.isPart ?? false}>
        {!isForbidden && props.actions}
      </PageHeader>
      {!isForbidden && (
        <ListTools
          {...{ search, filters, show, isNarrowed }}
          searchLabel={props.searchLabel}
          isLoading={list.isFetching && !list.isPending}
        >
          {props.tools}
          {props.hasColumnChoice && <ColumnChoice columns={props.columns} search={search} show={show} />}
        </ListTools>
      )}
      <Loaded of={list} pending={<PickableRows {...props} {...{ title, show }} page={undefined} />}>
        {(page) => (
          <>
            <PickableRows {...props} {...{ title, show, page }} />
            {page.data.length === 0 && <Nothing {...{ page, isNarrowed, show }} empty={props.empty} />}
            {page.data.length > 0 && page.pagination && <Pages pagination={page.pagination} show={show} />}
            <NextPages cursor={search['cursor']} next={page.next_cursor} show={show} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

type NothingProps<Row> = Pick<ListPageProps<Row, unknown>, 'empty'> & {
  page: Page<Row>
  isNarrowed: boolean
  show: (change: ListSearch) => void
}

function Nothing<Row>({ page: { pagination, next_cursor: next }, isNarrowed, show, empty }: NothingProps<Row>) {
  if (next) return <Empty title={t('Nothing here yet')}>{t('The search goes on on the next page.')}</Empty>
  if (pagination !== undefined && pagination.total_items > 0)
    return (
      <Empty
        title={t('This page is past the end')}
        action={
          <Button variant="default" onClick={() => show({ page: undefined })}>
            {t('Go to the first page')}
          </Button>
        }
      >
        {plural(pagination.total_pages, 'The list has one page.', 'The list has {count} pages.')}
      </Empty>
    )
  if (isNarrowed)
    return <Empty title={t('Nothing matches')}>{t('Change the search or the filters, or show all.')}</Empty>
  return (
    <Empty title={empty.title} action={empty.action}>
      {empty.text}
    </Empty>
  )
}

/** The query of a list at an address, and navigation to another address, whose rows are fetched at once. */
function useAddress<Row, Query>({ queryKey, load, search }: ListPageProps<Row, Query>) {
  const navigate = useNavigate()
  const router = useRouter()
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const queries = useQueryClient()
  // An address may say anything; the API refuses what it does not know.
  const toQueryOptions = (requested: ListSearch) =>
    queryOptions({
      queryKey: [queryKey, withoutColumns(requested)],
      queryFn: () => load(withoutColumns(requested) as Query),
    })
  const latest = useRef({ search, queryOf: toQueryOptions, path })
  latest.current = { search, queryOf: toQueryOptions, path }
  const show = useCallback(
    (change: ListSearch) => {
      // This page is still drawn while the next one loads, but the address is that of the next one.
      if (router.latestLocation.pathname !== latest.current.path) return
      const next = changed(latest.current.search, change)
      void queries.prefetchQuery(latest.current.queryOf(next))
      void navigate({ to: '.', search: next })
    },
    [navigate, queries, router],
  )
  return { queryOf: toQueryOptions, show }
}

type PickableRowsProps<Row, Query> = ListPageProps<Row, Query> & {
  title: string
  page: Page<Row> | undefined
  show: (change: ListSearch) => void
}

/** The rows, and which of them are picked: apart from the rest, which a tick does not draw again. */
function PickableRows<Row, Query>({ page, show, columns, selected, ...props }: PickableRowsProps<Row, Query>) {
  const { title, search, rowKey } = props
  const rows = page?.data
  const hidden = search['columns']
  const visible = useMemo(() => visibleColumns(columns, { columns: hidden }), [columns, hidden])
  const { picked, toggle, ...picks } = usePicks(
    selected === undefined || !rows ? [] : rows.map((row) => Number(rowKey(row))),
  )
  return (
    <>
      {selected !== undefined && (
        <SelectionBar
          {...{ picked, picks }}
          total={page?.pagination?.total_items ?? 0}
          search={withoutColumns(search)}
          actions={selected}
        />
      )}
      <Rows {...{ columns: visible, search, show, rowKey, title, rows }} {...(selected && { picked, toggle })} />
    </>
  )
}

type NextPagesProps = { cursor: unknown; next: string | null | undefined; show: (change: ListSearch) => void }

/** The way through a list without a total; the browser's own way leads back. */
function NextPages({ cursor, next, show }: NextPagesProps) {
  if (cursor === undefined && !next) return null
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="xs" disabled={cursor === undefined} onClick={() => show({ cursor: undefined })}>
        {t('First page')}
      </Button>
      <Button variant="default" size="xs" disabled={!next} onClick={() => next && show({ cursor: next })}>
        {t('Next page')}
      </Button>
    </Group>
  )
}

type PagesProps = { pagination: Pagination; show: (change: ListSearch) => void }

const Pages = memo(function Pages({ pagination, show }: PagesProps) {
  const { current_page: current, total_pages: last, total_items: items, total_is_estimate: isEstimate } = pagination
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" className="figure">
        {isEstimate ? t('About {count} in all', { count: items }) : t('{count} in all', { count: items })}
      </Text>
      <PageSteps {...{ current, last }} go={(page) => show({ page })} />
    </Group>
  )
})

const CONTROLS = {
  first: t('first page'),
  previous: t('previous page'),
  next: t('next page'),
  last: t('last page'),
}

export function PageSteps({ current, last, go }: { current: number; last: number; go: (page: number) => void }) {
  if (last <= 1) return null
  return (
    <Pagination
      value={current}
      total={last}
      onChange={go}
      size="sm"
      getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
    />
  )
}
