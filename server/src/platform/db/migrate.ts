import { readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import { sleep } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { getSocket } from './connect.ts'
import { MIGRATIONS, nextMissing, readMigrations, type Migration } from './migrations.ts'
import type { Pooling } from './session.ts'
import { isLockTimeout } from './transaction.ts'

const LOCK = 7_261_990_001
const WAIT_MS = 600_000
const TELL_EVERY_MS = 10_000
const TABLE_LOCK_MS = 5_000
const CONCURRENT = '.concurrent.sql'
const HOMES = 32
const INDEX = /\bindex concurrently if not exists (\w+)/

/** `homes`: of a database that is divided. */
type Options = { waitMs: number; tellEveryMs: number; folder: URL; homes: number | undefined }
type Work = { next: Migration; migrations: Migration[]; lockMs: number; homes: number | undefined }
/** The names of what ran; none: it ran elsewhere. */
type Outcome = string[] | 'locked'

/** Runs what is missing and gives the names. One process at a time does; through any pooler, but for an index that is
 * built concurrently. */
export async function migrate(
  pool: Pool & { pooling?: Pooling },
  log: Log,
  { waitMs = WAIT_MS, tellEveryMs = TELL_EVERY_MS, folder = MIGRATIONS, homes }: Partial<Options> = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
    // A migration may take as long as it needs.
    getSocket(client).setTimeout(0)
    const ran: string[] = []
    const from = performance.now()
    await expectUtf8(client)
    // Checked before the lock, so that a process with nothing to do waits for nobody.
    for (;;) {
      const next = await nextMissing(client, migrations)
      if (next === undefined) return ran
      const work = { next, migrations, lockMs: tellEveryMs, homes }
      const isConcurrent = next.name.endsWith(CONCURRENT) && (await hasUsers(client))
      if (isConcurrent && pool.pooling === 'transaction')
        throw new Error(`A pooler in transaction mode cannot run ${next.name}: connect to PostgreSQL directly.`)
      const outcome = await (isConcurrent ? buildIndex(client, work) : runInTransaction(client, work))
      if (outcome === 'locked') expectPatience(performance.now() - from, waitMs, log)
      else ran.push(...outcome)
    }
  } finally {
    // It is closed and not returned to the pool, because it has no limit for silence.
    client.release(true)
  }
}

/** Texts of people are in all scripts, and searches compare them without accents. */
async function expectUtf8(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw new Error(
      `The database has the encoding ${encoding}: create another with "create database … encoding 'UTF8' template template0".`,
    )
}

/** An index takes a moment in a database without users, also through a pooler. */
async function hasUsers(client: PoolClient): Promise<boolean> {
  return ((await client.query('select from users limit 1')).rowCount ?? 0) > 0
}

async function runInTransaction(client: PoolClient, work: Work): Promise<Outcome> {
  const { next, migrations, lockMs, homes } = work
  await client.query('begin')
  try {
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${lockMs}`,
    )
    if (!(await takeLock(client))) {
      await client.query('rollback')
      return 'locked'
    }
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const missing = (await nextMissing(client, migrations)) === next ? [next] : []
    const divides = missing[0] === migrations[0] && (await isToBeDivided(client))
    const running = divides ? migrations : missing
    await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`)
    for (const one of running) {
      const isIndex = one.name.endsWith(CONCURRENT)
      await client.query(isIndex ? one.text.replace('index concurrently', 'index') : one.text)
      await noteDown(client, one)
    }
    if (divides) for (const name of ['home-messages', 'divide']) await runDivided(client, name, homes)
    await client.query('commit')
    return running.map(({ name }) => name)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

export async function hasCitus(on: Pool | PoolClient): Promise<boolean> {
  return ((await on.query(`select from pg_extension where extname = 'citus'`)).rowCount ?? 0) > 0
}

async function runDivided(client: PoolClient, name: string, homes = HOMES): Promise<void> {
  const text = await readFile(new URL(`divided/${name}.sql`, MIGRATIONS), 'utf8')
  await client.query(text.replaceAll('HOMES', String(homes)))
}

/**
 * Divides a plain database of a Citus, all or nothing: when it is interrupted, the database is as before. A process of
 * the service would go on with one home, so none may run.
 */
export async function divide(pool: Pool, homes?: number): Promise<void> {
  const client = await pool.connect()
  try {
    getSocket(client).setTimeout(0)
    await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    if (!(await isToBeDivided(client)))
      throw new Error('There are no workers to divide it among: make them and tell the coordinator (docs/divided.md).')
    if (!(await takeLock(client))) throw new Error('Another process changes the schema.')
    // Who starts from now on waits to read how many homes there are.
    await client.query('lock table division in access exclusive mode')
    await expectAlone(client)
    for (const name of ['set-aside', 'home-messages', 'divide', 'move']) await runDivided(client, name, homes)
    await client.query('commit')
    // It is divided, whether this succeeds or autovacuum does the same later.
    await client.query('analyze').catch(() => undefined)
  } finally {
    client.release(true)
  }
}

async function expectAlone(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query(`
    select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and application_name not like 'citus%'`)
  if (rowCount) throw new Error(`Stop every process of the service first: ${rowCount} others are connected.`)
}

/**
 * An empty database of a Citus is divided by the transaction that makes its tables: nobody finds one half divided. One
 * whose Citus knows no workers stays plain.
 */
async function isToBeDivided(client: PoolClient): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rows } = await client.query<{ isCoordinator: boolean; workers: number }>(`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      count(*) filter (where shouldhaveshards and groupid <> 0)::int as workers from pg_dist_node`)
  const { isCoordinator, workers } = rows[0] ?? { isCoordinator: false, workers: 0 }
  if (!isCoordinator) throw new Error('This is a worker of a Citus: name its coordinator in DATABASE_URL.')
  return workers > 0
}

/** It runs outside a transaction, so the session has the lock. */
async function buildIndex(client: PoolClient, { next, migrations, lockMs }: Work): Promise<Outcome> {
  const name = INDEX.exec(next.text)?.[1]
  if (name === undefined) throw new Error(`${next.name} is not one create index concurrently if not exists.`)
  // An index waits for whoever waits within a statement, also for its own lock: a deadlock. So others look again.
  const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [LOCK])
  if (rows[0]?.isMine !== true) return sleep(lockMs).then(() => 'locked')
  if ((await nextMissing(client, migrations)) !== next) {
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    return []
  }
  // It waits for the transactions that are open, and nobody waits for it.
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  const { rowCount: halfBuilt } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  )
  if (halfBuilt) await client.query(`drop index concurrently ${name}`)
  await client.query(next.text)
  await noteDown(client, next)
  await client.query('select pg_advisory_unlock($1)', [LOCK])
  return [next.name]
}

async function noteDown(client: PoolClient, { name, hash }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash])
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

function expectPatience(waitedForMs: number, waitMs: number, log: Log): void {
  const waitedSeconds = Math.round(waitedForMs / 1_000)
  if (waitedForMs > waitMs)
    throw new Error(
      `Another process has been running the migrations for ${waitedSeconds} s. Check whether it still works.`,
    )
  log.warn({ waitedSeconds }, 'another process runs the migrations: waiting for it')
}
