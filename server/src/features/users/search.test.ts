import { expect, test } from 'vitest'
import { reachOf } from './users-filter.queries.ts'

test.for<[string, ReturnType<typeof reachOf>]>([
  ['ada', 'anywhere'],
  ['@gmail', 'anywhere'],
  ['@x', 'anywhere'],
  ['ab.', 'anywhere'],
  ['äöü', 'anywhere'],
  ['ab', 'beginnings'],
  ['ö', 'beginnings'],
  ['a@', 'beginnings'],
  ['%', 'unindexed'],
  ['@.', 'unindexed'],
  ['😀', 'unindexed'],
])('a search for %s reaches %s', ([text, reach]) => {
  expect(reachOf(text)).toBe(reach)
})
