import { Checkbox, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ListSearch } from './list-search.ts'
import { SkeletonRows } from './states.tsx'
import { t } from '../translation/translate.ts'

export type Column<Row> = {
  /** The name that the API sorts by, where it can. */
  sort?: string
  header: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
}

type RowsProps<Row> = {
  title: string
  columns: Column<Row>[]
  search: ListSearch
  rowKey: (row: Row) => string | number
  rows: Row[]
  isPending: boolean
  show: (change: ListSearch) => void
  picked?: number[]
  toggle?: (ids: number[], isPicked: boolean) => void
}

/** The rows of a list under headings that sort it. `picked`: with boxes to select them by. */
export function Rows<Row>({ columns, rows, search, show, rowKey, isPending, title, picked, toggle }: RowsProps<Row>) {
  const ids = rows.map((row) => Number(rowKey(row)))
  const isAll = ids.length > 0 && picked?.length === ids.length
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={title} aria-busy={isPending}>
        <Table.Thead>
          <Table.Tr>
            {picked && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={t('Select all on this page')}
                  checked={isAll}
                  indeterminate={picked.length > 0 && !isAll}
                  onChange={({ currentTarget }) => toggle?.(ids, currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.header} {...{ column, search, show }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isPending && <SkeletonRows columns={columns.length + (picked ? 1 : 0)} />}
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {picked && (
                <Table.Td>
                  <Checkbox
                    aria-label={t('Select no. {id}', { id: String(rowKey(row)) })}
                    checked={picked.includes(Number(rowKey(row)))}
                    onChange={({ currentTarget }) => toggle?.([Number(rowKey(row))], currentTarget.checked)}
                  />
                </Table.Td>
              )}
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
