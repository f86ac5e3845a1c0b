import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'

/** Notifications are on (decision B7). */
export async function insertDefaultSettings(db: Db | Tx, userId: number): Promise<void> {
  await db
    .insertInto('user_settings')
    .values({ user_id: userId, setting_name: 'notification', setting_value: '1' })
    .execute()
}

export async function upsertNotification(
  tx: Tx,
  { userId, isOn, now }: { userId: number; isOn: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into user_settings (user_id, setting_name, setting_value, created_at, updated_at)
    values (${userId}, 'notification', ${isOn ? '1' : '0'}, ${now}, ${now})
    on conflict (user_id, setting_name) where deleted_at is null
    do update set setting_value = excluded.setting_value, updated_at = excluded.updated_at`.execute(tx)
}

/** A setting that was never set is off. */
export async function isNotificationOn(db: Db, userId: number): Promise<boolean> {
  const setting = db.selectFrom('user_settings').select('setting_value').where('deleted_at', 'is', null)
  const found = await setting
    .where((on) => on.and({ user_id: userId, setting_name: 'notification' }))
    .executeTakeFirst()
  return found?.setting_value === '1'
}

/** Times are minutes of the day. */
export type PreferenceRow = {
  muted: EventKind[]
  quiet_start: number | null
  quiet_end: number | null
  quiet_except: EventKind[]
  sender_names: boolean
  time_zone: string
  notification: boolean
}

/** A user who has stored none gets the defaults; a setting that was never set is off. */
export async function findPreferences(db: Db | Tx, userId: number): Promise<PreferenceRow | undefined> {
  const { rows } = await sql<PreferenceRow>`
    select coalesce(p.muted, '{}') as muted, p.quiet_start, p.quiet_end, coalesce(p.quiet_except, '{}') as quiet_except,
      coalesce(p.sender_names, true) as sender_names, u.time_zone, coalesce(s.setting_value, '0') = '1' as notification
    from users u left join push_preferences p on p.user_id = u.user_id
      left join user_settings s on s.user_id = u.user_id and s.setting_name = 'notification' and s.deleted_at is null
    where u.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Makes the second of two changes at once wait, so that it sees the first. */
export async function lockPreferences(tx: Tx, userId: number): Promise<void> {
  await sql`select from users where user_id = ${userId} for no key update`.execute(tx)
}

/** Its caller has locked them. */
export async function savePreferences(
  tx: Tx,
  row: Omit<PreferenceRow, 'time_zone' | 'notification'> & { userId: number; now: Date },
): Promise<void> {
  const { userId, muted, quiet_start, quiet_end, quiet_except, sender_names, now } = row
  await sql`
    insert into push_preferences (user_id, muted, quiet_start, quiet_end, quiet_except, sender_names, created_at,
      updated_at)
    values (${userId}, ${muted}, ${quiet_start}, ${quiet_end}, ${quiet_except}, ${sender_names}, ${now}, ${now})
    on conflict (user_id) do update set muted = excluded.muted, quiet_start = excluded.quiet_start,
      quiet_end = excluded.quiet_end, quiet_except = excluded.quiet_except,
      sender_names = excluded.sender_names, updated_at = excluded.updated_at`.execute(tx)
}

/** A user without stored preferences wants every push at any hour, with names. */
export async function deletePreferences(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('push_preferences').where('user_id', '=', userId).execute()
}
