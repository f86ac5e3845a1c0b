import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { containsWords, findReach, type SearchReach } from './pattern.ts'

test.for<[string, SearchReach]>([
  ['ada', 'anywhere'],
  ['@gmail', 'anywhere'],
  ['@x', 'anywhere'],
  ['ab.', 'anywhere'],
  ['äöü', 'anywhere'],
  ['a ada', 'anywhere'],
  ['ab', 'word_beginnings'],
  ['ö', 'word_beginnings'],
  ['a@', 'word_beginnings'],
  ['a b', 'word_beginnings'],
  ['% b', 'word_beginnings'],
  ['%', 'first_20000'],
  ['@. %', 'first_20000'],
  ['😀', 'first_20000'],
])('a search for %s reaches %s', ([text, reach]) => {
  expect(findReach(text)).toBe(reach)
})

test.for<[string, string, SearchReach, boolean]>([
  ['lace ada', ' ada Ada Lovelace', 'anywhere', true],
  ['  LACE\tada ', ' ada Ada Lovelace', 'anywhere', true],
  ['ada grace', ' ada Ada Lovelace', 'anywhere', false],
  ['da', ' ada', 'anywhere', true],
  ['da', ' ada', 'word_beginnings', false],
  ['ad', ' ada', 'word_beginnings', true],
  ['a lamp', ' Lamp Old brass', 'anywhere', false],
  ['a lamp', ' A lamp', 'anywhere', true],
  ['100% ok', ' 100% ok', 'anywhere', true],
  ['100% ok', ' 1000 ok', 'anywhere', false],
  ['a_b', ' axb', 'anywhere', false],
  [String.raw`c:\x`, String.raw` c:\x`, 'anywhere', true],
])('a search for %j finds %j %s: %j', async ([search, text, reach, isFound], { deps }) => {
  const { rows } = await sql<{ is_found: boolean }>`
    select ${containsWords(sql`t.said`, search, reach)} as is_found from (values (${text}::text)) t(said)`.execute(
    deps.db,
  )
  expect(rows).toEqual([{ is_found: isFound }])
})
