// Slow: a second or more for each test, or five for the file.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PoolClient } from 'pg'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cloneTemplate, createDatabase } from '../../../test/support/service.ts'
import { createLog, type Log } from '../shared/log.ts'
import { connect, type DbPool } from './connect.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, readVersion } from './migrations.ts'

const LOCK = 7_261_990_001
const RECORD = new URL('../../../../docs/adr/024-deployment.md', import.meta.url)

let log: Log
const warned = () => vi.mocked(log.warn).mock.calls

beforeEach(() => {
  log = createLog('silent')
  vi.spyOn(log, 'warn')
})

test('a process waits for another that migrates, logs it, and continues afterwards', async () => {
  const pool = await openPool(await createDatabase())
  const holder = await pool.connect()
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  const migrating = migrate(pool, log, { waitMs: 60_000, tellEveryMs: 50 })
  await expect.poll(() => warned().length).toBeGreaterThan(1)
  expect(warned()[0]).toEqual([{ waitedSeconds: 0 }, 'another process runs the migrations: waiting for it'])
  expect(await tables(pool)).toEqual([])
  holder.release(true)
  expect(await migrating).toEqual((await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted())
  expect(await tables(pool)).toContain('users')
})

test('ADR 24 gives a reason for each function of the database', async () => {
  const pool = await openPool(await cloneTemplate())
  const { rows } = await pool.query<{ name: string }>(`
    select distinct proname as name from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  const [, table = ''] = (await readFile(RECORD, 'utf8')).split('**These database functions remain**')
  const given = table.matchAll(/^\| (`.*?`) +\|/gm).flatMap(([, names = '']) => names.matchAll(/\w+/g))
  expect([...given].map(([name]) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('it waits for the lock for a limited time only', async () => {
  const pool = await openPool(await createDatabase())
  const holder = await pool.connect()
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  const migrating = migrate(pool, log, { waitMs: 200, tellEveryMs: 50 })
  await expect(migrating).rejects.toThrow('Another process has been running the migrations for 0 s')
  holder.release(true)
})

test('a database whose texts are not Unicode is refused, with what to do', async () => {
  const [plain, name] = [await openPool(await createDatabase()), `plain_${process.pid}`]
  await plain.query(`create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`)
  onTestFinished(async () => void (await plain.query(`drop database ${name}`)))
  const url = new URL(String(plain.options.connectionString))
  url.pathname = name
  const pool = connect(url.href, { max: 1, log })
  await expect(migrate(pool, log)).rejects.toThrow(/has the encoding SQL_ASCII: create another with "create database/)
  expect(await tables(pool)).toEqual([])
  await pool.end()
})

test('a process that has nothing to migrate does not wait', async () => {
  const pool = await openPool(await cloneTemplate())
  const holder = await pool.connect()
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  expect(await migrate(pool, log, { waitMs: 200, tellEveryMs: 50 })).toEqual([])
  expect(warned()).toEqual([])
  holder.release(true)
})

test.for([
  [
    '0.3',
    `update schema_migrations set name = '0001_accounts.sql' where name like '0001%'`,
    'by Swapbell 0.3 or earlier',
  ],
  ['another baseline', `update schema_migrations set hash = 'x' where name like '0003%'`, 'with another 0003_push.sql'],
])('a database of %s is refused, with what to do, and the lock is free', async ([, change = '', why = '']) => {
  const pool = await openPool(await cloneTemplate())
  await pool.query(change)
  const sentence = `This database was made ${why}, which this version cannot take over. Begin with an empty database: `
  await expect(migrate(pool, log)).rejects.toThrow(sentence)
  expect((await readVersion(pool)).fault).toMatch(sentence)
  const { rowCount } = await pool.query(`select from pg_locks where locktype = 'advisory' and granted and database =
    (select oid from pg_database where datname = current_database())`)
  expect(rowCount).toBe(0)
})

describe('an index that is built concurrently', () => {
  const NAME = '0099_users_pet.concurrent.sql'
  const TWO_USERS = `
    insert into users (username, email, name, password_hash) values ('a', 'a', 'Rex', ''), ('b', 'b', 'Rex', '')`
  const plant = async (text: string, name = NAME) => {
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-migrations-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await cp(MIGRATIONS, folder, { recursive: true })
    await writeFile(join(folder, name), text)
    return pathToFileURL(`${folder}/`)
  }

  test('is built outside a transaction, once; what was half built is built again', async () => {
    const pool = await openPool(await cloneTemplate())
    const folder = await plant(
      '-- Why.\ncreate unique index concurrently if not exists users_pet\n  on users ((name || 1));\n',
    )
    await pool.query(TWO_USERS)
    await expect(migrate(pool, log, { folder })).rejects.toThrow('could not create unique index')
    expect(await petIndex(pool)).toEqual([{ valid: false }])
    await pool.query(`update users set name = 'Max' where username = 'b'`)
    expect(await migrate(pool, log, { folder })).toEqual([NAME])
    expect(await petIndex(pool)).toEqual([{ valid: true }])
    expect(await migrate(pool, log, { folder })).toEqual([])
  })

  test('is built by one process, for which the others wait', async () => {
    const database = await cloneTemplate()
    const pool = await openPool(database)
    const folder = await plant('create index concurrently if not exists users_pet on users (name);\n')
    await pool.query(TWO_USERS)
    const writer = await pool.connect()
    await writer.query(`begin; update users set name = name where false`)
    const migrating = [migrate(pool, log, { folder, tellEveryMs: 50 }), migrate(pool, log, { folder, tellEveryMs: 50 })]
    await expect.poll(() => warned().length).toBeGreaterThan(1)
    await writer.query('commit')
    writer.release()
    expect((await Promise.all(migrating)).flat()).toEqual([NAME])
    expect(await petIndex(pool)).toEqual([{ valid: true }])
  })

  test('does not fail for another process that waits for longer than PostgreSQL lets a deadlock be', async () => {
    const pool = await openPool(await cloneTemplate())
    const folder = await plant('create index concurrently if not exists users_pet on users (name);\n')
    await pool.query(TWO_USERS)
    const writer = await pool.connect()
    await writer.query(`begin; update users set name = name where false`)
    const building = migrate(pool, log, { folder })
    await expect.poll(() => countAt(writer, 'create index')).toBe(1)
    const waiting = migrate(pool, log, { folder, tellEveryMs: 3_000 })
    await expect.poll(() => countAt(writer, 'select pg_%advisory_lock')).toBe(1)
    await writer.query('commit')
    writer.release()
    expect((await Promise.all([building, waiting])).flat()).toEqual([NAME])
    expect(await petIndex(pool)).toEqual([{ valid: true }])
  })

  test('is refused through a pooler in transaction mode, and a file that holds anything else is too', async () => {
    const pool = await openPool(await cloneTemplate())
    await pool.query(TWO_USERS)
    const folder = await plant('create index users_pet on users (name);\n')
    await expect(migrate(pool, log, { folder })).rejects.toThrow('is not one create index concurrently')
    const pooled = Object.assign(pool, { pooling: 'transaction' as const })
    await expect(migrate(pooled, log, { folder })).rejects.toThrow('connect to PostgreSQL directly')
  })

  test('is built in a transaction where there are no users, through any pooler', async () => {
    const pool = await openPool(await cloneTemplate())
    const folder = await plant('create index concurrently if not exists users_pet on users (name);\n')
    const pooled = Object.assign(pool, { pooling: 'transaction' as const })
    expect(await migrate(pooled, log, { folder })).toEqual([NAME])
    expect(await petIndex(pool)).toEqual([{ valid: true }])
  })
})

async function openPool({ url, drop }: { url: string; drop(): Promise<void> }): Promise<DbPool> {
  const pool = connect(url, { max: 3, log })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return pool
}

/** The sessions whose newest statement begins so. */
async function countAt(client: PoolClient, statement: string): Promise<number> {
  // A transaction sees what it saw before.
  await client.query('select pg_stat_clear_snapshot()')
  const { rowCount } = await client.query(
    'select from pg_stat_activity where datname = current_database() and query like $1',
    [`${statement}%`],
  )
  return rowCount ?? 0
}

async function petIndex(pool: DbPool): Promise<{ valid: boolean }[]> {
  const { rows } = await pool.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('users_pet')`,
  )
  return rows
}

async function tables(pool: DbPool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  return rows.map(({ name }) => name)
}
