import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { RUNNING } from '../records/statuses.queries.ts'
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
  const { rows } = await sql<OpenWork>`
    select
      (select coalesce(json_agg(open), '[]') from (
        select p.provider, p.breaker, ${toMilliseconds('p.retry_at')} as retry_at,
          ${toMilliseconds('p.busy_until')} as busy_until, due.*
        from provider_state p
        left join lateral (
          select ${firstDue(home, 'transactional', now)} as transactional_due,
            ${firstDue(home, 'campaign', now)} as campaign_due
          where p.breaker = 'closed') due on true
        where p.provider = any(${providers})) open) as lanes,
      exists (select 1 from messages
        where status in ${RUNNING} and coordinated_at is null and audience <> 'users') as uncoordinated,
      extract(epoch from least(
        (select 'epoch'::timestamptz where exists (
          select 1 from unread where home = ${home} and unwritten <> 0::bit(64))),
        (select due_at from badge_nodes where due_at is not null order by due_at limit 1),
        (select due_at from badge_removals order by due_at limit 1))) * 1000 as badges_due`.execute(db)
  return must(rows[0], 'open work')
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
  select sleeps_until from messages where sleeps_until is not null order by sleeps_until limit 1)`

function toMilliseconds(time: string) {
  return sql.raw(`extract(epoch from ${time}) * 1000`)
}
