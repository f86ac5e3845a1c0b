import { expect, test } from 'vitest'
import type { Filter, QueryOf } from './list-query.ts'
import type { Column } from './list-rows.tsx'

type Query = QueryOf<'/api/admin/v1/users'>

test('a filter or an order that the API does not know does not compile', () => {
  const filters: Filter<Query>[] = [
    { name: 'status', label: '', options: [{ value: 'active,banned', label: '' }] },
    // @ts-expect-error: no parameter has this name.
    { name: 'state', label: '', options: [] },
    // @ts-expect-error: the parameter has no such value.
    { name: 'status', label: '', options: [{ value: 'gone', label: '' }] },
  ]
  const columns: Column<object, Query>[] = [
    { header: '', cell: () => '', sort: 'created_at' },
    // @ts-expect-error: the list is not sorted by this.
    { header: '', cell: () => '', sort: 'city' },
  ]
  expect([filters, columns].map(({ length }) => length)).toEqual([3, 2])
})
