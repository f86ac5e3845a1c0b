import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'

type Range = { audience: 'all' | 'sandbox'; after: number; last: number }

export type AudiencePage = {
  /** The highest user id of the page; null when the audience is at its end. */
  cursor: number | null
  selected: number
  inactive: number[]
  optedOut: number[]
  eligible: number[]
}

/** They are in the order of user ids. Spec: sending rule 5 selects active users with notifications enabled. */
export async function selectAudiencePage(tx: Runner, range: Range, limit: number): Promise<AudiencePage> {
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

/** A condition on `u`, a user. */
export function onlyTestUsers({ audience }: { audience: 'all' | 'sandbox' }) {
  return audience === 'sandbox' ? sql`and u.is_test_user` : sql``
}
