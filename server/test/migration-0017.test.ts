// Slow: a second or more for each test, or five for the file.
import { readdir, readFile } from 'node:fs/promises'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from './support/service.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

let pool: Pool
let drop: () => Promise<void>

// A database as the version before left it, halted.
beforeEach(async () => {
  const database = await createDatabase()
  drop = database.drop
  pool = new Pool({ connectionString: database.url, max: 1 })
  pool.on('error', () => undefined)
  const files = (await readdir(FOLDER)).toSorted()
  for (const file of files.filter((name) => name < '0017')) await run(file)
  await pool.query(`
    insert into users (user_id, username, email, name, password_hash) values (1, 'a', 'a@example.com', 'A', 'none');
    update provider_state set breaker = 'halted', breaker_code = 'Unauthorized'`)
  await writeAsBefore(1)
  await run(files.find((name) => name.startsWith('0017'))!)
})

afterEach(async () => {
  await pool.end()
  await drop()
})

async function run(file: string): Promise<void> {
  await pool.query(await readFile(new URL(file, FOLDER), 'utf8'))
}

/** What processes of the version before write, in their words. */
async function writeAsBefore(id: number): Promise<void> {
  const now = new Date()
  await pool.query(
    `insert into mobile_devices (user_id, token, device_id, platform, last_registered_at) values (1, $1, $1, 'ios', $2)`,
    [`ExponentPushToken[${id}]`, now],
  )
  await pool.query(
    `insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, created_at, expires_at, updated_at)
     values ($1, 'promotional', 'users', 'campaign', false, 'a', 'b', $2, $2, $2)`,
    [id, now],
  )
  await pool.query(
    `insert into batches (message_id, user_ids, due_at, created_at, updated_at) values ($1, '{1}', $2, $2, $2)`,
    [id, now],
  )
  await pool.query(
    `update batches set status = 'submitting', attempts = attempts + 1, claim = $1 where message_id = $1`,
    [id],
  )
  await pool.query(
    `insert into submissions (submission_id, batch_ids, notification_ids, user_ids, started_at, lease_until)
     values ($1, '{1}', '{1}', '{1}', $2, $2)`,
    [id, now],
  )
  await pool.query(`update provider_state set failures_in_row = failures_in_row + 1`)
  await pool.query(
    `insert into alerts (code, detail, raised_at, last_seen_at) values ('Unauthorized', 'a', $1, $1)
     on conflict (code) where resolved_at is null
     do update set last_seen_at = excluded.last_seen_at, times = alerts.times + 1`,
    [now],
  )
}

test('rows that the previous version wrote, and still writes, belong to Expo', async () => {
  await writeAsBefore(2)
  for (const table of ['mobile_devices', 'batches', 'submissions']) {
    const { rows } = await pool.query(`select provider from ${table}`)
    expect(rows).toEqual([{ provider: 'expo' }, { provider: 'expo' }])
  }
  const states = await pool.query('select provider, breaker, breaker_code, failures_in_row from provider_state')
  expect(states.rows).toEqual([
    { provider: 'expo', breaker: 'halted', breaker_code: 'Unauthorized', failures_in_row: 2 },
  ])
  const alerts = await pool.query('select code, times, providers from alerts')
  expect(alerts.rows).toEqual([{ code: 'Unauthorized', times: 2, providers: [] }])
})

test('a second provider has a state of its own', async () => {
  await pool.query(`insert into provider_state (provider) values ('other')`)
  const { rows } = await pool.query('select provider, breaker from provider_state order by provider')
  expect(rows).toEqual([
    { provider: 'expo', breaker: 'halted' },
    { provider: 'other', breaker: 'closed' },
  ])
  await expect(pool.query(`insert into provider_state (provider) values ('other')`)).rejects.toMatchObject({
    code: '23505',
  })
})
