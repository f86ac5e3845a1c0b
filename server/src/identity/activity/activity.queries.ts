import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'

// A day that is stored later than this after the next one is left out.
const LATE_BY_DAYS = 31

/**
 * A stored day changes nothing. For `late`, who have a later day already, that day's gap becomes shorter. It writes in
 * the order of users, days and gaps, so that two processes cannot deadlock.
 */
export async function insertActivity(
  tx: Tx,
  { day, users, late }: { day: string; users: { userId: number; gap: number }[]; late: number[] },
): Promise<void> {
  await sql`
    with seen as (
      select * from unnest(${users.map(({ userId }) => userId)}::bigint[], ${users.map(({ gap }) => gap)}::smallint[])
        as s (user_id, gap)),
    followed as (
      select late.user_id, next.day, next.gap, (next.day - ${day}::date)::smallint as to_next
      from unnest(${late}::bigint[]) late (user_id)
      cross join lateral (
        select a.day, a.gap from user_activity_day a
        where a.user_id = late.user_id
          and a.day = any(array(select ${day}::date + later from generate_series(1, ${LATE_BY_DAYS}::int) later))
        order by a.day limit 1) next),
    added as (
      insert into user_activity_day (day, user_id, gap)
      select ${day}::date, user_id, gap from (
        select user_id, gap from seen
        union all
        select user_id, case when gap = 9999 then gap else gap - to_next end from followed where gap > to_next) new
      order by user_id
      on conflict do nothing
      returning user_id, gap),
    moved as (
      update user_activity_day a set gap = f.to_next from followed f join added on added.user_id = f.user_id
      where a.day = f.day and a.user_id = f.user_id
      returning a.day, a.gap, f.gap as gap_before)
    insert into activity_gap_day (day, gap, n)
    select day, gap, sum(n) from (
      select ${day}::date as day, gap, 1 as n from added
      union all select day, gap, 1 from moved
      union all select day, gap_before, -1 from moved) changes
    group by day, gap order by day, gap
    on conflict (day, gap) do update set n = activity_gap_day.n + excluded.n`.execute(tx)
}

/** Days (YYYY-MM-DD), both included. */
export type Days = { fromDay: string; toDay: string }

/** The histogram names nobody and keeps the users' number by gap, so that it can be counted again. */
export async function deleteActivity(tx: Tx, { userIds, fromDay, toDay }: Days & { userIds: number[] }): Promise<void> {
  // Lists the days, because the key begins with the day: an index on the user would cost each insert.
  await sql`
    with gone as (
      delete from user_activity_day
      where user_id = any(${userIds}::bigint[])
        and day = any(array(select generate_series(${fromDay}::date, ${toDay}::date, interval '1 day')::date))
      returning day, gap)
    insert into activity_forgotten_day (day, gap, n)
    select day, gap, count(*) from gone group by day, gap order by day, gap
    on conflict (day, gap) do update set n = activity_forgotten_day.n + excluded.n`.execute(tx)
}

/** Oldest first, up to `limit`; returns how many. */
export async function deleteActivityBefore(
  db: Db | Tx,
  { day, limit }: { day: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from user_activity_day where (day, user_id) in (
        select day, user_id from user_activity_day where day < ${day}::date order by day, user_id limit ${limit})
      returning day, gap),
    kept as (
      insert into activity_forgotten_day (day, gap, n)
      select day, gap, count(*) from gone group by day, gap order by day, gap
      on conflict (day, gap) do update set n = activity_forgotten_day.n + excluded.n)
    select count(*) as deleted from gone`.execute(db)
  return must(rows[0], 'count of deleted activity').deleted
}

export async function recountGaps(tx: Tx, { fromDay, toDay }: Days): Promise<number> {
  await sql`set local statement_timeout = 0`.execute(tx)
  // A flush that comes meanwhile waits, and then adds itself.
  await sql`lock table activity_gap_day in share row exclusive mode`.execute(tx)
  await sql`delete from activity_gap_day where day between ${fromDay}::date and ${toDay}::date`.execute(tx)
  const { rows } = await sql<{ users: number }>`
    with counted as (
      insert into activity_gap_day (day, gap, n)
      select day, gap, sum(n) from (
        select day, gap, count(*) as n from user_activity_day
        where day between ${fromDay}::date and ${toDay}::date group by day, gap
        union all
        select day, gap, n from activity_forgotten_day where day between ${fromDay}::date and ${toDay}::date) counted
      group by day, gap
      returning n)
    select coalesce(sum(n), 0)::bigint as users from counted`.execute(tx)
  return must(rows[0], 'count of users').users
}
