import type { Pool } from 'pg'
import type { Random } from '../../server/test/support/random.ts'

/** The users that a send to everyone should reach, by a query that is independent of the service's. */
export type Audience = {
  selected: number
  inactive: number
  optedOut: number
  noDevice: number
  /** Phones of the users to notify. */
  devices: number
}

/**
 * Fills the database with users: most with one phone, some with two or none, some opted out, without the setting,
 * suspended or deleted.
 */
export async function insertPeople(pool: Pool, count: number, random: Random): Promise<void> {
  const turn = random.between(0, 39)
  await pool.query(
    `insert into users (username, email, name, password_hash, status, deleted_at)
     select 'user' || n, 'user' || n || '@torture.example', 'User ' || n, 'no password',
       case when (n + $2) % 40 = 0 then 'suspended' else 'active' end,
       case when (n + $2) % 97 = 1 then now() end
     from generate_series(1, $1::int) n`,
    [count, turn],
  )
  await pool.query(
    `insert into user_settings (user_id, setting_name, setting_value)
     select user_id, 'notification', case when (user_id + $1) % 40 = 2 then '0' else '1' end
     from users where (user_id + $1) % 40 <> 3`,
    [turn],
  )
  await pool.query(
    `insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
     select md5(user_id::text)::uuid, user_id, now() - interval '1 day', now() + interval '89 days',
       now() + interval '89 days' from users`,
  )
  await pool.query(
    `insert into mobile_devices (user_id, token, device_id, platform, last_registered_at, session_id)
     select user_id, 'ExponentPushToken[' || user_id || '-' || nth || ']', 'phone-' || user_id || '-' || nth,
       case when user_id % 2 = 0 then 'ios' else 'android' end, now() - interval '1 day', md5(user_id::text)::uuid
     from users, generate_series(1, case (user_id + $1) % 40 when 4 then 0 when 5 then 2 else 1 end) nth`,
    [turn],
  )
}

/** Ids of the users to notify. */
export async function eligibleUsers(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select user_id::int as id from users u where deleted_at is null and status = 'active'
       and exists (select from mobile_devices d where d.user_id = u.user_id and d.removed_at is null)
       and exists (select from user_settings s where s.user_id = u.user_id and s.setting_value = '1' and s.deleted_at is null)
     order by user_id`,
  )
  return rows.map((row) => row.id)
}

/** The users that a send to everyone should reach now. */
export async function readAudience(pool: Pool): Promise<Audience> {
  const { rows } = await pool.query<Audience>(
    `select count(*)::int as selected,
       count(*) filter (where status <> 'active')::int as inactive,
       count(*) filter (where status = 'active' and not wants)::int as "optedOut",
       count(*) filter (where status = 'active' and wants and phones = 0)::int as "noDevice",
       coalesce(sum(phones) filter (where status = 'active' and wants), 0)::int as devices
     from (
       select u.status,
         exists (select from user_settings s where s.user_id = u.user_id and s.setting_name = 'notification'
           and s.setting_value = '1' and s.deleted_at is null) as wants,
         (select count(*) from mobile_devices d where d.user_id = u.user_id and d.removed_at is null) as phones
       from users u where u.deleted_at is null) people`,
  )
  return rows[0] as Audience
}
