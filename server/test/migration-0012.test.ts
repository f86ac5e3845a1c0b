// Slow: a second or more for each test, or five for the file.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/shared/log.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

let admin: Client
let name: string
let pool: Pool

// A database as the version before left it, with a campaign that runs and one that is over.
beforeEach(async () => {
  admin = new Client(inject('postgresUrl'))
  await admin.connect()
  name = `test_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  pool = new Pool({ connectionString: url.href, max: 1 })
  // It is dropped while the last connection is still closing.
  pool.on('error', () => undefined)
  for (const file of await filesBefore0012()) await pool.query(await readFile(new URL(file, FOLDER), 'utf8'))
  await pool.query(`
    insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, status, created_at, expires_at, updated_at)
    select n, 'promotional', 'users', 'campaign', false, 'a', 'b', case n when 1 then 'sending' else 'completed' end, now(), now(), now()
    from generate_series(1, 2) n;
    insert into notifications (notification_id, message_id, batch_id, user_id, mobile_devices_id, created_at, updated_at)
    select 100 + n, 1 + n % 2, 1, n / 4, n, now(), now() from generate_series(1, 40) n;
    insert into message_counts (message_id, slot, selected, notifications) values (1, 3, 20, 7), (1, 5, 0, 13), (2, 0, 11, 20)`)
})

afterEach(async () => {
  await pool.end()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

async function filesBefore0012(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((file) => file < '0012').toSorted()
}

/** Runs what is missing, as a process does that starts. */
async function migrateFrom0011(): Promise<void> {
  await pool.query(
    'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  )
  for (const file of await filesBefore0012()) {
    const hash = createHash('sha256')
      .update(await readFile(new URL(file, FOLDER), 'utf8'))
      .digest('hex')
    await pool.query('insert into schema_migrations (name, hash) values ($1, $2)', [file, hash])
  }
  expect(await migrate(pool, createLog('silent'))).toContain('0012_pipeline.sql')
}

async function keyOfNotifications(): Promise<{ columns: string; index: string }> {
  const { rows } = await pool.query<{ columns: string; index: string }>(
    `select pg_get_constraintdef(oid) as columns, conindid::text as index from pg_constraint
     where conrelid = 'notifications_first'::regclass and contype = 'p'`,
  )
  return rows[0]!
}

test('the key of notifications begins with the user, and notified users of unfinished messages are counted', async () => {
  await migrateFrom0011()
  expect((await keyOfNotifications()).columns).toBe('PRIMARY KEY (user_id, notification_id)')
  const { rows } = await pool.query(
    'select message_id::int, sum(notified)::int as notified from message_counts group by 1 order by 1',
  )
  expect(rows).toEqual([
    { message_id: 1, notified: 11 },
    { message_id: 2, notified: 0 },
  ])
  const { rowCount } = await pool.query('select from notifications')
  expect(rowCount).toBe(40)
})

test('an index that an operator made beforehand, without a lock, becomes that key', async () => {
  await pool.query('create unique index concurrently notifications_by_user on notifications (user_id, notification_id)')
  const { rows } = await pool.query<{ oid: string }>(`select 'notifications_by_user'::regclass::oid::text as oid`)
  await migrateFrom0011()
  expect(await keyOfNotifications()).toEqual({ columns: 'PRIMARY KEY (user_id, notification_id)', index: rows[0]?.oid })
})

test('the notifications become the first partition: rows that are not under way are not read, moved or changed', async () => {
  const fileOf = async (table: string) =>
    (await pool.query<{ file: string }>(`select pg_relation_filenode('${table}')::text as file`)).rows[0]?.file
  const before = await fileOf('notifications')
  await migrateFrom0011()
  expect(await fileOf('notifications_first')).toBe(before)
  const { rows } = await pool.query(`
    select n.message_id::int, count(*)::int as copies, count(n.message_at)::int as timed,
      bool_and(n.message_at = m.created_at) as is_time
    from notifications n join messages m on m.message_id = n.message_id group by 1 order by 1`)
  // The second message is over since long ago: its copies stay as they were.
  expect(rows).toEqual([
    { message_id: 1, copies: 20, timed: 20, is_time: true },
    { message_id: 2, copies: 20, timed: 0, is_time: null },
  ])
  await pool.query(`delete from users where user_id = 1`)
  // The same copy of a message cannot be written twice.
  const again = `insert into notifications (message_id, batch_id, user_id, mobile_devices_id, message_at, created_at, updated_at)
    select message_id, batch_id, user_id, mobile_devices_id, now(), now(), now() from notifications limit 1`
  await expect(pool.query(again)).rejects.toThrow('notifications_first_recipient')
})
