import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { SortOf } from './list-query.ts'
import type { ListSearch } from './list-search.ts'
import type { Toggle } from './selection.tsx'
import { SkeletonRows } from './states.tsx'
import { t } from '../translation/translate.ts'

type Drawn<Row> = {
  sort?: string
  header: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  /** True where the cell names its row. */
  isHead?: boolean
}

/** A column of a list. `sort` is the name that the API sorts by, where it can. */
export type Column<Row, Query> = Drawn<Row> & { sort?: SortOf<Query> }

type RowsProps<Row> = {
  title: string
  columns: Drawn<Row>[]
  rowKey: (row: Row) => string | number
  /** Undefined while they are loading. */
  rows: Row[] | undefined
  minWidth?: number
  search?: ListSearch
  show?: (change: ListSearch) => void
  picked?: number[]
  toggle?: Toggle
}

const MINUTE_MS = 60_000

/** Rows under headings. `show`: these sort them. `picked`: with boxes to select them by. */
export function Rows<Row>({ columns, rows, rowKey, title, minWidth = 640, ...props }: RowsProps<Row>) {
  const { search, show, picked, toggle } = props
  const ids = rows?.map(rowKey) ?? []
  const isAll = ids.length > 0 && picked?.length === ids.length
  const isPicked = new Set<string | number>(picked)
  const minute = Math.floor(Date.now() / MINUTE_MS)
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0 } }}>
      <Table className="rows" aria-label={title} aria-busy={rows === undefined}>
        <Table.Thead>
          <Table.Tr>
            {picked && (
              <Table.Th w={40}>
                <Box
                  label={t('Select all on this page')}
                  isTicked={isAll}
                  isPartly={picked.length > 0 && !isAll}
                  tick={(isTicked) => toggle?.(ids.map(Number), isTicked)}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.header} {...{ column, search, show }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined && <SkeletonRows columns={columns.length + (picked ? 1 : 0)} />}
          {rows?.map((row, place) => {
            const id = ids[place]!
            return <ListRow key={id} {...{ row, id, columns, minute, toggle }} isPicked={isPicked.has(id)} />
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type RowProps<Row> = {
  row: Row
  id: string | number
  columns: Drawn<Row>[]
  /** Draws the row again when another minute has begun, because it may say how long ago something was. */
  minute: number
  isPicked: boolean
  toggle: Toggle | undefined
}

/** Plain elements with the classes of the library's table: its own components take most of the time of a long list. */
const ListRow = memo(function ListRow<Row>({ row, id, columns, isPicked, toggle }: RowProps<Row>) {
  const { tr, td, th } = Table.classes
  return (
    <tr className={tr} data-with-row-border data-hover>
      {toggle && (
        <td className={td}>
          <Box
            label={t('Select no. {id}', { id: String(id) })}
            isTicked={isPicked}
            tick={(isTicked) => toggle([Number(id)], isTicked)}
          />
        </td>
      )}
      {columns.map(({ header, cell, isNumber, isHead }) =>
        isHead ? (
          <th key={header} className={`${th} row-name`} scope="row">
            {cell(row)}
          </th>
        ) : (
          <td key={header} className={isNumber ? `${td} number` : td}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}) as <Row>(props: RowProps<Row>) => ReactNode

type BoxProps = { label: string; isTicked: boolean; isPartly?: boolean; tick: (isTicked: boolean) => void }

function Box({ label, isTicked, isPartly = false, tick }: BoxProps) {
  return (
    <input
      type="checkbox"
      className="box"
      aria-label={label}
      checked={isTicked}
      ref={(box) => {
        if (box !== null) box.indeterminate = isPartly
      }}
      onChange={({ currentTarget }) => tick(currentTarget.checked)}
    />
  )
}

type HeadingProps<Row> = {
  column: Drawn<Row>
  search: ListSearch | undefined
  show: RowsProps<Row>['show'] | undefined
}

function Heading<Row>({ column: { sort, header, isNumber }, search = {}, show }: HeadingProps<Row>) {
  const align = isNumber ? 'right' : undefined
  if (sort === undefined || show === undefined) return <Table.Th ta={align}>{header}</Table.Th>
  const isSorted = search['sort_by'] === sort
  const isUp = search['sort_order'] === 'asc'
  const Arrow = isUp ? IconArrowUp : IconArrowDown
  const other = isUp ? 'desc' : 'asc'
  // Words from A on; the latest and the most first.
  const first = isNumber || sort.endsWith('_at') ? 'desc' : 'asc'
  return (
    <Table.Th ta={align} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        onClick={() => show({ sort_by: sort, sort_order: isSorted ? other : first })}
      >
        {header}
        {isSorted && <Arrow size={14} aria-hidden style={{ verticalAlign: -2, marginLeft: 4 }} />}
      </UnstyledButton>
    </Table.Th>
  )
}
