import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import { olderThan, toMicros } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { between, joinWithAnd } from '../../platform/lists/list-rows.ts'
import { must } from '../../platform/shared/must.ts'
import type { Platform } from '../../platform/tables/tables.ts'

/** What a provider says of a token that will never work again: the app is gone, or it is of another build. */
const LASTING_FAULTS = ['DeviceNotRegistered', 'MismatchSenderId'] as const
export type LastingFault = (typeof LASTING_FAULTS)[number]
export const FAULTS = sql.join(LASTING_FAULTS)

export const REMOVAL_REASONS = [...LASTING_FAULTS, 'released', 'moved', 'replaced'] as const
type RemovalReason = (typeof REMOVAL_REASONS)[number]

/** Who called a removed device (`d`) gone. */
const REMOVED_BY = sql.raw('coalesce(d.gone_by, d.provider)')

/** `from` is inclusive, `to` exclusive. */
export type Period = { from: Date; to: Date }

export type RemovedOnDay = { day: string; provider: string; reason: RemovalReason; devices: number }

export async function countRemovedByDay(db: Db, { from, to }: Period): Promise<RemovedOnDay[]> {
  const { rows } = await sql<RemovedOnDay>`
    select to_char(removed_at at time zone 'UTC', 'YYYY-MM-DD') as day, ${REMOVED_BY} as provider,
      removed_reason as reason,
      count(*) as devices
    from mobile_devices d where removed_at >= ${from} and removed_at < ${to}
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
  const conditions = [
    ...between(sql`removed_at`, from, to),
    olderThan(sql`removed_at`, sql`id`, after),
    reason && sql`removed_reason = ${reason}`,
    provider !== undefined && sql`${REMOVED_BY} = ${provider}`,
  ]
  const { rows } = await sql<RemovedDevice>`
    select d.id, d.user_id, u.name, d.platform, ${REMOVED_BY} as provider, d.removed_reason as reason,
      d.last_registered_at,
      d.removed_at, ${toMicros(sql`d.removed_at`)} as at
    from (
      select * from mobile_devices d
      where ${joinWithAnd(conditions)}
      order by removed_at desc, id desc limit ${limit}) d
    join users u on u.user_id = d.user_id
    order by d.removed_at desc, d.id desc`.execute(db)
  return rows
}

export async function findRegisteredSince(db: Db, devices: { deviceId: number; at: Date }[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from ${asRows(devices, { deviceId: 'bigint', at: 'timestamptz' })} as g(id, at)
    join mobile_devices d on d.id = g.id where d.last_registered_at > g.at`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counts these devices, and those that the provider had removed since then for the same reason. */
export async function countGoneLately(
  db: Db | Tx,
  what: { provider: string; reason: RemovalReason; since: Date; deviceIds: readonly number[] },
): Promise<{ people: number; devices: number }> {
  const { rows } = await sql<{ people: number; devices: number }>`
    select count(distinct user_id)::int as people, count(distinct id)::int as devices from (
      select id, user_id from mobile_devices where id = any(${int8Array(what.deviceIds)}::bigint[])
      union all
      select id, user_id from mobile_devices d
      where removed_at >= ${what.since} and removed_reason = ${what.reason} and ${REMOVED_BY} = ${what.provider}) gone`.execute(
    db,
  )
  return must(rows[0], 'count of people')
}

/**
 * `from` is inclusive, `to` exclusive. `provider` called the phones gone (absent: any did). `hasFallback` keeps those
 * with a second address.
 */
export type GoneFilter = {
  from: Date
  to: Date
  provider?: string | undefined
  reason?: LastingFault
  hasFallback?: true
}

/** `left`: they stay removed, because the token or the phone now belongs to another. */
export type GoneCount = { restorable: number; left: number }

export async function countGone(db: Db, filter: GoneFilter): Promise<GoneCount> {
  const { rows } = await sql<GoneCount>`
    select count(*) filter (where not ${IS_TAKEN}) as restorable, count(*) filter (where ${IS_TAKEN}) as left
    from mobile_devices d where ${isGone(filter)}`.execute(db)
  return rows[0] ?? { restorable: 0, left: 0 }
}

export function isGone({ from, to, provider, reason, hasFallback }: GoneFilter) {
  return sql`d.removed_at >= ${from} and d.removed_at < ${to}
    and d.removed_reason in (${reason === undefined ? FAULTS : sql.join([reason])})
    ${provider === undefined ? sql`` : sql`and ${REMOVED_BY} = ${provider}`}
    ${hasFallback === undefined ? sql`` : sql`and d.fallback_token is not null`}`
}

// Only the last registered of the rows of a token or phone may be restored, so that no two collide.
export const IS_TAKEN = sql.raw(`(
  exists (select from mobile_devices other where other.removed_at is null and other.token = d.token)
  or exists (
    select from mobile_devices other
    where other.removed_at is null
      and coalesce(other.fallback_token, other.token) = coalesce(d.fallback_token, d.token))
  or exists (
    select from mobile_devices other
    where other.removed_at is not null and other.token = d.token
      and (other.last_registered_at, other.id) > (d.last_registered_at, d.id))
  or d.fallback_token is not null and exists (
    select from mobile_devices other
    where other.removed_at is not null and other.token = d.fallback_token
      and (other.last_registered_at, other.id) > (d.last_registered_at, d.id))
  or exists (
    select from mobile_devices other
    where other.removed_at is not null and other.fallback_token = coalesce(d.fallback_token, d.token)
      and (other.last_registered_at, other.id) > (d.last_registered_at, d.id))
  or exists (
    select from mobile_devices other
    where other.user_id = d.user_id and other.device_id = d.device_id
      and (other.removed_at is null or (other.last_registered_at, other.id) > (d.last_registered_at, d.id))
      and other.id <> d.id))`)
