import type { Pool } from 'pg'

/** Fills an empty database with `count` users who want notifications, each with one phone, and one administrator. */
export async function insertPeople(pool: Pool, count: number): Promise<void> {
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

export async function countUsers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>('select count(*) as n from users')
  return Number(rows[0]?.n)
}

/** Gives every user `each` unread notifications of as many messages. */
export async function fillInboxes(pool: Pool, each: number): Promise<void> {
  await pool.query(
    `insert into messages (type, audience, lane, needs_opt_in, title, body, data, status, coordinated_at, created_at, expires_at, updated_at)
     select 'promotional', 'all', 'campaign', true, 'Campaign ' || n, 'Something to read about swaps', '{"link":"swapbell://x"}',
       'completed', now(), now(), now(), now() from generate_series(1, $1::int) n`,
    [each],
  )
  await pool.query(
    `insert into notifications (message_id, batch_id, user_id, mobile_devices_id, attempts, is_send, is_delivered, ticket_id,
       created_at, updated_at, sent_at, settled_at)
     select m.message_id, 1, d.user_id, d.id, 1, true, true, md5(m.message_id || '-' || d.id), now(), now(), now(), now()
     from messages m cross join mobile_devices d order by m.message_id, d.user_id`,
  )
  await pool.query('vacuum analyze notifications, messages')
}
