import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { Days } from '../../platform/shared/days.ts'
import { must } from '../../platform/shared/must.ts'

/** The records of `buildHistogram`. In JSON or in rows the numbers cost three times as much of the event loop. */
export async function listGaps(db: Db, { firstDay, lastDay }: Days, cap: number): Promise<Buffer> {
  const { rows } = await sql<{ records: Buffer | null }>`
    select string_agg(int2send(place) || int2send(gap) || int4send(n), ''::bytea) as records
    from (
      select (day - date '1970-01-01' - ${firstDay}::int)::smallint as place,
        (case when gap = 9999 then gap else least(gap, ${cap}::int) end)::smallint as gap, sum(n)::int as n
      from activity_gap_day
      where day between date '1970-01-01' + ${firstDay}::int and date '1970-01-01' + ${lastDay}::int
      group by 1, 2) counted`.execute(db)
  return rows[0]?.records ?? Buffer.alloc(0)
}

/** Each user counts on the first of these days (ADR 20). */
export async function countActive(db: Db, { firstDay, lastDay }: Days): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from activity_gap_day
    where day between date '1970-01-01' + ${firstDay}::int and date '1970-01-01' + ${lastDay}::int
      and gap > day - (date '1970-01-01' + ${firstDay}::int)`.execute(db)
  return must(rows[0], 'count of active users').n
}

/** Users active on one of the `length` days up to each of `lastDays`, whose account was gone at its end; in order. */
export async function countExits(db: Db, lastDays: number[], length: number): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(e.n), 0)::bigint as n
    from unnest(${lastDays}::int[]) with ordinality as asked(day, place)
    left join activity_exit_day e on e.day <= date '1970-01-01' + asked.day
      and e.last_active_day > date '1970-01-01' + asked.day - ${length}::int
      -- Nobody is active after their deletion, so the key finds the days.
      and e.day > date '1970-01-01' + asked.day - ${length}::int
    group by asked.place order by asked.place`.execute(db)
  return rows.map((row) => row.n)
}
