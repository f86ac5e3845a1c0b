import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import { liftLimits } from './connect.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
const LOCK = 7_261_990_001

/**
 * Brings the schema up to date: plain SQL files in the order of their names, each in a transaction of its own. One
 * process at a time; a file that was edited after it ran stops the boot. Gives the names of what it ran.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    // Another process may be at a long migration: it is waited for, however long.
    await liftLimits(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    return await runMissing(client)
  } finally {
    // Closed, not given back: it must not keep the timeouts of a migration.
    client.release(true)
  }
}

/** True when every migration of this build has run. */
export async function isMigrated(pool: Pool): Promise<boolean> {
  const names = await migrationNames()
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from schema_migrations where name = any($1)',
    [names],
  )
  return rows[0]?.n === names.length
}

async function runMissing(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
  const applied = new Map(rows.map((row) => [row.name, row.hash]))
  const ran: string[] = []
  for (const name of await migrationNames()) {
    const sql = await readFile(new URL(name, FOLDER), 'utf8')
    const hash = createHash('sha256').update(sql).digest('hex')
    const before = applied.get(name)
    if (before !== undefined && before !== hash) throw new Error(`Migration ${name} was edited after it ran.`)
    if (before !== undefined) continue
    await runOne(client, name, sql, hash)
    ran.push(name)
  }
  return ran
}

async function runOne(client: PoolClient, name: string, sql: string, hash: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query("set local lock_timeout = '5s'; set local statement_timeout = 0")
    await client.query(sql)
    await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.filter((file) => file.endsWith('.sql')).toSorted()
}
