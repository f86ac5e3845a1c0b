import { expect, test } from 'vitest'
import { reachOf } from './pattern.ts'

test.for<[string, ReturnType<typeof reachOf>]>([
  ['ada', 'anywhere'],
  ['@gmail', 'anywhere'],
  ['@x', 'anywhere'],
  ['ab.', 'anywhere'],
  ['äöü', 'anywhere'],
  ['ab', 'word_beginnings'],
  ['ö', 'word_beginnings'],
  ['a@', 'word_beginnings'],
  ['%', 'first_20000'],
  ['@.', 'first_20000'],
  ['😀', 'first_20000'],
])('a search for %s reaches %s', ([text, reach]) => {
  expect(reachOf(text)).toBe(reach)
})
