import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'

/** A stored day changes nothing. In the order of users and gaps, so that two processes cannot deadlock. */
export async function insertActivity(tx: Tx, day: string, users: { userId: number; gap: number }[]): Promise<void> {
  await sql`
    with seen as (
      select * from unnest(${users.map(({ userId }) => userId)}::bigint[], ${users.map(({ gap }) => gap)}::smallint[])
        as s (user_id, gap)),
    added as (
      insert into user_activity_day (day, user_id, gap)
      select ${day}::date, user_id, gap from seen order by user_id
      on conflict do nothing
      returning gap)
    insert into activity_gap_day (day, gap, n)
    select ${day}::date, gap, count(*) from added group by gap order by gap
    on conflict (day, gap) do update set n = activity_gap_day.n + excluded.n`.execute(tx)
}

/** Both days included. The histogram names nobody and keeps their number by gap, so that it can be counted again. */
export async function deleteActivity(tx: Tx, userIds: number[], fromDay: string, toDay: string): Promise<void> {
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

/** The oldest first, up to `limit`; gives how many. */
export async function deleteActivityBefore(tx: Tx, day: string, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from user_activity_day where (day, user_id) in (
        select day, user_id from user_activity_day where day < ${day}::date order by day, user_id limit ${limit})
      returning day, gap),
    kept as (
      insert into activity_forgotten_day (day, gap, n)
      select day, gap, count(*) from gone group by day, gap order by day, gap
      on conflict (day, gap) do update set n = activity_forgotten_day.n + excluded.n)
    select count(*) as deleted from gone`.execute(tx)
  return rows[0]?.deleted ?? 0
}

/** Both days included; gives the users counted. */
export async function recountGaps(tx: Tx, fromDay: string, toDay: string): Promise<number> {
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
  return rows[0]?.users ?? 0
}
