import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { DeletedUpTo, DeleteStep } from './copies.ts'

/** Spec: bulk batch size. */
export const USERS_PER_BATCH = 50

// The claim of a batch whose copies exist before its first attempt. No submission has this id.
const NO_ATTEMPT = 0
const DUE = { batchId: 'bigint', dueAt: 'timestamptz' } as const

/** Users of messages, each once and in the order of ids, as batches of 50. */
export async function insertBatches(
  tx: Tx,
  sends: { messageId: number; userIds: number[]; dueAt: Date }[],
  now: Date,
): Promise<void> {
  const users = sends.flatMap(({ messageId, userIds }) =>
    [...new Set(userIds)].map((userId) => ({ messageId, userId })),
  )
  if (users.length === 0) return
  await sql`
    insert into batches (message_id, user_ids, due_at, created_at, updated_at)
    select message_id, array_agg(user_id order by user_id), due_at, ${now}::timestamptz, ${now}
    from (
      select message_id, m.due_at, u.user_id, row_number() over (partition by message_id order by u.user_id) as place
      from ${asRows(users, { messageId: 'bigint', userId: 'bigint' })} u(message_id, user_id)
      join ${asRows(sends, { messageId: 'bigint', dueAt: 'timestamptz' })} m(message_id, due_at)
        using (message_id)) placed
    group by message_id, due_at, (place - 1) / ${USERS_PER_BATCH}
    order by message_id, 2`.execute(tx)
}

/** A failure of our own before an attempt was opened; true: the batch has failed more than `limit` times. */
export async function countFailure(
  db: Db,
  batchId: number,
  { dueAt, limit, now }: { dueAt: Date; limit: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ failures: number }>`
    update batches set failures = failures + 1, due_at = ${dueAt}, updated_at = ${now}
    where batch_id = ${batchId} and status in ('queued', 'waiting')
    returning failures`.execute(db)
  return rows.some(({ failures }) => failures > limit)
}

export type UserElsewhere = { batchId: number; userId: number; provider: string }

/** Takes those users of the batch `of` who have a device with `provider`. */
export type Part = { batchId: number; of: number; messageId: number; provider: string }

/** They are due at once, and no attempt was made. */
export async function insertParts(tx: Tx, users: UserElsewhere[], now: Date): Promise<Part[]> {
  const { rows } = await sql<Part>`
    with parts as materialized (
      select u.batch_id as of, b.message_id, u.provider, array_agg(distinct u.user_id order by u.user_id) as user_ids,
        nextval(pg_get_serial_sequence('batches', 'batch_id')) as batch_id
      from ${asRows(users, { batchId: 'bigint', userId: 'bigint', provider: 'text' })} as u(batch_id, user_id, provider)
      join batches b on b.batch_id = u.batch_id
      group by 1, 2, 3),
    stored as (
      insert into batches (batch_id, message_id, provider, user_ids, status, claim, due_at, created_at, updated_at)
      select batch_id, message_id, provider, user_ids, 'waiting', ${NO_ATTEMPT}, ${now}::timestamptz, ${now}, ${now}
      from parts)
    select batch_id as "batchId", of, message_id as "messageId", provider from parts`.execute(tx)
  return rows
}

/** `claim` fences late answers; `leaseUntil` is when the attempt is given up. */
export async function openAttempt(
  tx: Tx,
  batchIds: number[],
  attempt: { provider: string; claim: number; leaseUntil: Date; now: Date },
): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update batches set status = 'submitting', attempts = attempts + 1, provider = ${attempt.provider},
      claim = ${attempt.claim}, lease_until = ${attempt.leaseUntil}, updated_at = ${attempt.now}
    where batch_id = any(${batchIds})`.execute(tx)
}

export type AttemptResult = {
  batchId: number
  status: 'done' | 'waiting'
  /** The attempt is not counted (ADR 002). */
  givenBack: boolean
  dueAt: Date
}

/** Fenced by the claim: a batch that another attempt now holds does not change. */
export async function closeAttempt(tx: Tx, claim: number, results: AttemptResult[], now: Date): Promise<void> {
  if (results.length === 0) return
  await sql`
    update batches b set status = r.status, attempts = b.attempts - r.given_back::int, lease_until = null,
      due_at = r.due_at, updated_at = ${now}
    from ${asRows(results, { batchId: 'bigint', status: 'text', givenBack: 'boolean', dueAt: 'timestamptz' })}
      as r(batch_id, status, given_back, due_at)
    where b.batch_id = r.batch_id and b.claim = ${claim} and b.status = 'submitting'`.execute(tx)
}

export async function finishBatches(tx: Tx, batchIds: number[], status: 'done' | 'stopped', now: Date): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update batches set status = ${status}, lease_until = null, updated_at = ${now}
    where batch_id = any(${batchIds}) and status in ('queued', 'submitting', 'waiting')`.execute(tx)
}

/** After an attempt that nobody finished. */
export async function returnBatches(tx: Tx, batches: { batchId: number; dueAt: Date }[], now: Date): Promise<void> {
  if (batches.length === 0) return
  await sql`
    update batches b set status = 'waiting', lease_until = null, due_at = r.due_at, updated_at = ${now}
    from ${asRows(batches, DUE)} as r(batch_id, due_at)
    where b.batch_id = r.batch_id`.execute(tx)
}

/** Does not change whether they were tried before. */
export async function deferBatches(tx: Tx, batches: { batchId: number; dueAt: Date }[], now: Date): Promise<void> {
  if (batches.length === 0) return
  await sql`
    update batches b set due_at = r.due_at, updated_at = ${now}
    from ${asRows(batches, DUE)} as r(batch_id, due_at)
    where b.batch_id = r.batch_id`.execute(tx)
}

/** `until`: when the batch is due that the user goes to; null: none. */
export type Leaver = { batchId: number; userId: number; until: Date | null }

/** Of batches that were never claimed; somebody stays in each. Those who leave until the same moment share batches. */
export async function moveUsers(tx: Tx, leavers: Leaver[], now: Date): Promise<void> {
  if (leavers.length === 0) return
  await sql`
    with leavers as materialized (select * from ${rowsOf(leavers)}),
    left_behind as (
      update batches b set updated_at = ${now}, user_ids = array(
        select user_id from unnest(b.user_ids) user_id
        where user_id not in (select l.user_id from leavers l where l.batch_id = b.batch_id) order by user_id)
      where b.batch_id in (select batch_id from leavers))
    insert into batches (message_id, user_ids, due_at, created_at, updated_at)
    select message_id, array_agg(user_id order by user_id), until, ${now}::timestamptz, ${now}
    from (
      select b.message_id, l.user_id, l.until,
        row_number() over (partition by b.message_id, l.until order by l.user_id) as place
      from leavers l join batches b on b.batch_id = l.batch_id where l.until is not null) placed
    group by message_id, until, (place - 1) / ${USERS_PER_BATCH}`.execute(tx)
}

/** Of tried batches: the same provider, the attempts so far. The copies are still to be moved. */
export async function insertLaterParts(
  tx: Tx,
  leavers: (Leaver & { until: Date })[],
  now: Date,
): Promise<{ batchId: number; of: number; userIds: number[] }[]> {
  if (leavers.length === 0) return []
  const { rows } = await sql<{ batchId: number; of: number; userIds: number[] }>`
    with parts as materialized (
      select l.batch_id as of, b.message_id, b.provider, b.attempts, l.until,
        array_agg(l.user_id order by l.user_id) as user_ids,
        nextval(pg_get_serial_sequence('batches', 'batch_id')) as batch_id
      from ${rowsOf(leavers)} join batches b on b.batch_id = l.batch_id
      group by 1, 2, 3, 4, 5),
    stored as (
      insert into batches (batch_id, message_id, provider, user_ids, status, attempts, claim, due_at, created_at,
        updated_at)
      select batch_id, message_id, provider, user_ids, 'waiting', attempts, ${NO_ATTEMPT}, until,
        ${now}::timestamptz, ${now}
      from parts)
    select batch_id as "batchId", of, user_ids as "userIds" from parts`.execute(tx)
  return rows
}

function rowsOf(leavers: Leaver[]) {
  const rows = asRows(leavers, { batchId: 'bigint', userId: 'bigint', until: 'timestamptz' })
  return sql`${rows} as l(batch_id, user_id, until)`
}

export async function deleteBatches(db: Db, step: DeleteStep): Promise<DeletedUpTo> {
  const { rows } = await sql<{ last: DeletedUpTo }>`
    with listed as materialized (
      select batch_id, created_at < ${step.before} and status in ('done', 'stopped') as is_old
      from batches where batch_id > ${step.after} order by batch_id limit ${step.limit}),
    gone as (delete from batches where batch_id in (select batch_id from listed where is_old) returning 1)
    select max(batch_id) as last from listed where is_old`.execute(db)
  return must(rows[0], 'last of the deleted batches').last
}
