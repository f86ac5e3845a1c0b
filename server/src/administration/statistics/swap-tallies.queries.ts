import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import { DAY_MS } from '../../platform/shared/days.ts'
import { toConditions, type SwapFilter } from './swap-report.queries.ts'

/** How many swaps have a status, or took so many quarters of an hour. */
export type SwapTally = { measure: SwapStatus | 'to_response' | 'to_complete'; quarters: number; n: number }

/** `from` inclusive, `to` exclusive; absent: open on that side. */
type Stretch = { from?: Date | undefined; to?: Date | undefined }

/** Exact (ADR 14): whole UTC months and days from tallies and pending changes, the rest from the rows. */
export async function tallySwaps(
  db: Db,
  { basis, origin, from, to }: Pick<SwapFilter, 'basis' | 'origin' | 'from' | 'to'>,
): Promise<SwapTally[]> {
  const days = findWhole({ from, to }, nextDay, startOfUtcDay)
  if (days === undefined) return countSwaps(db, { basis, origin, from, to })
  const months = findWhole(days, nextMonth, startOfMonth)
  const parts = [
    ...(months === undefined ? [tallied('day', days)] : [tallied('month', months)]),
    ...(months === undefined ? [] : subtractStretch(days, months).map((part) => tallied('day', part))),
    sql`select measure, quarters, n from swap_tally_changes where ${where(days)}`,
    ...subtractStretch({ from, to }, days).map((part) => cellsOfRows({ basis, origin, ...part })),
  ]
  return summed(db, sql.join(parts, sql` union all `))

  function tallied(span: 'day' | 'month', stretch: Stretch) {
    return sql`select measure, quarters, n from swap_tallies where span = ${span} and ${where(stretch)}`
  }

  function where(stretch: Stretch) {
    const conditions = [
      sql`basis = ${basis}`,
      origin && sql`origin = ${origin}`,
      stretch.from && sql`day >= ${toDate(stretch.from)}`,
      stretch.to && sql`day < ${toDate(stretch.to)}`,
    ]
    return joinWithAnd(conditions)
  }
}

function findWhole({ from, to }: Stretch, upTo: (at: Date) => Date, downTo: (at: Date) => Date): Stretch | undefined {
  const whole = { from: from && upTo(from), to: to && downTo(to) }
  return whole.from && whole.to && whole.from >= whole.to ? undefined : whole
}

function subtractStretch(all: Stretch, part: Stretch): Stretch[] {
  return [
    ...(part.from === undefined ? [] : [{ from: all.from, to: part.from }]),
    ...(part.to === undefined ? [] : [{ from: part.to, to: all.to }]),
  ]
}

function startOfUtcDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
}

function nextDay(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS)
}

function startOfMonth(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()))
}

function nextMonth(day: Date): Date {
  return day.getUTCDate() === 1 ? day : new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1))
}

/** A number of days is added, which works for distant years too. */
function toDate(startOfDay: Date): RawBuilder<unknown> {
  return sql`date '1970-01-01' + ${startOfDay.getTime() / DAY_MS}::integer`
}

/** The rows are counted for a filter that the tallies do not support. */
export function countSwaps(db: Db, filter: SwapFilter): Promise<SwapTally[]> {
  return summed(db, cellsOfRows(filter))
}

async function summed(db: Db, cells: RawBuilder<unknown>): Promise<SwapTally[]> {
  const { rows } = await sql<SwapTally>`
    select measure, quarters, sum(n)::bigint as n from (${cells}) cells group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

function cellsOfRows(filter: SwapFilter): RawBuilder<unknown> {
  return sql`
    select m.measure, m.quarters, 1 as n from swaps s
    cross join lateral unnest(array[s.status, 'to_response', 'to_complete'],
      array[0, quarters_between(s.created_at, s.responded_at),
        quarters_between(s.created_at, s.completed_at)]) m(measure, quarters)
    where ${joinWithAnd(toConditions(filter))} and m.quarters is not null`
}

/** The second of two calls at once finds no changes. */
export async function foldSwapTallies(tx: Tx): Promise<void> {
  await lockTallies(tx)
  await sql`
    with changes as (delete from swap_tally_changes returning *)
    insert into swap_tallies ${bySpan(sql`changes`)}
    on conflict (span, basis, day, origin, measure, quarters) do update set n = swap_tallies.n + excluded.n`.execute(tx)
}

/** It works while swaps change, and gives the number of cells. */
export async function rebuildSwapTallies(db: Db): Promise<number> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // The lock comes before the snapshot, so that it sees all earlier folds. Later changes stay pending.
      await lockTallies(tx)
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
      await sql`delete from swap_tally_changes`.execute(tx)
      await sql`delete from swap_tallies`.execute(tx)
      const { numAffectedRows } = await sql`
        with cells as (select c.*, count(*) as n from swaps s cross join lateral cells_of(s) c group by 1, 2, 3, 4, 5)
        insert into swap_tallies ${bySpan(sql`cells`)}`.execute(tx)
      return Number(numAffectedRows)
    })
}

function bySpan(cells: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select span, basis, case span when 'month' then date_trunc('month', day)::date else day end, origin, measure,
      quarters, sum(n)
    from ${cells} cross join (values ('day'), ('month')) s(span)
    group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0`
}

async function lockTallies(tx: Tx): Promise<void> {
  await sql`lock table swap_tallies in share row exclusive mode`.execute(tx)
}
