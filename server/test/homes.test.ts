import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const MENTION =
  /\b(?:from|join|into|update) (?:batches|work|requests|entries|bulk_entries|reactions|inbox_marks|unread|notifications)\b/g
const HOME = /\bhome\b/g
const END = /\.execute\(|\n\n/
const SUBSCRIPT = /\bset [^`]{0,200}? = (?:\w+\.)?\w+\[/g
// Counts the pushes of everybody again.
const OF_ALL_HOMES = ['push-counts.queries.ts']

const sources = globSync('server/src/**/*.queries.ts')
  .filter((file) => !OF_ALL_HOMES.includes(basename(file)))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

// Then it goes to the server of that home, where the database is divided (ADR 2).
test('a statement names a home for each table of the ledger and the inbox that it reads or writes', () => {
  const statements = sources.flatMap(({ file, text }) => text.split(END).map((statement) => ({ file, statement })))
  const found = statements.filter(({ statement }) => toCount(statement, MENTION) > 0)
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(({ statement }) => toCount(statement, HOME) < toCount(statement, MENTION))).toEqual([])
})

// Such a statement ends the server of Citus 13.2.2; coalesce((array)[1]) does not.
test('no statement sets a column to an element of an array', () => {
  expect(sources.flatMap(({ file, text }) => Array.from(text.matchAll(SUBSCRIPT), ([set]) => ({ file, set })))).toEqual(
    [],
  )
})

function toCount(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}
