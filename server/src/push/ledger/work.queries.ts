import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { everyHome, messagesIn, toHome, valuesOr } from '../records/home.queries.ts'
import type { Message } from '../records/messages.queries.ts'
import { selectEntries } from './person.queries.ts'

/** Users of a batch who are not decided yet (`provider` null), or copies of it that wait. `places` count from 0. */
export type NewWork = {
  batchId: number
  messageId: number
  provider: string | null
  places: readonly number[]
  dueAt: Date
  /** It was put off, for quiet hours or a paused platform: its people have their entries. */
  is_entered?: boolean
  /** The paused platform for which it waits. */
  platform?: Platform
}

export type WorkRow = {
  workId: number
  batchId: number
  messageId: number
  provider: string | null
  places: number[]
  /** It was put off, for quiet hours or a paused platform: its people have their entries. */
  is_entered: boolean
}

export type DueWork = WorkRow &
  Pick<
    Message,
    | 'audience'
    | 'origin'
    | 'type'
    | 'event'
    | 'merge_key'
    | 'lane'
    | 'needs_opt_in'
    | 'is_chat'
    | 'is_inbox_only'
    | 'title'
    | 'body'
    | 'data'
    | 'expires_at'
  > & {
    /** Its staleness must be checked before it is sent. */
    rechecks: boolean
    /** Its message was restored from a backup before it was over (ADR 17). */
    is_restored: boolean
  }

export const WORK = sql`
  w.work_id as "workId", w.batch_id as "batchId", w.message_id as "messageId", w.provider, w.places, w.is_entered`
/** What a claim needs of the message `m` of work `w`. */
export const OF_MESSAGE = sql`
  m.audience, m.origin, m.type, m.event, m.merge_key, m.lane, m.needs_opt_in, m.is_chat, m.is_inbox_only,
  m.title, m.body, m.data, m.expires_at,
  m.about is not null or m.merge_key is not null as rechecks, m.restored_at is not null as is_restored`

export async function insertWork(tx: Runner, home: number, work: readonly NewWork[]): Promise<void> {
  if (work.length === 0) return
  const rows = work.map(({ places, is_entered: isEntered = false, platform = null, ...row }) => ({
    ...row,
    isEntered,
    platform,
    places: int8Array(places),
  }))
  const columns = {
    batchId: 'bigint',
    messageId: 'bigint',
    provider: 'text',
    places: 'text',
    dueAt: 'timestamptz',
    isEntered: 'boolean',
    platform: 'text',
  } as const
  await sql`
    insert into work (home, batch_id, message_id, provider, places, due_at, is_entered, platform)
    ${valuesOr(
      sql`
        select ${home}, batch_id, message_id, provider, places::smallint[], due_at, is_entered, platform
        from ${asRows(rows, columns)} as r(batch_id, message_id, provider, places, due_at, is_entered, platform)`,
      tx,
      rows,
      ({ batchId, messageId, provider, places, dueAt, isEntered, platform }) => sql`
        (${home}, ${batchId}, ${messageId}, ${provider}, ${places}, ${dueAt}, ${isEntered}, ${platform})`,
    )}`.execute(tx)
}

export async function deleteWork(tx: Runner, home: number, workIds: readonly number[]): Promise<void> {
  if (workIds.length === 0) return
  await sql`delete from work where home = ${home} and work_id = any(${int8Array(workIds)}::bigint[])`.execute(tx)
}

/** What was put off until a person's quiet hours end, with its batch. `since`: older entries have expired. */
export async function listPutOff(
  tx: Tx,
  userId: number,
  { now, since }: { now: Date; since: Date },
): Promise<Pick<WorkRow, 'workId' | 'messageId'>[]> {
  const home = toHome(tx, userId)
  const { rows: asleep } = await sql<{ message_id: number }>`
    select message_id from messages where recipient_id = ${userId} and sleeps_until is not null`.execute(tx)
  const { rows } = await sql<Pick<WorkRow, 'workId' | 'messageId'>>`
    with addressed as materialized (
      select message_id from ${selectEntries(home, sql`${userId}::bigint`)} e where made_at > ${since}
      union
      select unnest(${int8Array(asleep.map((row) => row.message_id))}::bigint[]))
    select w.work_id as "workId", w.message_id as "messageId"
    from addressed join ${messagesIn(tx, home)} m on m.message_id = addressed.message_id and m.expires_at > ${now}
    cross join lateral (
      select batch_id from batches
      where home = ${home} and message_id = addressed.message_id and first_user <= ${userId}
      order by first_user desc limit 1) b
    join work w on w.home = ${home} and w.batch_id = b.batch_id and w.is_entered and w.due_at > ${now}`.execute(tx)
  return rows
}

/** It waits for no platform any more. What a claim holds is left to it. */
export async function bringForward(tx: Tx, home: number, workIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update work set due_at = ${now}, platform = null where home = ${home} and work_id = any(array(
      select work_id from work where home = ${home} and work_id = any(${int8Array(workIds)}::bigint[])
      order by work_id for update skip locked))`.execute(tx)
}

/** What waits of a message, up to `limit`. */
export async function lockWorkOfMessage(tx: Tx, home: number, messageId: number, limit: number): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select ${WORK} from work w where w.home = ${home} and w.message_id = ${messageId}
    order by w.batch_id, w.work_id limit ${limit} for update`.execute(tx)
  return rows
}

/** Gives how many people of a message were not decided yet. */
export async function deleteUndecided(tx: Tx, home: number, messageId: number): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    with gone as (
      delete from work where home = ${home} and message_id = ${messageId} and provider is null
      returning cardinality(places) as people)
    select coalesce(sum(people), 0)::int as people from gone`.execute(tx)
  return must(rows[0], 'count of people').people
}

/** Copies that wait for one of these providers, of up to `most` pieces of work. */
export async function countWaitingCopies(db: Db, providers: string[], most: number): Promise<number> {
  const { rows } = await sql<{ copies: number }>`
    select coalesce(sum(cardinality(places)), 0)::int as copies
    from (select places from work where home in ${everyHome(db)} and provider = any(${providers}) limit ${most}) w`.execute(
    db,
  )
  return must(rows[0], 'count of copies').copies
}

export async function lockWork(tx: Tx, home: number, workId: number): Promise<WorkRow | undefined> {
  const { rows } = await sql<WorkRow>`
    select ${WORK} from work w where w.home = ${home} and w.work_id = ${workId} for update`.execute(tx)
  return rows[0]
}

/** Copies, in the order of work with an id above `after`. */
export async function lockWaitingCopies(tx: Tx, home: number, after: number, limit: number): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select ${WORK} from work w where w.home = ${home} and w.work_id > ${after} and w.provider is not null
    order by w.work_id limit ${limit} for update`.execute(tx)
  return rows
}

/** `failures` in a row; below zero those for which the database was too slow, which are none of the work. */
export type FailedWork = Pick<WorkRow, 'batchId' | 'messageId'> & { failures: number }

/**
 * A failure before a request was stored. `waits`: the milliseconds after each failure, the last also for those after
 * it. Undefined: somebody else has done the work.
 */
export async function countFailure(
  db: Db,
  { home, workId }: { home: number; workId: number },
  { now, waits, isSlow }: { now: Date; waits: readonly number[]; isSlow: boolean },
): Promise<FailedWork | undefined> {
  const failures = isSlow ? sql`least(failures, 0) - 1` : sql`greatest(failures, 0) + 1`
  const { rows } = await sql<FailedWork>`
    update work w set failures = f.failures, due_at = f.due_at
    from (
      select ${failures} as failures, ${now}::timestamptz
        + (${int8Array(waits)}::bigint[])[least(abs(${failures}), ${waits.length}::int)] * interval '1 millisecond'
          as due_at
      from work where home = ${home} and work_id = ${workId} for update) f
    where w.home = ${home} and w.work_id = ${workId}
    returning w.batch_id as "batchId", w.message_id as "messageId", w.failures`.execute(db)
  return rows[0]
}
