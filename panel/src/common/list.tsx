import { useSearch } from '@tanstack/react-router'
import type { paths } from '../../../client/src/schema.ts'
import { api, readBody } from '../api/client.ts'
import { ListPage, type ListPageProps, type Page } from './list-page.tsx'
import type { QueryOf, RowOf } from './list-query.ts'
import type { ListSearch } from './list-search.ts'
import { NarrowedToPerson } from './narrowed-to.tsx'

type ListProps<Row, Query> = Omit<ListPageProps<Row, Query>, 'load' | 'search' | 'rowKey'> & {
  /** Absent: its `id`. */
  rowKey?: (row: Row) => string | number
  /** What is asked for unless the address says otherwise. */
  query?: Query
  /** How a list that can show the records of one person is called then, and the name in a record. */
  ofPerson?: {
    label: (name: string) => string
    nameIn: (row: Row, id: number) => string | undefined
    query?: Query
  }
}

export function listPage<Path extends keyof paths>(
  path: Path,
  { query: usual, ofPerson, tools, ...list }: ListProps<RowOf<Path>, QueryOf<Path>>,
) {
  type Row = RowOf<Path>
  const get = api.GET as unknown as (path: Path, call: object) => Parameters<typeof readBody<Page<Row>>>[0]
  const load = (query: object) => readBody<Page<Row>>(get(path, { params: { query: { ...usual, ...query } } }))
  const findName = async (id: number) => {
    const [first] = (await load({ ...ofPerson?.query, user_id: id, per_page: 1 })).data
    return first && ofPerson?.nameIn(first, id)
  }
  return function PageOfList() {
    const search: ListSearch = useSearch({ strict: false })
    const person = search['user_id']
    return (
      <ListPage<Row, QueryOf<Path>>
        rowKey={readId}
        {...list}
        {...{ load, search }}
        tools={
          <>
            {ofPerson !== undefined && person !== undefined && (
              <NarrowedToPerson id={Number(person)} list={list.queryKey} label={ofPerson.label} findName={findName} />
            )}
            {tools}
          </>
        }
      />
    )
  }
}

function readId(row: unknown): number {
  return (row as { id: number }).id
}
