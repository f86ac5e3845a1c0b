import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { queryBuilder, type DbPool } from '../../server/src/platform/db/connect.ts'
import { inTransaction } from '../../server/src/platform/db/transaction.ts'
import type { Platform } from '../../server/src/platform/tables/tables.ts'
import { insertPastCopies } from '../demo/past-copies.ts'

/** Fills an empty database with `count` users who want notifications, each with one phone, and one administrator. */
export async function insertPeople(pool: DbPool, count: number): Promise<void> {
  await pool.query(
    `insert into users (username, email, name, password_hash)
     select 'user' || n, 'user' || n || '@example.com', 'User ' || n, 'no password' from generate_series(1, $1::int) n`,
    [count],
  )
  await pool.query(
    `insert into user_settings (user_id, setting_name, setting_value) select user_id, 'notification', '1' from users`,
  )
  await pool.query(
    `insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
     select md5(user_id::text)::uuid, user_id, now(), now() + interval '90 days', now() + interval '90 days' from users`,
  )
  await pool.query(
    `insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
     select user_id, md5(user_id::text)::uuid, 'ExponentPushToken[' || md5(user_id::text) || ']', 'phone-' || user_id,
       case when user_id % 2 = 0 then 'ios' else 'android' end, now() from users`,
  )
  await pool.query('vacuum analyze users, user_settings, sessions, mobile_devices')
}

export async function countUsers(pool: DbPool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>('select count(*) as n from users')
  return Number(rows[0]?.n)
}

/** Gives every user `each` notifications of as many messages, of which each tenth was opened where `someAreOpened`. */
export async function fillInboxes(pool: DbPool, each: number, { someAreOpened = false } = {}): Promise<void> {
  const { rows: phones } = await pool.query<PastPhone>(
    'select id, user_id, platform from mobile_devices order by user_id',
  )
  const at = new Date()
  for (let n = 1; n <= each; n++)
    await inTransaction(
      queryBuilder(pool, () => undefined),
      async (tx) => {
        const { rows } = await sql<{ message_id: number }>`
        insert into messages (type, audience, lane, needs_opt_in, title, body, data, status, last_user_id,
          coordinated_at, created_at, expires_at, updated_at)
        values ('promotional', 'all', 'campaign', true, ${`Campaign ${n}`}, 'Something to read about swaps',
          '{"link":"swapbell://x"}',
          'completed', (select max(user_id) from users), ${at}, ${at}, ${at}, ${at}) returning message_id`.execute(tx)
        const messageId = rows[0]?.message_id ?? 0
        const copies = phones.map(({ id, user_id, platform }) => ({
          userId: user_id,
          deviceId: id,
          platform,
          ticket: randomUUID(),
          sentAt: at,
          settledAt: at,
          error: null,
          openedAt: someAreOpened && (user_id + n) % 10 === 0 ? at : null,
        }))
        await insertPastCopies(
          tx,
          { messageId, userIds: copies.map(({ userId }) => userId), madeAt: at, isBulk: true },
          copies,
        )
      },
    )
  await pool.query('vacuum analyze batches, bulk_entries, reactions, messages')
}

type PastPhone = { id: number; user_id: number; platform: Platform }
