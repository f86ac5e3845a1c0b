import { sql, type RawBuilder } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import { atMicros, toMicros } from '../../platform/db/micros.ts'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { Platform } from '../../platform/tables/tables.ts'

export const REMOVAL_REASONS = ['DeviceNotRegistered', 'MismatchSenderId', 'released', 'moved', 'replaced'] as const
type RemovalReason = (typeof REMOVAL_REASONS)[number]

/** From inclusive, to exclusive. */
export type Period = { from: Date; to: Date }

export type RemovedOnDay = { day: string; provider: string; reason: RemovalReason; devices: number }

export async function countRemovedByDay(db: Db, { from, to }: Period): Promise<RemovedOnDay[]> {
  const { rows } = await sql<RemovedOnDay>`
    select to_char(removed_at at time zone 'UTC', 'YYYY-MM-DD') as day, provider, removed_reason as reason,
      count(*) as devices
    from mobile_devices where removed_at >= ${from} and removed_at < ${to}
    group by 1, 2, 3 order by 1 desc, 2, 3`.execute(db)
  return rows
}

export type RemovedDevice = {
  id: number
  user_id: number
  name: string
  platform: Platform
  provider: string
  reason: RemovalReason
  last_registered_at: Date
  removed_at: Date
  /** `removed_at` in microseconds. */
  at: number
}

export type RemovedFilter = Period & { reason: RemovalReason | undefined; provider: string | undefined }

export async function listRemovedDevices(
  db: Db,
  { from, to, reason, provider }: RemovedFilter,
  { after, limit }: { after: [at: number, id: number] | undefined; limit: number },
): Promise<RemovedDevice[]> {
  const { rows } = await sql<RemovedDevice>`
    select d.id, d.user_id, u.name, d.platform, d.provider, d.removed_reason as reason, d.last_registered_at,
      d.removed_at, ${toMicros(sql`d.removed_at`)} as at
    from (
      select * from mobile_devices d
      where removed_at >= ${from} and removed_at < ${to}
        ${when(after, ([at, id]) => sql`and (removed_at, id) < (${atMicros(at)}, ${id})`)}
        ${when(reason, (one) => sql`and removed_reason = ${one}`)}
        ${when(provider, (one) => sql`and provider = ${one}`)}
      order by removed_at desc, id desc limit ${limit}) d
    join users u on u.user_id = d.user_id
    order by d.removed_at desc, d.id desc`.execute(db)
  return rows
}

function when<T>(value: T | undefined, part: (value: T) => RawBuilder<unknown>): RawBuilder<unknown> {
  return value === undefined ? sql`` : part(value)
}

export async function findRegisteredSince(db: Db, devices: { deviceId: number; at: Date }[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from ${asRows(devices, { deviceId: 'bigint', at: 'timestamptz' })} as g(id, at)
    join mobile_devices d on d.id = g.id where d.last_registered_at > g.at`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of these devices, and of those that the provider had removed since then for the same reason. */
export async function countGoneLately(
  db: Db,
  what: { provider: string; reason: RemovalReason; since: Date; deviceIds: readonly number[] },
): Promise<{ people: number; devices: number }> {
  const { rows } = await sql<{ people: number; devices: number }>`
    select count(distinct user_id)::int as people, count(distinct id)::int as devices from (
      select id, user_id from mobile_devices where id = any(${int8Array(what.deviceIds)}::bigint[])
      union all
      select id, user_id from mobile_devices
      where removed_at >= ${what.since} and removed_reason = ${what.reason} and provider = ${what.provider}) gone`.execute(
    db,
  )
  return must(rows[0], 'count of people')
}
