import { sql, type Selectable } from 'kysely'
import { isOpenSession } from '../../identity/sessions/sessions.queries.ts'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db, DbPool, Tx } from '../../platform/db/connect.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import { isKept, listTokens, selectReached, type NewDevice } from './addresses.queries.ts'
import { FAULTS, isGone, IS_TAKEN, type GoneFilter, type LastingFault } from './removed-devices.queries.ts'
import { olderThan, toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import type { Tables } from '../../platform/tables/schema.ts'

/** Decision B10. A batch has places for as many of each of its people. */
export const PHONES_A_PERSON = 20

/** A device (`d`) is live if nobody released it, and the session that registered it is open (decision B27). */
export function isLive(now: Date) {
  return sql`(d.removed_at is null and exists (
    select from sessions l where l.session_id = d.session_id and ${isOpenSession('l', now)}))`
}

// Skips locked rows, because an insert on their key would wait. One order for all prevents deadlocks.
const REGISTER_PLAIN = `
  with named as (
    select *, row_number() over (partition by user_id order by place) as nth,
      row_number() over (partition by user_id, of_phone order by place) as nth_of_phone
    from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      with ordinality as a (user_id, session_id, token, device_id, platform, provider, of_phone, fallback_token,
        place)),
  known as (
    select d.id, a.session_id, a.place from named a join mobile_devices d on d.user_id = a.user_id and d.token = a.token
    where d.device_id = a.device_id and d.platform = a.platform and d.provider = a.provider and d.removed_at is null
      and coalesce(a.fallback_token, d.fallback_token) is not distinct from d.fallback_token
    for no key update of d skip locked),
  refreshed as (
    update mobile_devices d set last_registered_at = $9, updated_at = $9, session_id = k.session_id
    from known k where d.id = k.id),
  added as (
    insert into mobile_devices (user_id, session_id, token, device_id, platform, provider, last_registered_at)
    select user_id, session_id, token, device_id, platform, provider, $9 from named a
    where place not in (select place from known) and a.fallback_token is null and nth_of_phone = 1
      and not exists (select from mobile_devices d where d.user_id = a.user_id and d.token = a.token)
      and not exists (select from mobile_devices d where d.token = a.token and d.removed_at is null)
      and not exists (
        select from mobile_devices d where coalesce(d.fallback_token, d.token) = a.token and d.removed_at is null)
      and not exists (
        select from mobile_devices d
        where d.token = a.token and d.removed_at is not null and d.fallback_token is not null)
      and not exists (select from mobile_devices d where d.fallback_token = a.token and d.removed_at is not null)
      and not exists (
        select from mobile_devices d where d.user_id = a.user_id and d.removed_at is null
          and (d.device_id = a.device_id or starts_with(d.token, a.of_phone)))
      and nth + (select count(*) from mobile_devices d where d.user_id = a.user_id and d.removed_at is null)
        <= ${PHONES_A_PERSON}
    order by token, user_id
    on conflict do nothing
    returning user_id, token, device_id, platform)
  select place from known
  union select place from named join added using (user_id, token, device_id, platform)`

/** One prepared statement: refreshes exact matches, and adds phones with one address. True: it is registered now. */
export async function registerPlain(pool: DbPool, devices: NewDevice[], now: Date): Promise<boolean[]> {
  const names = ['userId', 'sessionId', 'token', 'deviceId', 'platform', 'provider', 'ofPhone'] as const
  const columns = names.map((name) => devices.map((d) => d[name]))
  const fallbacks = devices.map(({ fallback }) => fallback?.token ?? null)
  const statement = { name: 'register-plain', text: REGISTER_PLAIN, values: [...columns, fallbacks, now] }
  const rows = await runPrepared<{ place: number }>(pool, statement)
  const done = new Set(rows.map(({ place }) => place))
  return devices.map((_, index) => done.has(index + 1))
}

type ReleasedDevice = { id: number; user_id: number }

/** Removes the tokens from former owners, former tokens from this phone, and a 21st phone, unseen longest. */
export async function releaseFormer(tx: Tx, device: NewDevice, now: Date): Promise<ReleasedDevice[]> {
  const tokens = listTokens(device)
  const isSame = sql`(device_id = ${device.deviceId} or starts_with(token, ${device.ofPhone}))`
  const { rows } = await sql<ReleasedDevice>`
    update mobile_devices d set removed_at = ${now}, updated_at = ${now},
      removed_reason = case when user_id = ${device.userId} then 'replaced' else 'moved' end
    where removed_at is null and not (user_id = ${device.userId} and token = ${device.token}) and not ${isKept(device)}
      and id = any(array(
        ${selectReached(tokens)}
        union select id from mobile_devices where removed_at is null and user_id = ${device.userId} and ${isSame}
        union (
          select id from mobile_devices
          where user_id = ${device.userId} and removed_at is null and device_id <> ${device.deviceId}
            and token <> all(${tokens}) and coalesce(fallback_token, token) <> all(${tokens})
          order by last_registered_at desc, id desc offset ${PHONES_A_PERSON - 1})))
    returning id, user_id`.execute(tx)
  return rows
}

/** The row of a phone that was registered by its fallback alone gets its new token: what waits still reaches it. */
export async function moveRow(tx: Tx, device: NewDevice): Promise<void> {
  if (device.fallback === null) return
  await sql`
    update mobile_devices d set token = ${device.token}, provider = ${device.provider}, is_proven = false,
      fallback_token = ${device.fallback.token}, fallback_provider = ${device.fallback.provider}
    where removed_at is null and ${isKept(device)}`.execute(tx)
}

export async function upsertDevice(tx: Tx, device: NewDevice, now: Date): Promise<void> {
  const registered = {
    device_id: device.deviceId,
    platform: device.platform,
    provider: device.provider,
    fallback_token: device.fallback?.token ?? null,
    fallback_provider: device.fallback?.provider ?? null,
    session_id: device.sessionId,
    last_registered_at: now,
    removed_at: null,
    removed_reason: null,
    gone_by: null,
  }
  await tx
    .insertInto('mobile_devices')
    .values({ user_id: device.userId, token: device.token, ...registered })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'token']).doUpdateSet({
        ...registered,
        updated_at: now,
        is_proven: sql<boolean>`mobile_devices.is_proven and mobile_devices.provider = excluded.provider`,
      }),
    )
    .execute()
}

export async function release(
  tx: Tx,
  userId: number,
  which: { deviceId: string } | { id: number },
  now: Date,
): Promise<ReleasedDevice[]> {
  const isChosen = 'id' in which ? sql`id = ${which.id}` : sql`device_id = ${which.deviceId}`
  const { rows } = await sql<ReleasedDevice>`
    update mobile_devices set removed_at = ${now}, removed_reason = 'released', updated_at = ${now}
    where user_id = ${userId} and ${isChosen} and removed_at is null
    returning id, user_id`.execute(tx)
  return rows
}

/**
 * Removes what `provider` called gone, in the order of ids. Skips devices that registered after `before`, or were
 * restored after the push was sent.
 */
export async function removeGone(
  db: Db | Tx,
  provider: string,
  gone: { deviceId: number; sentAt: Date; before: Date; reason: LastingFault }[],
  now: Date,
): Promise<void> {
  await sql`
    update mobile_devices d set removed_at = ${now}, removed_reason = g.reason, updated_at = ${now},
      gone_by = nullif(${provider}::text, d.provider)
    from (
      select g.sent_at, g.before, g.reason, o.id
      from ${asRows(gone, GONE)} as g(id, sent_at, before, reason)
      join mobile_devices o on o.id = g.id order by o.id for no key update of o) g
    where d.id = g.id and d.removed_at is null and d.last_registered_at <= g.before
      and (d.restored_at is null or d.restored_at <= g.sent_at)`.execute(db)
}

const GONE = { deviceId: 'bigint', sentAt: 'timestamptz', before: 'timestamptz', reason: 'text' } as const

export type ProvenDevices = { provider: string; devices: { deviceId: number; isProven: boolean }[] }

/** Notes which tokens of some devices the provider accepts; skips those that moved or are being changed. */
export async function setProven(tx: Tx, { provider, devices }: ProvenDevices): Promise<void> {
  await sql`
    update mobile_devices d set is_proven = g.is_proven
    from (
      select o.id, g.is_proven
      from ${asRows(devices, { deviceId: 'bigint', isProven: 'boolean' })} as g(id, is_proven)
      join mobile_devices o on o.id = g.id where o.provider = ${provider} and o.is_proven <> g.is_proven
      order by o.id for no key update of o skip locked) g
    where d.id = g.id`.execute(tx)
}

/** Skips those whose token or phone was registered later; returns how many were restored. */
export async function restoreGone(db: Db, filter: GoneFilter, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (
      select d.id from mobile_devices d where ${isGone(filter)} and not ${IS_TAKEN}
      order by d.removed_at, d.id limit ${limit} for update)
    update mobile_devices set removed_at = null, removed_reason = null, gone_by = null, restored_at = ${now},
      updated_at = ${now}
    where removed_reason in (${FAULTS}) and id in (select id from gone)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** A phone that logs out must not be restored. */
export async function releaseGone(tx: Tx, userId: number, deviceId: string, now: Date): Promise<void> {
  await sql`
    update mobile_devices set removed_reason = 'released', updated_at = ${now}
    where user_id = ${userId} and device_id = ${deviceId} and removed_reason in (${FAULTS})`.execute(tx)
}

/** `at`: `last_registered_at` in microseconds. */
export type OwnDevice = Pick<
  Selectable<Tables['mobile_devices']>,
  'id' | 'device_id' | 'platform' | 'last_registered_at'
> & { at: number }

export async function listOwnDevices(
  db: Db,
  userId: number,
  { after, limit, now }: { after: [at: number, id: number] | undefined; limit: number; now: Date },
): Promise<OwnDevice[]> {
  const isAfter = olderThan(sql`last_registered_at`, sql`id`, after)
  const { rows } = await sql<OwnDevice>`
    select id, device_id, platform, last_registered_at, ${toMicros(sql`last_registered_at`)} as at
    from mobile_devices d where user_id = ${userId} and ${joinWithAnd([isLive(now), isAfter])}
    order by last_registered_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
