import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readMigrations } from '../src/platform/db/migrations.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
/** The baseline, below which no version before ever ran. */
const BASELINE = /^000[1-5]_/
const CONCURRENT = /^create (?:unique )?index concurrently if not exists \w+ on [^;]+;$/

/** The beginnings of the hashes of released files. A release adds its own. */
const RELEASED: Record<string, string> = {
  '0001_platform.sql': '1780451ecdb63b5e',
  '0002_identity.sql': 'c1c9e129d049f225',
  '0003_push.sql': '3478ee80ca2aa557',
  '0004_marketplace.sql': '345853b41532247d',
  '0005_administration.sql': 'd61136c026c5116e',
}

/** Statements that break a running process of the version before. */
const BREAKING: readonly [what: string, pattern: RegExp][] = [
  ['drops a table', /^drop table/],
  ['drops a column', /^alter table .*\bdrop (?:column )?(?!constraint|not null|default|expression|identity)\w+/],
  ['renames what is in use', /^alter table .*\brename\b/],
  ['changes the type of a column', /^alter table .*\balter (?:column )?\w+ (?:set data )?type\b/],
  ['demands a value of a column', /^alter table .*\balter (?:column )?\w+ set not null/],
  [
    'adds a column that demands a value',
    /^alter table .*\badd (?:column )?(?:if not exists )?\w+ (?!.*\bdefault\b)(?!.*\bgenerated\b).*\bnot null\b/,
  ],
  ['locks writes for as long as an index takes', /^create (?:unique )?index (?!concurrently)/],
]
/** A migration may say why a statement of it is safe: `-- contract: drops a table: nobody reads it since …`. */
const EXCUSE = /^-- contract: (.+?): \S.*$/gm

test('the statements of a released migration stay', async () => {
  const hashes = new Map((await readMigrations()).map(({ name, hash }) => [name, hash.slice(0, 16)]))
  expect(Object.keys(RELEASED).map((name) => [name, hashes.get(name)])).toEqual(Object.entries(RELEASED))
})

test('a migration suits processes of the version before, or says why not', async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && !BASELINE.test(name))
  const faults = await Promise.all(
    files.map(async (name) =>
      toFaults(await readFile(new URL(name, FOLDER), 'utf8'), name).map((fault) => `${name} ${fault}`),
    ),
  )
  expect(faults.flat()).toEqual([])
})

test.each([
  ['drops a table', 'drop table old_things;'],
  ['drops a column', 'alter table users drop column phone;'],
  ['renames what is in use', 'alter table users rename column phone to number;'],
  ['changes the type of a column', 'alter table users alter column phone type integer using 1;'],
  ['demands a value of a column', 'alter table users alter phone set not null;'],
  ['adds a column that demands a value', 'alter table users add column pet text not null;'],
  ['locks writes for as long as an index takes', 'create index users_pet on users (pet);'],
])('a migration that %s is found, and is not when it says why', (what, statement) => {
  expect(toFaults(`create table pets (pet_id bigint);\n${statement}`)).toEqual([what])
  expect(toFaults(`-- contract: ${what}: nobody uses it since the release before.\n${statement}`)).toEqual([])
})

test.each([
  'alter table users add column pet text;',
  "alter table users add column pet text not null default '';",
  'create table pets (pet_id bigint not null); create index pets_owner on pets (pet_id);',
  'alter table users drop constraint users_pet;',
])('an addition suits the version before: %s', (statement) => {
  expect(toFaults(statement)).toEqual([])
})

test('a file that runs outside a transaction holds one index', () => {
  const index = 'create index concurrently if not exists users_pet on users (pet);'
  expect(toFaults(`-- Why.\n${index}\n`, '0006_pet.concurrent.sql')).toEqual([])
  for (const text of [`${index}\n${index}`, 'create index concurrently users_pet on users (pet);'])
    expect(toFaults(text, '0006_pet.concurrent.sql')).toEqual(['is not one create index concurrently if not exists'])
})

function toFaults(text: string, name = '0006_pet.sql'): string[] {
  const excused = new Set([...text.matchAll(EXCUSE)].map(([, what]) => what))
  const plain = text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$')
  if (name.endsWith('.concurrent.sql'))
    return CONCURRENT.test(plain.trim()) ? [] : ['is not one create index concurrently if not exists']
  const statements = plain.split(';').map((one) => one.trim().replaceAll(/\s+/g, ' ').toLowerCase())
  const made = new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []))
  const isOnNew = (one: string) => made.has(/\bon (?:only )?(\w+)/.exec(one)?.[1] ?? '')
  return statements.flatMap((one) =>
    BREAKING.flatMap(([what, pattern]) => (pattern.test(one) && !isOnNew(one) && !excused.has(what) ? [what] : [])),
  )
}
