// Slow: a second or more for each test, or five for the file.
import { readdir, readFile } from 'node:fs/promises'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from './support/service.ts'
import { TRUTHS } from './support/truths.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

let pool: Pool
let drop: () => Promise<void>

// Swaps 1 to 3 as the version before left them: both wrote and read a part, one side alone wrote, nobody did.
beforeEach(async () => {
  const database = await createDatabase()
  drop = database.drop
  pool = new Pool({ connectionString: database.url, max: 1 })
  pool.on('error', () => undefined)
  const files = (await readdir(FOLDER)).toSorted()
  for (const file of files.filter((name) => name < '0021')) await run(file)
  await pool.query(`
    insert into users (user_id, username, email, name, password_hash) overriding system value
      select n, 'u' || n, n || '@example.com', 'U', 'none' from generate_series(1, 2) n;
    insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, created_at, updated_at) overriding system value
      select n, 1, 2, case n when 3 then 'disputed' else 'accepted' end, now(), now(), now() - interval '1 day', now() - interval '1 hour'
      from generate_series(1, 3) n;
    insert into swap_messages (swap_id, sender_id, body, read_at, created_at) values
      (1, 1, 'a', now(), now()), (1, 2, 'b', now(), now()), (1, 1, 'c', null, now()), (1, 1, 'd', null, now()),
      (1, 2, 'e', null, now()), (2, 2, 'f', now(), now())`)
  await run(files.find((name) => name.startsWith('0021'))!)
})

afterEach(async () => {
  await pool.end()
  await drop()
})

async function run(file: string): Promise<void> {
  await pool.query(await readFile(new URL(file, FOLDER), 'utf8'))
}

test('chats and disputes from before are counted as their rows say', async () => {
  const sides = await pool.query('select swap_id, user_id, received, unread from chat_sides order by 1, 2')
  expect(sides.rows).toEqual([
    { swap_id: '1', user_id: '1', received: 2, unread: 1 },
    { swap_id: '1', user_id: '2', received: 3, unread: 2 },
    { swap_id: '2', user_id: '1', received: 1, unread: 0 },
  ])
  const { rows: disputes } = await pool.query(
    'select swap_id, side, reason, opened_at = updated_at as is_last from swap_disputes join swaps using (swap_id)',
  )
  expect(disputes).toEqual([{ swap_id: '3', side: null, reason: null, is_last: true }])
  for (const [truth, statement] of TRUTHS)
    if (/unread|open dispute/.test(truth))
      expect({ truth, rows: (await pool.query(statement)).rows }).toEqual({ truth, rows: [] })
})
