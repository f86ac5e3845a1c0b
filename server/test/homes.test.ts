import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIVIDED } from './support/citus.ts'
import { CROSS_HOMES } from './support/cross-homes.ts'

const TABLES = [...DIVIDED, 'home_messages', 'notifications'].join('|')
const MENTION = new RegExp(`\\b(from|join|into|update|using) (?:${TABLES})\\b(?: as\\b)?(?: (\\w+))?`, 'g')
/** What may follow a table that has no alias. */
const CLAUSE = /^(?:where|set|order|group|left|cross|join|union|on)$/
const ALIAS = String.raw`(?:\b(\w+)\.|(?<![.\w]))`
/** A plain value; in a migration `of_home`, and 0 before there were several. */
const PLAIN = String.raw`home = (?:0|\$\{(?:choice\.)?home\}|@home|\$\d|of_home)(?=\W)`
/** It reads several homes at once. */
const CROSSING = String.raw`home (?:in \$\{(?:everyHome\([\w.]+\)|homes)\}|= \$\{homeSql\(|= b\.home\b)`
const CONDITION = new RegExp(`${ALIAS}(?:${PLAIN}|${CROSSING})`, 'g')
const CROSSES = new RegExp(`${CROSSING}|(?<!function )(?:peopleOfHomes|unionOfHomes)\\(|listHomes\\(db\\)\\.map`, 'g')
const DECLARED = /^(?:export )?(?:async )?(?:function|const) (\w+)/gm
const INSERTED = new RegExp(
  `\\binto (?:${TABLES})(?: as \\w+)? \\(home, (?:(?!\\binto\\b)[^;])*?\\b(?:select|values (?:\\$\\{\\w+\\.join\\(.*?sql.)?\\()\\s*(?:\\$\\{home\\}|\\$\\{homeSql\\(.*?\\)\\}),`,
  'g',
)
const BUILDER = new RegExp(`(?:From|Into|Table|Join)\\('(?:${TABLES})\\b`)
const END = /\.execute\(|\n\n/
const SUBSCRIPT = /\bset [^`]{0,200}? = (?:\w+\.)?\w+\[/g

const sources = globSync('server/src/**/*.queries.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const baseline = globSync('server/migrations/*.sql')
  .toSorted()
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

test('the home begins the key of each divided table, which no other table has', () => {
  const tables = Array.from(baseline.matchAll(/^create table (\w+) \(([\s\S]*?)\n\)/gm), ([, name, columns]) => ({
    name,
    columns: columns ?? '',
  }))
  const named = (part: RegExp) => new Set(tables.filter(({ columns }) => part.test(columns)).map(({ name }) => name))
  expect(named(/^ {2}home +smallint not null default 0,$/m)).toEqual(new Set(DIVIDED))
  expect(named(/^ {2}primary key \(home, /m)).toEqual(new Set(DIVIDED))
})

// Such a statement goes to the server of that home, where the database is divided (ADR 2).
test('a statement names the home of each table of the ledger and the inbox that it reads or writes', () => {
  const statements = sources.flatMap(({ file, text }) => text.split(END).map((statement) => ({ file, statement })))
  const found = statements.filter(({ statement }) => statement.match(MENTION))
  expect(found.length).toBeGreaterThan(80)
  expect(found.filter(({ statement }) => isHomeless(statement))).toEqual([])
  expect(sources.filter(({ text }) => BUILDER.test(text)).map(({ file }) => file)).toEqual([])
})

// Where the database is divided, such a statement asks every server, and none may change rows of two homes.
test('those that cross homes are listed with their reason', () => {
  const found = sources.flatMap(({ text }) =>
    Array.from(text.matchAll(CROSSES), ({ index }) => text.slice(0, index).match(DECLARED)?.at(-1)?.split(' ').at(-1)),
  )
  expect(new Set(found)).toEqual(new Set(Object.keys(CROSS_HOMES)))
})

test('so do the triggers of a purge', () => {
  const statements = baseline.match(/\$\$[\s\S]*?\$\$/g)!.flatMap((body) => body.split(';'))
  const found = statements.filter((statement) => statement.match(MENTION))
  expect(found.length).toBeGreaterThan(7)
  expect(found.filter(isHomeless)).toEqual([])
})

test.each([
  'select from batches',
  'select home from batches b where b.message_id = 1',
  'select from work w join batches b on b.home = 0 and b.batch_id = w.batch_id',
  'select from work w join batches b on b.home = w.home where w.home = 0',
  'select from work w where w.home = any(array[0])',
  'select from work w where w.home in (select home from x)',
  'select from (select from work w where w.home = 0) x join work w on true',
  'delete from skips where home = 0 and ctid = any(array(select ctid from skips))',
  'insert into skips (home, block) select home, block from x',
  'insert into skips (block) select ${home}, block from x',
  'update entries e set is_listed = false where home > 0',
])('a statement without one is found: %s', (statement) => {
  expect(isHomeless(statement)).toBe(true)
})

// Such a statement ends the server of Citus 13.2.2; coalesce((array)[1]) does not.
test('no statement sets a column to an element of an array', () => {
  expect(sources.flatMap(({ file, text }) => Array.from(text.matchAll(SUBSCRIPT), ([set]) => ({ file, set })))).toEqual(
    [],
  )
})

/** A table that is read more often, by one name, than that name has conditions, or is filled without a home. */
function isHomeless(statement: string): boolean {
  const mentions = [...statement.matchAll(MENTION)]
  const read = mentions.filter(([, word]) => word !== 'into')
  const names = read.map(([, , alias = '']) => (CLAUSE.test(alias) ? '' : alias))
  const conditions = Array.from(statement.matchAll(CONDITION), ([, alias = '']) => alias)
  return (
    names.some((name) => count(name, names) > count(name, conditions)) ||
    mentions.length - read.length > (statement.match(INSERTED)?.length ?? 0)
  )
}

function count(name: string, names: string[]): number {
  return names.filter((one) => one === name).length
}
