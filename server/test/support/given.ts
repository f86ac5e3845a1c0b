import { randomUUID } from 'node:crypto'
import type { Platform, Role, UserStatus } from '../../src/platform/tables/tables.ts'
import type { Deps } from '../../src/deps.ts'

type GivenDevice = { id: number; token: string; deviceId: string; platform: Platform }
export type GivenUser = {
  userId: number
  email: string
  name: string
  headers: { authorization: string }
  devices: GivenDevice[]
}

type UserWishes = {
  role?: Role
  status?: UserStatus
  name?: string
  email?: string
  isTestUser?: boolean
  /** Absent: `1`; null: no setting at all. */
  notification?: '0' | '1' | null
  devices?: { token?: string; platform?: Platform; deviceId?: string; provider?: string }[]
}

export type Given = {
  /** A stored account with an open session and its devices; only what a test cares about need be said. */
  user(wishes?: UserWishes): Promise<GivenUser>
  admin(): Promise<GivenUser>
  /** `count` users with one device each, in one statement. */
  crowd(count: number): Promise<void>
}

/** Builders that store a test's initial records in the database. */
export function createGiven(deps: Deps): Given {
  const user = async (wishes: UserWishes = {}) => {
    const { userId, email, name } = await insertUser(deps, wishes)
    if (wishes.notification !== null) await insertSetting(deps, userId, wishes.notification ?? '1')
    const { token } = await deps.sessions.open({ userId })
    const sessionId = await findSessionId(deps, userId)
    const devices = []
    for (const wish of wishes.devices ?? []) devices.push(await insertDevice(deps, { userId, sessionId }, wish))
    return { userId, email, name, devices, headers: { authorization: `Bearer ${token}` } }
  }
  return { user, admin: () => user({ role: 'admin', notification: null }), crowd: (count) => insertCrowd(deps, count) }
}

async function insertUser({ db }: Deps, wishes: UserWishes) {
  const unique = randomUUID().slice(0, 8)
  const name = wishes.name ?? `User ${unique}`
  const email = wishes.email ?? `user-${unique}@example.com`
  const { user_id: userId } = await db
    .insertInto('users')
    .values({
      username: `user-${unique}`,
      email,
      name,
      password_hash: 'no password',
      role: wishes.role ?? 'user',
      status: wishes.status ?? 'active',
      is_test_user: wishes.isTestUser ?? false,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow()
  return { userId, email, name }
}

/** Reads the row: to authenticate would refuse a barred account, and cache what a test is about to change. */
async function findSessionId({ db }: Deps, userId: number): Promise<string> {
  const session = db.selectFrom('sessions').select('session_id').where('user_id', '=', userId)
  return (await session.executeTakeFirstOrThrow()).session_id
}

async function insertSetting({ db }: Deps, userId: number, value: string): Promise<void> {
  await db
    .insertInto('user_settings')
    .values({ user_id: userId, setting_name: 'notification', setting_value: value })
    .execute()
}

async function insertDevice(
  { db, clock }: Deps,
  { userId, sessionId }: { userId: number; sessionId: string },
  wish: NonNullable<UserWishes['devices']>[number],
) {
  const device = {
    token: wish.token ?? `ExponentPushToken[${randomUUID()}]`,
    deviceId: wish.deviceId ?? randomUUID(),
    platform: wish.platform ?? 'ios',
  }
  const { id } = await db
    .insertInto('mobile_devices')
    .values({
      user_id: userId,
      session_id: sessionId,
      token: device.token,
      device_id: device.deviceId,
      platform: device.platform,
      provider: wish.provider ?? 'expo',
      last_registered_at: new Date(clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ...device }
}

async function insertCrowd({ pool, clock }: Deps, count: number): Promise<void> {
  await pool.query(
    `with people as (
      insert into users (username, email, name, password_hash)
      select 'crowd-' || n, 'crowd-' || n || '@example.com', 'Crowd ' || n, 'no password' from generate_series(1, $1::int) n
      returning user_id),
    settings as (
      insert into user_settings (user_id, setting_name, setting_value) select user_id, 'notification', '1' from people),
    opened as (
      insert into sessions (session_id, user_id, created_at, expires_at, ends_at)
      select gen_random_uuid(), user_id, $2, ends_at, ends_at
      from people, (select $2::timestamptz + interval '90 days' as ends_at) e returning session_id, user_id)
    insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
    select user_id, session_id, 'ExponentPushToken[crowd-' || user_id || ']', 'phone-' || user_id,
      case when user_id % 2 = 0 then 'ios' else 'android' end, $2 from opened`,
    [count, new Date(clock.now())],
  )
}
