import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { BatchStatus, Lane, MessageStatus, MessageType } from '../../platform/db/tables.ts'
import { must } from '../../platform/shared/must.ts'

/** Spec: bulk batch size. */
export const USERS_PER_BATCH = 50

const USERS = `(select min(user_id) from unnest(b.user_ids) user_id) as lowest_user,
  (select max(user_id) from unnest(b.user_ids) user_id) as highest_user, cardinality(b.user_ids) as users`

/** Splits users, each once and in the order of their ids, into batches of 50 that are due at once. */
export async function insertBatches(tx: Tx, messageId: number, userIds: number[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    insert into batches (message_id, user_ids, due_at, created_at, updated_at)
    select ${messageId}, array_agg(user_id order by user_id), ${now}::timestamptz, ${now}, ${now}
    from (
      select user_id, row_number() over (order by user_id) as place
      from (select distinct user_id from unnest(${int8Array(userIds)}::bigint[]) user_id) listed) placed
    group by (place - 1) / ${USERS_PER_BATCH}
    order by 2`.execute(tx)
}

/** The same for several messages, each with its own few users: `userIds[i]` belong to `messageIds[i]`. */
export async function insertBatchesOfEach(tx: Tx, messageIds: number[], userIds: number[][], now: Date): Promise<void> {
  await sql`
    insert into batches (message_id, user_ids, due_at, created_at, updated_at)
    select message_id, array_agg(user_id order by user_id), ${now}::timestamptz, ${now}, ${now}
    from (
      select message_id, user_id, row_number() over (partition by message_id order by user_id) as place
      from (
        select distinct m.message_id, u.user_id
        from rows from (unnest(${int8Array(messageIds)}::bigint[]), json_array_elements(${JSON.stringify(userIds)}::json)) as m(message_id, user_ids)
        cross join lateral (select value::bigint from json_array_elements_text(m.user_ids) e(value)) u(user_id)) listed) placed
    group by message_id, (place - 1) / ${USERS_PER_BATCH}
    order by message_id, 2`.execute(tx)
}

/** A batch under lock, with what its message says about it. */
export type LockedBatch = {
  batch_id: number
  message_id: number
  status: BatchStatus
  attempts: number
  claim: number | null
  lease_until: Date | null
  due_at: Date
  failures: number
  lowest_user: number
  highest_user: number
  users: number
  message_status: MessageStatus
  type: MessageType
  lane: Lane
  title: string
  body: string
  data: Record<string, unknown> | null
  expires_at: Date
}

/** Which batches a worker takes: those of a lane that are due, up to `limit`, or named ones if they still are. */
export type BatchChoice = { lane: Lane; limit: number } | { batchIds: number[] }

/** How many batches of a lane are due, counted up to `limit`. */
export async function countDueBatches(db: Db, choice: { lane: Lane; limit: number }, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from messages m cross join lateral (${dueBatchesOf('b.batch_id', now, choice.limit)}) b
      where m.status in ('queued', 'sending') and m.lane = ${choice.lane}
      limit ${choice.limit}) due`.execute(db)
  return must(rows[0], 'count of due batches').n
}

/**
 * Locks batches that are due until the transaction ends: the oldest running message first, and of each what is due for
 * the longest time. One that another worker holds, that waits, or whose message is paused or stopped is passed over.
 * Messages are put in order before their batches are looked at: a sort afterwards would lock those of all messages.
 */
export async function lockDueBatches(tx: Tx, choice: BatchChoice, now: Date): Promise<LockedBatch[]> {
  const columns = `b.batch_id, b.status, b.attempts, b.claim, b.lease_until, b.due_at, b.failures, ${USERS}`
  const ofMessage = sql`m.message_id, m.status as message_status, m.type, m.lane, m.title, m.body, m.data, m.expires_at`
  const { rows } =
    'lane' in choice
      ? await sql<LockedBatch>`
          select b.*, ${ofMessage}
          from (
            select * from messages where status in ('queued', 'sending') and lane = ${choice.lane}
            order by created_at, message_id) m
          cross join lateral (${dueBatchesOf(columns, now, choice.limit)} for update of b skip locked) b
          limit ${choice.limit}`.execute(tx)
      : await sql<LockedBatch>`
          select ${sql.raw(columns)}, ${ofMessage}
          from batches b join messages m on m.message_id = b.message_id
          where b.batch_id = any(${int8Array(choice.batchIds)}) and b.status in ('queued', 'waiting') and b.due_at <= ${now}
            and m.status in ('queued', 'sending')
          order by b.batch_id for update of b skip locked`.execute(tx)
  return rows
}

function dueBatchesOf(columns: string, now: Date, limit: number) {
  return sql`
    select ${sql.raw(columns)} from batches b
    where b.message_id = m.message_id and b.status in ('queued', 'waiting') and b.due_at <= ${now}
    order by b.due_at, b.batch_id limit ${limit}`
}

/**
 * Counts a failure of our own against batches that no attempt was opened for: each is due again at `dueAt`. Gives those
 * that have failed more than `limit` times.
 */
export async function countFailures(
  db: Db,
  batchIds: number[],
  { dueAt, limit, now }: { dueAt: Date; limit: number; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ batch_id: number }>`
    with failed as (
      update batches set failures = failures + 1, due_at = ${dueAt}, updated_at = ${now}
      where batch_id = any(${int8Array(batchIds)}) and status in ('queued', 'waiting')
      returning batch_id, failures)
    select batch_id from failed where failures > ${limit}`.execute(db)
  return rows.map((row) => row.batch_id)
}

/** Opens an attempt on batches: `claim` fences what comes back, `leaseUntil` says when the attempt is given up. */
export async function openAttempt(
  tx: Tx,
  batchIds: number[],
  attempt: { claim: number; leaseUntil: Date; now: Date },
): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update batches set status = 'submitting', attempts = attempts + 1, claim = ${attempt.claim},
      lease_until = ${attempt.leaseUntil}, updated_at = ${attempt.now}
    where batch_id = any(${batchIds})`.execute(tx)
}

export type AttemptResult = {
  batchId: number
  status: 'done' | 'waiting'
  /** True when the attempt met a closed door and is not counted. */
  givenBack: boolean
  dueAt: Date
}

/** Closes an attempt, fenced by its claim: a batch that another attempt holds by now is left alone. */
export async function closeAttempt(tx: Tx, claim: number, results: AttemptResult[], now: Date): Promise<void> {
  if (results.length === 0) return
  await sql`
    update batches b set status = r.status, attempts = b.attempts - r.given_back::int, lease_until = null,
      due_at = r.due_at, updated_at = ${now}
    from unnest(${results.map((r) => r.batchId)}::bigint[], ${results.map((r) => r.status)}::text[],
      ${results.map((r) => r.givenBack)}::boolean[], ${results.map((r) => r.dueAt)}::timestamptz[])
      as r(batch_id, status, given_back, due_at)
    where b.batch_id = r.batch_id and b.claim = ${claim} and b.status = 'submitting'`.execute(tx)
}

/** Ends batches that have nothing left to send. */
export async function finishBatches(tx: Tx, batchIds: number[], status: 'done' | 'stopped', now: Date): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update batches set status = ${status}, lease_until = null, updated_at = ${now}
    where batch_id = any(${batchIds}) and status in ('queued', 'submitting', 'waiting')`.execute(tx)
}

/** Batches of a message that wait for their turn, locked; those being submitted are not among them. */
export async function lockWaitingBatches(
  tx: Tx,
  messageId: number,
): Promise<{ batch_id: number; claim: number | null; users: number }[]> {
  const { rows } = await sql<{ batch_id: number; claim: number | null; users: number }>`
    select batch_id, claim, cardinality(user_ids) as users from batches
    where message_id = ${messageId} and status in ('queued', 'waiting')
    order by batch_id for update`.execute(tx)
  return rows
}

/** A batch that is not over, locked. */
export async function lockOpenBatch(
  tx: Tx,
  batchId: number,
): Promise<{ message_id: number; claim: number | null; users: number } | undefined> {
  const { rows } = await sql<{ message_id: number; claim: number | null; users: number }>`
    select message_id, claim, cardinality(user_ids) as users from batches
    where batch_id = ${batchId} and status in ('queued', 'submitting', 'waiting') for update`.execute(tx)
  return rows[0]
}

/** What recovering a batch takes. */
export type AbandonedBatch = Pick<LockedBatch, 'batch_id' | 'attempts' | 'lease_until' | 'message_status'>

/** Batches whose attempt outlived its lease, locked. */
export async function lockAbandonedBatches(tx: Tx, limit: number, now: Date): Promise<AbandonedBatch[]> {
  const { rows } = await sql<AbandonedBatch>`
    select b.batch_id, b.attempts, b.lease_until, m.status as message_status
    from batches b join messages m on m.message_id = b.message_id
    where b.status = 'submitting' and b.lease_until < ${now}
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}

/** Puts batches back to wait after an attempt that nobody finished. */
export async function returnBatches(tx: Tx, batches: { batchId: number; dueAt: Date }[], now: Date): Promise<void> {
  if (batches.length === 0) return
  await sql`
    update batches b set status = 'waiting', lease_until = null, due_at = r.due_at, updated_at = ${now}
    from unnest(${batches.map((b) => b.batchId)}::bigint[], ${batches.map((b) => b.dueAt)}::timestamptz[])
      as r(batch_id, due_at)
    where b.batch_id = r.batch_id`.execute(tx)
}

/** What ending a batch takes: its message, whether its first copies exist (`claim`), and its users. */
export type OverdueBatch = Pick<
  LockedBatch,
  'batch_id' | 'message_id' | 'claim' | 'lowest_user' | 'highest_user' | 'users'
>

/** Waiting batches of running messages whose time is over, locked. */
export async function lockOverdueBatches(tx: Tx, limit: number, now: Date): Promise<OverdueBatch[]> {
  const { rows } = await sql<OverdueBatch>`
    select b.batch_id, b.message_id, b.claim, ${sql.raw(USERS)}
    from batches b join messages m on m.message_id = b.message_id
    where m.status in ('queued', 'sending') and m.expires_at <= ${now} and b.status in ('queued', 'waiting')
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}
