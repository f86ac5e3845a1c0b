import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

export type GapRow = { day: number; gaps: number[] | null; counts: number[] | null; rest: number; is_new: number }

/**
 * The users of each day by their gaps below `cap`, those of a longer one in sum, and those who never were active before;
 * days as numbers since 1970-01-01.
 */
export async function listGaps(
  db: Db,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
  cap: number,
): Promise<GapRow[]> {
  const { rows } = await sql<GapRow>`
    select day - date '1970-01-01' as day,
      array_agg(gap::bigint) filter (where gap < ${cap}::int) as gaps, array_agg(n) filter (where gap < ${cap}::int) as counts,
      coalesce(sum(n) filter (where gap >= ${cap}::int and gap < 9999), 0)::bigint as rest,
      coalesce(sum(n) filter (where gap = 9999), 0)::bigint as is_new
    from activity_gap_day
    where day between date '1970-01-01' + ${firstDay}::int and date '1970-01-01' + ${lastDay}::int
    group by day`.execute(db)
  return rows
}

/** How many different users were active on any of these days, however many: each on the first of them (ADR 019). */
export async function countActive(
  db: Db,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from activity_gap_day
    where day between date '1970-01-01' + ${firstDay}::int and date '1970-01-01' + ${lastDay}::int
      and gap > day - (date '1970-01-01' + ${firstDay}::int)`.execute(db)
  return rows[0]?.n ?? 0
}

/** How many users had been active for the first time before a day. */
export async function countActiveBefore(db: Db, day: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from activity_gap_day
    where gap = 9999 and day < date '1970-01-01' + ${day}::int`.execute(db)
  return rows[0]?.n ?? 0
}
