import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Platform, SkipReason } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { isLive, isOfPartition, notEligible } from './copies.queries.ts'
import type { ChangeAt } from './copies.ts'

export type UserRange = { lowest: number; highest: number; count: number }

type Range = { audience: 'all' | 'sandbox'; after: number; last: number }

export type AudiencePage = {
  /** The highest user id of the page; null when the audience is at its end. */
  cursor: number | null
  selected: number
  inactive: number[]
  optedOut: number[]
  eligible: number[]
}

/** In the order of user ids. Spec: sending rule 5 selects active users with notifications enabled. */
export async function selectAudiencePage(tx: Tx, range: Range, limit: number): Promise<AudiencePage> {
  const { rows } = await sql<AudiencePage>`
    with people as materialized (
      select u.user_id, u.status = 'active' as active from users u
      where u.user_id > ${range.after} and u.user_id <= ${range.last} and u.deleted_at is null ${onlyTestUsers(range)}
      order by u.user_id
      limit ${limit}),
    page as (
      select p.user_id, p.active, s.setting_value is not distinct from '1' as opted_in
      from people p
      left join user_settings s on s.user_id = p.user_id and s.setting_name = 'notification' and s.deleted_at is null
        and s.user_id > ${range.after} and s.user_id <= (select max(user_id) from people))
    select max(user_id) as cursor,
      count(*) as selected,
      coalesce(array_agg(user_id order by user_id) filter (where not active), '{}') as inactive,
      coalesce(array_agg(user_id order by user_id) filter (where active and not opted_in), '{}') as "optedOut",
      coalesce(array_agg(user_id order by user_id) filter (where active and opted_in), '{}') as eligible
    from page`.execute(tx)
  return must(rows[0], 'page of an audience')
}

export async function countAudience(db: Db | Tx, range: Range): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from users u
    where u.user_id > ${range.after} and u.user_id <= ${range.last}
      and u.deleted_at is null ${onlyTestUsers(range)}`.execute(db)
  return must(rows[0], 'count of an audience').n
}

const EXACT_UP_TO = 10_000

/** Exact up to 10,000, beyond that the planner's estimate (decision B20). */
export async function estimateAudience(tx: Db | Tx, audience: 'all' | 'sandbox'): Promise<number> {
  const { rows } = await sql<{ counted: number; estimated: number }>`
    select (select count(*) from (
        select 1 from users u where u.deleted_at is null ${onlyTestUsers({ audience })}
        limit ${EXACT_UP_TO + 1}) capped) as counted,
      (select reltuples::bigint from pg_class where oid = 'users'::regclass) as estimated`.execute(tx)
  const { counted, estimated } = must(rows[0], 'estimate of an audience')
  if (counted <= EXACT_UP_TO) return counted
  return audience === 'all'
    ? Math.max(counted, estimated)
    : countAudience(tx, { audience, after: 0, last: Number.MAX_SAFE_INTEGER })
}

export async function findHighestUserId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(user_id), 0) as id from users`.execute(tx)
  return must(rows[0], 'highest user id').id
}

/** BCP 47, by user id; a user who does not exist has none. */
export async function listLanguages(db: Db | Tx, userIds: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ user_id: number; language: string }>`
    select user_id, language from users where user_id = any(${int8Array(userIds)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.language]))
}

export async function listUnknownUsers(db: Db | Tx, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${userIds}::bigint[]) id
    where not exists (select 1 from users where user_id = id) order by id`.execute(db)
  return rows.map((row) => row.id)
}

/** A notification of a batch that has no ticket yet, with its device as it is now. */
export type Unsent = {
  notification_id: number
  message_id: number
  batch_id: number
  user_id: number
  device_id: number
  possible_duplicates: number
  skip: SkipReason | null
} & (
  { owned: true; token: string; platform: Platform } | { owned: false; token: string | null; platform: Platform | null }
)

/** Checks owner, session and preference again (B10, B27). Only what `resubmitNotifications` took is sent. */
export async function listUnsent(tx: Tx, batchIds: number[], { made, now }: ChangeAt): Promise<Unsent[]> {
  const { rows } = await sql<Unsent>`
    select n.notification_id, n.message_id, n.batch_id, n.user_id, n.mobile_devices_id as device_id,
      n.possible_duplicates, ${notEligible()} as skip,
      coalesce(d.user_id = n.user_id and ${isLive(now)}, false) as owned, d.token, d.platform
    from ${recipientsOf(batchIds)} m
    join notifications n on n.user_id = m.user_id and n.message_id = m.message_id and n.batch_id = m.batch_id
      and ${isOfPartition(made)}
      and n.ticket_id is null and n.settled_at is null
    left join users u on u.user_id = n.user_id
    left join user_settings s on s.user_id = n.user_id and s.setting_name = 'notification' and s.deleted_at is null
    left join mobile_devices d on d.id = n.mobile_devices_id
    order by n.notification_id`.execute(tx)
  return rows
}

/** For a `from`. `offset 0`, else the planner may look for all copies of a message first (measured: a million). */
export function recipientsOf(batchIds: number[]) {
  return sql`(
    select b.batch_id, b.message_id, r.user_id,
      (select needs_opt_in from messages where message_id = b.message_id) as needs_opt_in,
      (select created_at from messages where message_id = b.message_id) as message_at
    from batches b cross join lateral unnest(b.user_ids) r(user_id)
    where b.batch_id = any(${int8Array(batchIds)}::bigint[]) offset 0)`
}

/** A condition on `u`, a user. */
export function onlyTestUsers({ audience }: { audience: 'all' | 'sandbox' }) {
  return audience === 'sandbox' ? sql`and u.is_test_user` : sql``
}
