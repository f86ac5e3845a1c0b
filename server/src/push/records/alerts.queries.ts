import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type Alert = Selectable<Tables['alerts']>

/** Raises an alert, or marks the open one of the same code as seen again. */
export async function raiseAlert(db: Db, code: string, detail: string, now: Date): Promise<void> {
  await sql`
    insert into alerts (code, detail, raised_at, last_seen_at) values (${code}, ${detail}, ${now}, ${now})
    on conflict (code) where resolved_at is null
    do update set last_seen_at = excluded.last_seen_at, times = alerts.times + 1`.execute(db)
}

/** Whether an alert of this code is open. */
export async function hasOpenAlert(db: Db, code: string): Promise<boolean> {
  const open = db.selectFrom('alerts').select('alert_id').where('code', '=', code).where('resolved_at', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}

/** Resolves the open alerts of these codes, or all of them. */
export async function resolveAlerts(db: Db, codes: string[] | 'all', now: Date): Promise<void> {
  const open = db.updateTable('alerts').set({ resolved_at: now }).where('resolved_at', 'is', null)
  await (codes === 'all' ? open : open.where('code', 'in', codes)).execute()
}

/** Open alerts first, the newest first, then those that were resolved last. */
export async function listAlerts(db: Db, limit: number): Promise<Alert[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .orderBy(sql`resolved_at desc nulls first`)
    .orderBy('raised_at', 'desc')
    .orderBy('alert_id', 'desc')
    .limit(limit)
    .execute()
}
