import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../shared/log.ts'
import { socketOf } from './connect.ts'
import { isSameMigration, statementsHash } from './migration-hash.ts'
import { IS_READ_ONLY } from './session.ts'
import { isLockTimeout } from './transaction.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const LOCK = 7_261_990_001
const WAIT_MS = 600_000
const TELL_EVERY_MS = 10_000
const TABLE_LOCK_MS = 5_000

type MigrationWait = { waitMs: number; tellEveryMs: number }

type Migration = { name: string; text: string }

/** Runs what is missing, each file in a transaction with the lock, and gives the names; works through poolers. */
export async function migrate(
  pool: Pool,
  log: Log,
  wait: MigrationWait = { waitMs: WAIT_MS, tellEveryMs: TELL_EVERY_MS },
): Promise<string[]> {
  const migrations = await readMigrations()
  const client = await pool.connect()
  try {
    // A migration may take as long as it needs.
    socketOf(client).setTimeout(0)
    const ran: string[] = []
    const from = performance.now()
    // Checked before the lock, so that a process with nothing to do waits for nobody.
    while ((await nextMissing(client, migrations)) !== undefined) {
      const { isLocked, name } = await runNext(client, migrations, wait.tellEveryMs)
      if (isLocked) expectPatience(performance.now() - from, wait, log)
      if (name !== undefined) ran.push(name)
    }
    return ran
  } finally {
    // Closed, not returned to the pool: it has no limit for silence.
    client.release(true)
  }
}

export async function isReady(pool: Pool): Promise<boolean> {
  const names = await migrationNames()
  const { rows } = await pool.query<{ n: number; isReadOnly: boolean }>(
    `select count(*)::int as n, ${IS_READ_ONLY} as "isReadOnly" from schema_migrations where name = any($1)`,
    [names],
  )
  return rows[0]?.n === names.length && !rows[0].isReadOnly
}

/** `later`: migrations of a later release ran, with which this one works. */
export type Version = { fault: string | undefined; later: string[] }

export async function versionOf(pool: Pool): Promise<Version> {
  const applied = [...(await appliedHashes(pool)).keys()].toSorted()
  const names = await migrationNames()
  return { fault: faultOf(applied, names), later: applied.filter((name) => !names.includes(name)) }
}

function faultOf(applied: string[], names: string[]): string | undefined {
  if (applied.length === 0)
    return 'The database has no tables of Swapbell. Run `npm run manage -- migrate` to make them, or check DATABASE_URL.'
  const missing = names.filter((name) => !applied.includes(name))
  return missing.length === 0
    ? undefined
    : `The database is of an earlier version: ${missing.join(', ')} did not run there. Run \`npm run manage -- migrate\`, or use the commands of that version.`
}

/** By name; empty in a database without tables. */
async function appliedHashes(on: Pool | PoolClient): Promise<Map<string, string>> {
  const { rows: tables } = await on.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  )
  if (tables[0]?.found !== true) return new Map()
  const { rows } = await on.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

async function nextMissing(client: PoolClient, migrations: Migration[]): Promise<Migration | undefined> {
  const applied = await appliedHashes(client)
  for (const { name, text } of migrations) {
    const recorded = applied.get(name)
    if (recorded !== undefined && !isSameMigration(name, text, recorded))
      throw new Error(`Migration ${name} was edited after it ran.`)
  }
  return migrations.find(({ name }) => !applied.has(name))
}

async function runNext(
  client: PoolClient,
  migrations: Migration[],
  lockMs: number,
): Promise<{ isLocked: boolean; name: string | undefined }> {
  await client.query('begin')
  try {
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${lockMs}`,
    )
    if (!(await takeLock(client))) {
      await client.query('rollback')
      return { isLocked: true, name: undefined }
    }
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const next = await nextMissing(client, migrations)
    if (next !== undefined) {
      await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`)
      await client.query(next.text)
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [
        next.name,
        statementsHash(next.text),
      ])
    }
    await client.query('commit')
    return { isLocked: false, name: next?.name }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function takeLock(client: PoolClient): Promise<boolean> {
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

function expectPatience(waitedMs: number, { waitMs }: MigrationWait, log: Log): void {
  const waitedSeconds = Math.round(waitedMs / 1_000)
  if (waitedMs > waitMs)
    throw new Error(
      `Another process has been running the migrations for ${waitedSeconds} s. Check whether it still works.`,
    )
  log.warn({ waitedSeconds }, 'another process runs the migrations: waiting for it')
}

export async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, FOLDER), 'utf8') })))
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.filter((file) => file.endsWith('.sql')).toSorted()
}
