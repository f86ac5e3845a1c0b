import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'

export async function insertDefaultSettings(db: Db | Tx, userId: number): Promise<void> {
  await db
    .insertInto('user_settings')
    .values({ user_id: userId, setting_name: 'notification', setting_value: '1' })
    .execute()
}

export async function listSettings(db: Db | Tx, userId: number): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('user_settings')
    .select(['setting_name', 'setting_value'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('setting_name')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.setting_name, row.setting_value]))
}

export async function upsertSetting(tx: Tx, userId: number, name: string, value: string, now: Date): Promise<void> {
  await sql`
    insert into user_settings (user_id, setting_name, setting_value, created_at, updated_at)
    values (${userId}, ${name}, ${value}, ${now}, ${now})
    on conflict (user_id, setting_name) where deleted_at is null
    do update set setting_value = excluded.setting_value, updated_at = excluded.updated_at`.execute(tx)
}
