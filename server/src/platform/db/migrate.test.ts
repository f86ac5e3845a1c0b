// Slow: a second or more for each test, or five for the file.
import { readdir, readFile } from 'node:fs/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { cloneTemplate, createDatabase } from '../../../test/support/service.ts'
import { createLog, type Log } from '../shared/log.ts'
import { connect, type DbPool } from './connect.ts'
import { migrate } from './migrate.ts'

const LOCK = 7_261_990_001
const RECORD = new URL('../../../../docs/adr/037-nothing-hidden.md', import.meta.url)
const FOLDER = new URL('../../../migrations/', import.meta.url)

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
  expect(await migrating).toEqual((await readdir(FOLDER)).toSorted())
  expect(await tables(pool)).toContain('users')
})

test('ADR 037 gives a reason for each function of the database', async () => {
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

test('a process that has nothing to migrate does not wait', async () => {
  const pool = await openPool(await cloneTemplate())
  const holder = await pool.connect()
  await holder.query(`select pg_advisory_lock(${LOCK})`)
  expect(await migrate(pool, log, { waitMs: 200, tellEveryMs: 50 })).toEqual([])
  expect(warned()).toEqual([])
  holder.release(true)
})

test('a migration that was edited after it ran stops the process, and the lock is free', async () => {
  const pool = await openPool(await cloneTemplate())
  await pool.query(`update schema_migrations set hash = 'another' where name = '0002_push.sql'`)
  await expect(migrate(pool, log)).rejects.toThrow('Migration 0002_push.sql was edited after it ran.')
  const { rowCount } = await pool.query(`select from pg_locks where locktype = 'advisory' and granted and database =
    (select oid from pg_database where datname = current_database())`)
  expect(rowCount).toBe(0)
})

async function openPool({ url, drop }: { url: string; drop(): Promise<void> }): Promise<DbPool> {
  const pool = connect(url, { max: 3, log })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return pool
}

async function tables(pool: DbPool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  return rows.map(({ name }) => name)
}
