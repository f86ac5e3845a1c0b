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
    `insert into mobile_devices (user_id, token, device_id, platform, last_registered_at)
     select user_id, 'ExponentPushToken[' || md5(user_id::text) || ']', 'phone-' || user_id,
       case when user_id % 2 = 0 then 'ios' else 'android' end, now() from users`,
  )
  await pool.query('vacuum analyze users, user_settings, mobile_devices')
}
