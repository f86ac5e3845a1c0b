import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type Alert = Selectable<Tables['alerts']>

export type NewAlert = {
  code: string
  detail: string
  provider?: string
}

/** Updates the open alert with this code, which says the latest, and adds this provider. Gives when it was raised. */
export async function raiseAlert(db: Db, { code, detail, provider }: NewAlert, now: Date): Promise<Date> {
  const providers = provider === undefined ? [] : [provider]
  const { rows } = await sql<{ raised_at: Date }>`
    insert into alerts (code, detail, providers, raised_at, last_seen_at)
    values (${code}, ${detail}, ${providers}::text[], ${now}, ${now})
    on conflict (code) where resolved_at is null
    do update set last_seen_at = excluded.last_seen_at, detail = excluded.detail, times = alerts.times + 1,
      providers = array(select unnest(alerts.providers) union select unnest(excluded.providers) order by 1)
    returning raised_at`.execute(db)
  return must(rows[0], 'alert that was raised').raised_at
}

export async function hasOpenAlert(db: Db, code: string, provider: string): Promise<boolean> {
  const { rows } = await sql`
    select from alerts where code = ${code} and resolved_at is null and ${isAbout(provider)}`.execute(db)
  return rows.length > 0
}

/** `code` undefined: all about this provider. An alert about other providers too stays open for them. */
export async function resolveAlerts(
  db: Db,
  { provider, code }: { provider: string; code?: string },
  now: Date,
): Promise<void> {
  const isLast = sql`providers <@ array[${provider}::text]`
  await sql`
    update alerts set resolved_at = case when ${isLast} then ${now}::timestamptz end,
      providers = case when ${isLast} then providers else array_remove(providers, ${provider}) end
    where resolved_at is null and ${isAbout(provider)} ${code === undefined ? sql`` : sql`and code = ${code}`}`.execute(
    db,
  )
}

/** With `quietSince` only if nothing was seen since then. */
export async function resolveAlert(db: Db, code: string, now: Date, quietSince?: Date): Promise<void> {
  const isQuiet = quietSince === undefined ? sql`` : sql`and last_seen_at <= ${quietSince}`
  await sql`
    update alerts set resolved_at = ${now} where code = ${code} and resolved_at is null ${isQuiet}`.execute(db)
}

function isAbout(provider: string) {
  return sql`${provider} = any(providers)`
}

export async function listAlerts(db: Db, limit: number): Promise<Alert[]> {
  const { rows } = await sql<Alert>`
    select * from alerts order by resolved_at desc nulls first, raised_at desc, alert_id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** When each open alert was raised. */
export async function findOpenAlerts(db: Db): Promise<Date[]> {
  const rows = await db.selectFrom('alerts').select('raised_at').where('resolved_at', 'is', null).execute()
  return rows.map(({ raised_at }) => raised_at)
}
