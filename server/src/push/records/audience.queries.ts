import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { keptTotal } from '../../platform/lists/list-counts.queries.ts'
import { isLive } from '../devices/devices.queries.ts'
import { BULK_BLOCKS } from './home.queries.ts'
import { must } from '../../platform/shared/must.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'

/** `home`: of its people alone. */
type Range = { audience: 'all' | 'sandbox'; home: number; after: number; last: number }

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
    with ${countHomes(tx) === 1 ? pageOfAll(range, limit) : pageOfHome(tx, range, limit)}
    select max(user_id) as cursor,
      count(*) as selected,
      coalesce(array_agg(user_id order by user_id) filter (where not active), '{}') as inactive,
      coalesce(array_agg(user_id order by user_id) filter (where active and not opted_in), '{}') as "optedOut",
      coalesce(array_agg(user_id order by user_id) filter (where active and opted_in), '{}') as eligible
    from page`.execute(tx)
  return must(rows[0], 'page of an audience')
}

function pageOfAll(range: Range, limit: number) {
  return sql`
    people as materialized (
      select u.user_id, u.status = 'active' as active from users u
      where u.user_id > ${range.after} and u.user_id <= ${range.last} and u.deleted_at is null ${onlyTestUsers(range)}
      order by u.user_id
      limit ${limit}),
    page as (
      select p.user_id, p.active, s.setting_value is not distinct from '1' as opted_in
      from people p
      left join user_settings s on s.user_id = p.user_id and s.setting_name = 'notification' and s.deleted_at is null
        and s.user_id > ${range.after} and s.user_id <= (select max(user_id) from people))`
}

/** The people of a home are in blocks of neighbours, with those of other homes between them. */
function pageOfHome(tx: Runner, range: Range, limit: number) {
  return sql`
    page as materialized (
      select u.user_id, u.status = 'active' as active, s.setting_value is not distinct from '1' as opted_in
      from ${blocksOf(tx, range)} blocks(first_id)
      cross join lateral (
        select user_id, status from users u
        where user_id between greatest(first_id, ${range.after}::bigint + 1) and first_id + ${BULK_BLOCKS.size - 1}::int
          and user_id <= ${range.last} and deleted_at is null ${onlyTestUsers(range)}) u
      left join user_settings s on s.user_id = u.user_id and s.setting_name = 'notification' and s.deleted_at is null
        and s.user_id between first_id and first_id + ${BULK_BLOCKS.size - 1}::int
      order by first_id, u.user_id limit ${limit})`
}

/** The first ids of the blocks of a home, in their order. */
function blocksOf(source: Runner, { home, after, last }: Range) {
  const homes = countHomes(source)
  const { size, toBlock } = BULK_BLOCKS
  const next = toBlock(after + 1)
  const first = next + ((((home - next) % homes) + homes) % homes)
  return sql`(
    select block * ${size}::bigint from generate_series(${first}::bigint, ${toBlock(last)}::bigint, ${homes}::bigint) block
    order by 1)`
}

export async function countAudienceOfHome(tx: Tx, range: Range): Promise<number> {
  const isInRange = sql`u.user_id > ${range.after} and u.user_id <= ${range.last} and u.deleted_at is null`
  const people =
    countHomes(tx) === 1
      ? sql`users u`
      : sql`${blocksOf(tx, range)} blocks(first_id) join users u
          on u.user_id between first_id and first_id + ${BULK_BLOCKS.size - 1}::int`
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${people} where ${isInRange} ${onlyTestUsers(range)}`.execute(tx)
  return must(rows[0], 'count of an audience').n
}

/** Users who are not deleted; absent `statuses`: of any. */
export async function countAudience(
  db: Db | Tx,
  audience: Range['audience'],
  statuses?: readonly UserStatus[],
): Promise<number> {
  const test = audience === 'sandbox' ? [true] : undefined
  const { rows } = await keptTotal('users', [[false], statuses, undefined, undefined, test]).execute(db)
  return must(rows[0], 'kept total of users').n
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

export type AudienceSummary = {
  selected: number
  inactive: number
  opted_out: number
  no_device: number
  signed_out: number
  ios: number
  android: number
  web: number
  devices: number
  /** True: all but `selected` and `inactive` is from a sample. */
  isEstimate: boolean
}

const SUMMED_UP_TO = 100_000
const SAMPLED_USERS = 10_000
const EVERYONE = sql``

/** More than `exactUpTo` users are estimated by a sample of 10,000 (2,000,000 users: 40 ms instead of 2 to 3 s). */
export async function summariseAudience(
  db: Db | Tx,
  audience: Range['audience'],
  now: Date,
  exactUpTo = SUMMED_UP_TO,
): Promise<AudienceSummary> {
  const [selected, active] = await Promise.all([countAudience(db, audience), countAudience(db, audience, ['active'])])
  const of = { who: onlyTestUsers({ audience }), now }
  if (selected <= exactUpTo) return { ...(await sumUp(db, of, EVERYONE)), isEstimate: false }
  const { looked, selected: _selected, inactive: _inactive, ...sample } = await sumUpSample(db, of)
  const scale = looked === 0 ? 0 : active / looked
  const names = Object.keys(sample) as (keyof typeof sample)[]
  const scaled = Object.fromEntries(names.map((name) => [name, Math.round(sample[name] * scale)])) as typeof sample
  return { ...scaled, selected, inactive: selected - active, isEstimate: true }
}

/** Named users who do not exist are not counted. */
export async function summariseUsers(db: Db | Tx, userIds: number[], now: Date): Promise<AudienceSummary> {
  const who = sql`and u.user_id = any(${int8Array(userIds)}::bigint[])`
  return { ...(await sumUp(db, { who, now }, EVERYONE)), isEstimate: false }
}

type AudienceInput = { who: RawBuilder<unknown>; now: Date }
type Sums = Omit<AudienceSummary, 'isEstimate'>

/** `looked`: the number of active users in the sample. */
async function sumUpSample(db: Db | Tx, of: AudienceInput): Promise<Sums & { looked: number }> {
  const { rows } = await sql<{ rows: number }>`
    select greatest(reltuples, 1) as rows from pg_class where oid = 'users'::regclass`.execute(db)
  const percent = Math.min(100, (100 * SAMPLED_USERS) / must(rows[0], 'size of users').rows)
  const sums = await sumUp(db, of, sql`tablesample system (${percent})`)
  return { ...sums, looked: sums.selected - sums.inactive }
}

/**
 * A sample reads the pages one after another: only without one are a few test users found by their index. `offset 0`:
 * whether a phone is live is looked up once, not for each sum of it.
 */
async function sumUp(db: Db | Tx, { who, now }: AudienceInput, sample: RawBuilder<unknown>): Promise<Sums> {
  const { rows } = await sql<Sums>`
    with chosen as materialized (
      select u.user_id, u.status = 'active' as active from users u ${sample}
      where u.deleted_at is null ${who}),
    people as (
      select c.active, s.setting_value is not distinct from '1' as opted_in, coalesce(d.ios, 0) as ios,
        coalesce(d.android, 0) as android, coalesce(d.web, 0) as web, coalesce(d.live, 0) as live,
          d.user_id is not null as has_phone
      from chosen c
      left join user_settings s on s.user_id = c.user_id and s.setting_name = 'notification' and s.deleted_at is null
      left join (
        select user_id, count(*) filter (where live and platform = 'ios') as ios,
          count(*) filter (where live and platform = 'android') as android,
          count(*) filter (where live and platform = 'web') as web, count(*) filter (where live) as live
        from (
          select user_id, platform, ${isLive(now)} as live from mobile_devices d
          where removed_at is null and user_id = any(array(select user_id from chosen)) offset 0) phones
        group by user_id) d on d.user_id = c.user_id)
    select count(*) as selected,
      count(*) filter (where not active) as inactive,
      count(*) filter (where active and not opted_in) as opted_out,
      count(*) filter (where active and opted_in and not has_phone) as no_device,
      count(*) filter (where active and opted_in and has_phone and live = 0) as signed_out,
      coalesce(sum(ios) filter (where active and opted_in), 0)::bigint as ios,
      coalesce(sum(android) filter (where active and opted_in), 0)::bigint as android,
      coalesce(sum(web) filter (where active and opted_in), 0)::bigint as web,
      coalesce(sum(live) filter (where active and opted_in), 0)::bigint as devices
    from people`.execute(db)
  return must(rows[0], 'summary of an audience')
}

/** A condition on `u`, a user. */
export function onlyTestUsers({ audience }: { audience: 'all' | 'sandbox' }) {
  return audience === 'sandbox' ? sql`and u.is_test_user` : sql``
}
