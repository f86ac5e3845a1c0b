import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { RUNNING } from '../records/statuses.queries.ts'
import { LANES, nameAwake, type AwakeMessages } from '../ledger/due-work.queries.ts'
import type { BreakerState, Lane } from '../../platform/tables/tables.ts'

/** Times are milliseconds since the epoch. */
export type OpenLanes = {
  provider: string
  breaker: BreakerState
  retry_at: number | null
  busy_until: number
  /** When the first batch of a lane is due; null: none waits, or the breaker is not closed. */
  transactional_due: number | null
  campaign_due: number | null
}

export type OpenWork = {
  lanes: OpenLanes[]
  /** A running message whose audience has not got all its batches: its job may wait. */
  uncoordinated: boolean
  /** When a badge is to be written to the realtime database; null: none is. */
  badges_due: number | null
}

/** All that a worker may do in a home, in one statement. While a breaker is not closed it reads none of the batches. */
export async function findOpenWork(db: Db, home: number, providers: string[], now: Date): Promise<OpenWork> {
  const due = sql`left join lateral (select ${dueInHome(home, now)} where p.breaker = 'closed') due on true`
  const { rows } = await sql<OpenWork>`
    select ${selectLanes(providers, due)} as lanes, ${UNCOORDINATED} as uncoordinated,
      ${toMilliseconds(sql`least(${badgesInHome(home)}, ${BADGES_OF_ALL})`)} as badges_due`.execute(db)
  return must(rows[0], 'open work')
}

/** Where there are several homes: what is in none of them, and when a message wakes. */
export async function findWorkOfAll(db: Db, providers: string[]): Promise<OpenWork> {
  const due = sql`cross join (
    select ${toMilliseconds(FIRST_AWAKE)} as transactional_due, null as campaign_due) due`
  const { rows } = await sql<OpenWork>`
    select ${selectLanes(providers, due)} as lanes, ${UNCOORDINATED} as uncoordinated,
      ${toMilliseconds(sql`least(${BADGES_OF_ALL})`)} as badges_due`.execute(db)
  return must(rows[0], 'open work')
}

/** `awake`: the running messages of each lane that is asked for. `open`: the providers that take pushes. */
type HomeQuestion = { awake: Partial<Record<Lane, AwakeMessages | undefined>>; open: readonly OpenLanes[] }

/**
 * And what these lanes may do in one, whose server is asked. Work alone is asked for: Citus plans a statement of one
 * table and one home in a quarter of the time of a join.
 */
export async function findWorkOfHome(
  { db, own, home }: { db: Db; own: Db; home: number },
  { awake, open }: HomeQuestion,
  now: Date,
): Promise<OpenWork> {
  // The server is asked something in any case, so that it is noticed when it is away.
  const { rows: unwritten } = await sql`
    select home from unread where home = ${home} and unwritten <> 0::bit(64) limit 1`.execute(own)
  const findDue = async (lane: Lane, provider: string) => {
    const messageIds = await nameAwake({ db, own, home, lane, provider }, awake[lane] ?? [], now)
    return findFirstDue(own, home, { messageIds, provider })
  }
  const lanes: OpenLanes[] = []
  for (const one of open) {
    const transactional_due = await findDue('transactional', one.provider)
    lanes.push({ ...one, transactional_due, campaign_due: await findDue('campaign', one.provider) })
  }
  return { lanes, uncoordinated: false, badges_due: unwritten.length > 0 ? 0 : null }
}

async function findFirstDue(
  db: Db,
  home: number,
  { messageIds = [], provider }: { messageIds: readonly number[] | undefined; provider: string },
): Promise<number | null> {
  if (messageIds.length === 0) return null
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from work
    where home = ${home} and message_id = any(${int8Array(messageIds)}::bigint[])
      and (provider is null or provider = ${provider})
    order by due_at limit 1`.execute(db)
  return rows[0]?.due_at.getTime() ?? null
}

const UNCOORDINATED = sql`exists (
  select 1 from messages where status in ${RUNNING} and coordinated_at is null and audience <> 'users')`

const BADGES_OF_ALL = sql`
  (select due_at from badge_nodes where due_at is not null order by due_at limit 1),
  (select due_at from badge_removals order by due_at limit 1)`

function badgesInHome(home: number) {
  return sql`(select 'epoch'::timestamptz where exists (
    select 1 from unread where home = ${home} and unwritten <> 0::bit(64)))`
}

function selectLanes(providers: string[], due: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(open), '[]') from (
    select p.provider, p.breaker, ${toMilliseconds(sql`p.retry_at`)} as retry_at,
      ${toMilliseconds(sql`p.busy_until`)} as busy_until, due.*
    from provider_state p ${due}
    where p.provider = any(${providers})) open)`
}

function dueInHome(home: number, now: Date) {
  return sql.join(LANES.map((lane) => sql`${firstDue(home, lane, now)} as ${sql.ref(`${lane}_due`)}`))
}

/**
 * Gives milliseconds. Where something is due by now, it takes the first that is found: the others may be a hundred
 * thousand.
 */
function firstDue(home: number, lane: Lane, now: Date) {
  const selectDue = (condition: RawBuilder<unknown>) => sql`
    select w.due_at from (
      select message_id from messages where status in ${RUNNING} and lane = ${lane} and sleeps_until is null
      order by created_at, message_id) m
    cross join lateral (
      select due_at from work w
      where w.home = ${home} and w.message_id = m.message_id
        and (w.provider is null or w.provider = p.provider) and ${condition}
      order by w.due_at limit 1) w`
  return sql`extract(epoch from coalesce(
    (${selectDue(sql`w.due_at <= ${now}::timestamptz`)} limit 1),
    least((select min(due_at) from (${selectDue(sql`true`)}) later),
      ${lane === 'transactional' ? FIRST_AWAKE : sql`null`}))) * 1000`
}

const FIRST_AWAKE = sql`(
  select sleeps_until from messages where sleeps_until < 'infinity' order by sleeps_until limit 1)`

function toMilliseconds(time: RawBuilder<unknown>) {
  return sql`extract(epoch from ${time}) * 1000`
}
