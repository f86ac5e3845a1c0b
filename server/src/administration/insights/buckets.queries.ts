import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { everyHome } from '../../push/records/home.queries.ts'

const BUCKETS_LOCK = 7_206_009

// The expressions of the indexes of the report on swaps.
const ACCEPTED_AT = sql`coalesce(accepted_at, '-infinity'::timestamptz)`
const COMPLETED_AT = sql`coalesce(completed_at, '-infinity'::timestamptz)`
const CREATED_AT = sql`created_at`

export const COMPLETED_IN_30D = sql`(completed_at <= created_at + interval '30 days')`
const BECAME_ACTIVE = sql`(to_state = 'active')::int - coalesce(from_state = 'active', false)::int`
const BECAME_INACTIVE = sql`(to_state not in ('active', 'deleted'))::int
  - coalesce(from_state not in ('active', 'deleted'), false)::int`

/** These events are counted for each quarter of an hour (ADR 20): the rows, their time, and how many each is. */
export const EVENTS = {
  accounts_created: selectEvent('users', CREATED_AT),
  active_change: selectEvent('account_changes', sql`at`, BECAME_ACTIVE),
  inactive_change: selectEvent('account_changes', sql`at`, BECAME_INACTIVE),
  products_listed: selectEvent('products', CREATED_AT),
  swaps_requested: selectEvent('swaps', CREATED_AT),
  swaps_accepted: selectEvent('swaps', ACCEPTED_AT),
  swaps_completed: selectEvent('swaps', COMPLETED_AT),
  requests_completed_in_30d: selectEvent('swaps', CREATED_AT, sql`${COMPLETED_IN_30D}::int`),
  messages_sent: selectEvent('swap_messages', CREATED_AT),
  pushes_sent: selectPushes(sql`sent`),
  pushes_delivered: selectPushes(sql`delivered`),
  pushes_opened: selectPushes(sql`opened`),
}

export type EventName = keyof typeof EVENTS

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

function selectEvent<Table extends string>(table: Table, at: RawBuilder<unknown>, n: RawBuilder<unknown> = sql`1`) {
  return { table, isInHomes: false, at, n }
}

function selectPushes(n: RawBuilder<unknown>) {
  return { ...selectEvent('push_counts', sql`bucket`, n), isInHomes: true }
}

/** They give the number of accounts at any time, and are only correct together. */
export const ACCOUNT_EVENTS: readonly EventName[] = ['accounts_created', 'active_change', 'inactive_change']

type Reach = { from: Date; to: Date }

/** Counts the quarters of a range anew from the rows; writes those that differ. */
export async function recountBuckets(tx: Tx, { from, to }: Reach, names: readonly EventName[]): Promise<void> {
  const events = names.map((name) => {
    const { table, isInHomes, at, n } = EVENTS[name]
    return sql`select ${toQuarter(at)} as bucket, ${sql.lit(name)} as name, sum(${n}) as n from ${sql.table(table)}
      where ${isInHomes ? sql`home in ${everyHome(tx)}` : sql`true`} and ${at} >= ${from} and ${at} < ${to} group by 1`
  })
  const each = (write: (name: EventName) => RawBuilder<unknown>) => sql.join(names.map(write))
  await sql`
    with counted as (
      select bucket, ${each((name) => sql`sum(n) filter (where name = ${sql.lit(name)}) as ${sql.ref(name)}`)}
      from (${sql.join(events, sql` union all `)}) e group by bucket)
    insert into metric_buckets (bucket, ${each((name) => sql.ref(name))})
    select q.bucket, ${each((name) => sql`coalesce(c.${sql.ref(name)}, 0)`)}
    from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '15 minutes',
      interval '15 minutes') q(bucket)
    left join counted c on c.bucket = q.bucket
    on conflict (bucket) do update set ${each((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)}
    where (${each((name) => sql`metric_buckets.${sql.ref(name)}`)})
      is distinct from (${each((name) => sql`excluded.${sql.ref(name)}`)})`.execute(tx)
}

/** Counts anew how many requests of older quarters were completed in time, where a completion is in the range. */
export async function recountCohorts(tx: Tx, { from, to }: Reach): Promise<void> {
  await sql`
    with touched as (
      select distinct ${toQuarter(sql`created_at`)} as bucket from swaps
      where ${COMPLETED_AT} >= ${from} and ${COMPLETED_AT} < ${to} and created_at < ${from})
    update metric_buckets b set requests_completed_in_30d = c.n
    from touched t cross join lateral (
      select count(*)::int as n from swaps
      where created_at >= t.bucket and created_at < t.bucket + interval '15 minutes'
        and completed_at <= created_at + interval '30 days') c
    where b.bucket = t.bucket and b.requests_completed_in_30d <> c.n`.execute(tx)
}

export async function sumEvents(
  db: Db,
  names: readonly EventName[],
  bounds: Date[],
): Promise<Record<EventName, number>[]> {
  const [first, last] = [bounds[0]!, bounds.at(-1)!]
  const { rows } = await sql<Record<EventName, number> & { slice: number }>`
    select width_bucket(bucket, ${bounds}::timestamptz[]) as slice,
      ${sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
    from metric_buckets where bucket >= ${first} and bucket < ${last} group by 1`.execute(db)
  const found = new Map(rows.map(({ slice, ...sums }) => [slice, sums]))
  const none = Object.fromEntries(names.map((name) => [name, 0])) as Record<EventName, number>
  return bounds.slice(1).map((_, index) => found.get(index + 1) ?? none)
}

/** A stored count, plus or minus the changes between. */
export async function countAccountsAt(db: Db, at: Date): Promise<{ active: number; inactive: number }> {
  const { rows } = await sql<{ active: number; inactive: number }>`
    select (s.active_count + coalesce(b.active, 0))::bigint as active,
      (s.inactive_count + coalesce(b.inactive, 0))::bigint as inactive
    from insight_state s left join lateral (
      select sum(active_change) * sign.n as active, sum(inactive_change) * sign.n as inactive
      from metric_buckets cross join (select case when s.counted_at > ${at}::timestamptz then -1 else 1 end as n) sign
      where bucket >= least(s.counted_at, ${at}::timestamptz) and bucket < greatest(s.counted_at, ${at}::timestamptz)
      group by sign.n) b on true`.execute(db)
  return rows[0] ?? { active: 0, inactive: 0 }
}

export type InsightState = { complete_until: Date | null; healed_at: Date | null }

export async function findState(db: Db | Tx): Promise<InsightState> {
  const { rows } = await sql<InsightState>`select complete_until, healed_at from insight_state`.execute(db)
  return rows[0] ?? { complete_until: null, healed_at: null }
}

/** Locked until `tx` ends, so that an older count never overwrites a newer one. */
export async function lockState(tx: Tx): Promise<InsightState> {
  await sql`select pg_advisory_xact_lock(${BUCKETS_LOCK})`.execute(tx)
  return findState(tx)
}

export async function setCompleteUntil(tx: Tx, at: Date, now: Date): Promise<void> {
  await sql`
    update insight_state
    set complete_until = least(greatest(complete_until, ${at}::timestamptz), ${now}::timestamptz)`.execute(tx)
}

/** `at`: the start of the current quarter. */
export async function recountAccounts(tx: Tx, at: Date, now: Date): Promise<void> {
  await sql`
    update insight_state set counted_at = ${at}, healed_at = ${now},
      active_count = c.active - since.active, inactive_count = c.inactive - since.inactive
    from (select count(*) filter (where status = 'active') as active,
      count(*) filter (where status <> 'active') as inactive
      from users where deleted_at is null) c,
      (select coalesce(sum(${BECAME_ACTIVE}), 0) as active, coalesce(sum(${BECAME_INACTIVE}), 0) as inactive
      from account_changes where at >= ${at}) since`.execute(tx)
}

export async function oldestTime(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(created_at) from users), (select min(created_at) from products),
      (select min(created_at) from swaps),
      (select min(bucket) from push_counts where home in ${everyHome(db)}), (select min(bucket) from metric_buckets),
      (select min(day) from user_activity_day)::timestamp at time zone 'UTC',
      (select min(day) from activity_gap_day)::timestamp at time zone 'UTC') as at`.execute(db)
  return rows[0]?.at ?? undefined
}

function toQuarter(at: RawBuilder<unknown>) {
  return sql`date_bin('15 minutes', ${at}, timestamptz 'epoch')`
}
