import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { isSameMigration, statementsHash } from './migration-hash.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const FILES = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(new URL(name, FOLDER), 'utf8')])

const COUNT = "create table t (a text default '--x', b int);\n"

test.for<[string, string]>([
  ['a comment', "-- What it counts.\ncreate table t (a text default '--x', b int);\n"],
  ['a comment at the end of a line', "create table t (a text default '--x', -- a name\n  b int);"],
  ['a comment between two words', "create/* a */ table t (a text default '--x', b int);\n\n"],
])('%s does not change the hash', ([, text]) => {
  expect(statementsHash(text)).toBe(statementsHash(COUNT))
})

test.for<[string, string]>([
  ['a text that looks like a comment', "create table t (a text default '--y', b int);\n"],
  ['blanks in a text', "create table t (a text default ' --x', b int);\n"],
  ['a column', "create table t (a text default '--x', b bigint);\n"],
  ['a statement after a comment', "create table t (a text default '--x', b int); --\ndrop table u;\n"],
  ['a name in quotes', 'create table "t--" (a text default \'--x\', b int);\n'],
])('%s changes the hash', ([, text]) => {
  expect(statementsHash(text)).not.toBe(statementsHash(COUNT))
})

const body = (text: string) => `create function f() returns void language sql as $$${text}$$;`

test('the body of a function counts as PostgreSQL stores it', () => {
  expect(statementsHash(body('select 1 -- one'))).not.toBe(statementsHash(body('select 1')))
  expect(statementsHash(body('select 1')) === statementsHash(`-- f\n${body('select 1')}`)).toBe(true)
})

test('a comment before any statement never changes the hash, wherever statements are put together from', () => {
  const parts = constantFrom(
    "'it''s -- no comment'",
    '"a--b"',
    '$x$ -- body\n$x$',
    'select',
    "E'\\'--'",
    '/* c */',
    '-- d\n',
  )
  assert(
    property(array(parts), (chosen) => {
      const text = chosen.join(' ')
      expect(statementsHash(`-- A comment that's long /*\n${text}`)).toBe(statementsHash(text))
    }),
  )
})

test('the statements of a migration stay as they were written, because databases have run them', async () => {
  const hashes = FILES.map(([name, text]) => `${name} ${statementsHash(text)}\n`)
  await expect(hashes.join('')).toMatchFileSnapshot(fileURLToPath(new URL('migration-hashes.txt', import.meta.url)))
})

test.for(FILES)('%s is taken for itself with either hash, also when its comments were edited since', ([name, text]) => {
  const whole = createHash('sha256').update(text).digest('hex')
  const edited = `-- Said in other words.\n${text}`
  for (const recorded of [whole, statementsHash(text)]) expect(isSameMigration(name, text, recorded)).toBe(true)
  expect(isSameMigration(name, edited, statementsHash(text))).toBe(true)
  expect(isSameMigration(name, `${text}drop table users;`, statementsHash(text))).toBe(false)
  expect(isSameMigration(name, `${text}drop table users;`, whole)).toBe(false)
})

test('a file hash that was recorded before comments were edited counts for the same statements', () => {
  const [name, text] = ['0011_batches_claimed.sql', readFileSync(new URL('0011_batches_claimed.sql', FOLDER), 'utf8')]
  const recorded = '24ff94440e759a608f53c5d17206595820fe43848dd7fd17ba13aa23970307e2'
  expect(isSameMigration(name, `-- Said in other words.\n${text}`, recorded)).toBe(true)
  expect(isSameMigration(name, text.replaceAll(/--[^\n]*\n/g, ''), recorded)).toBe(true)
  expect(isSameMigration(name, `${text}drop table users;`, recorded)).toBe(false)
})
