import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { BatchStatus, Lane, MessageStatus, MessageType } from '../../db/tables.ts'

/** Spec: bulk batch size. */
export const USERS_PER_BATCH = 50

export type NewBatch = { batch_id: number; job_id: string }

/** Splits users, in their order, into batches of 50; each names the job that will send it. */
export async function insertBatches(tx: Tx, messageId: number, userIds: number[], now: Date): Promise<NewBatch[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<NewBatch>`
    insert into batches (message_id, user_ids, due_at, job_id, created_at, updated_at)
    select ${messageId}, array_agg(user_id order by place), ${now}::timestamptz, gen_random_uuid(), ${now}, ${now}
    from unnest(${userIds}::bigint[]) with ordinality as listed(user_id, place)
    group by (place - 1) / ${USERS_PER_BATCH}
    returning batch_id, job_id`.execute(tx)
  return rows
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
  message_status: MessageStatus
  type: MessageType
  lane: Lane
  title: string
  body: string
  data: Record<string, unknown> | null
  expires_at: Date
}

/** Locks batches until the transaction ends; one that another worker holds is left to it, and absent. */
export async function lockBatches(tx: Tx, batchIds: number[]): Promise<LockedBatch[]> {
  const { rows } = await sql<LockedBatch>`
    select b.batch_id, b.message_id, b.status, b.attempts, b.claim, b.lease_until, b.due_at,
      m.status as message_status, m.type, m.lane, m.title, m.body, m.data, m.expires_at
    from batches b join messages m on m.message_id = b.message_id
    where b.batch_id = any(${batchIds})
    order by b.batch_id
    for update of b skip locked`.execute(tx)
  return rows
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
  jobId: string | null
}

/** Closes an attempt, fenced by its claim: a batch that another attempt holds by now is left alone. */
export async function closeAttempt(tx: Tx, claim: number, results: AttemptResult[], now: Date): Promise<number[]> {
  if (results.length === 0) return []
  const { rows } = await sql<{ batch_id: number }>`
    update batches b set status = r.status, attempts = b.attempts - r.given_back::int, lease_until = null,
      due_at = r.due_at, job_id = r.job_id, updated_at = ${now}
    from unnest(${results.map((r) => r.batchId)}::bigint[], ${results.map((r) => r.status)}::text[],
      ${results.map((r) => r.givenBack)}::boolean[], ${results.map((r) => r.dueAt)}::timestamptz[],
      ${results.map((r) => r.jobId)}::uuid[]) as r(batch_id, status, given_back, due_at, job_id)
    where b.batch_id = r.batch_id and b.claim = ${claim} and b.status = 'submitting'
    returning b.batch_id`.execute(tx)
  return rows.map((row) => row.batch_id)
}

/** Ends batches that have nothing left to send. */
export async function finishBatches(tx: Tx, batchIds: number[], status: 'done' | 'stopped', now: Date): Promise<void> {
  if (batchIds.length === 0) return
  await sql`
    update batches set status = ${status}, lease_until = null, job_id = null, updated_at = ${now}
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

/** Gives every waiting batch of a message a new job, due no sooner than its batch. */
export async function renewJobs(tx: Tx, messageId: number, now: Date): Promise<(NewBatch & { due_at: Date })[]> {
  const { rows } = await sql<NewBatch & { due_at: Date }>`
    update batches set job_id = gen_random_uuid(), due_at = greatest(due_at, ${now}), updated_at = ${now}
    where message_id = ${messageId} and status in ('queued', 'waiting')
    returning batch_id, job_id, due_at`.execute(tx)
  return rows
}

export type LostBatch = { batch_id: number; job_id: string; lane: Lane; due_at: Date }

/** Gives a new job to batches of running messages whose own job does not exist any more, at most `limit`. */
export async function renewLostJobs(tx: Tx, limit: number, now: Date): Promise<LostBatch[]> {
  const { rows } = await sql<LostBatch>`
    with lost as (
      select b.batch_id, m.lane from batches b join messages m on m.message_id = b.message_id
      where m.status in ('queued', 'sending') and b.status in ('queued', 'waiting') and not exists (
        select 1 from pgboss.job j
        where j.name in ('send-campaign', 'send-transactional') and j.id = b.job_id and j.state < 'completed')
      order by b.batch_id limit ${limit} for update of b skip locked)
    update batches b set job_id = gen_random_uuid(), updated_at = ${now} from lost
    where b.batch_id = lost.batch_id
    returning b.batch_id, b.job_id, lost.lane, b.due_at`.execute(tx)
  return rows
}

/** Batches whose attempt outlived its lease, locked. */
export async function lockAbandonedBatches(tx: Tx, limit: number, now: Date): Promise<LockedBatch[]> {
  const { rows } = await sql<LockedBatch>`
    select b.batch_id, b.message_id, b.status, b.attempts, b.claim, b.lease_until, b.due_at,
      m.status as message_status, m.type, m.lane, m.title, m.body, m.data, m.expires_at
    from batches b join messages m on m.message_id = b.message_id
    where b.status = 'submitting' and b.lease_until < ${now}
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}

/** Puts batches back to wait after an attempt that nobody finished. */
export async function returnBatches(
  tx: Tx,
  batches: { batchId: number; jobId: string; dueAt: Date }[],
  now: Date,
): Promise<void> {
  if (batches.length === 0) return
  await sql`
    update batches b set status = 'waiting', lease_until = null, job_id = r.job_id, due_at = r.due_at, updated_at = ${now}
    from unnest(${batches.map((b) => b.batchId)}::bigint[], ${batches.map((b) => b.jobId)}::uuid[],
      ${batches.map((b) => b.dueAt)}::timestamptz[]) as r(batch_id, job_id, due_at)
    where b.batch_id = r.batch_id`.execute(tx)
}

/** What ending a batch takes: its message, and whether its first copies exist (`claim`). */
export type OverdueBatch = Pick<LockedBatch, 'batch_id' | 'message_id' | 'claim'>

/** Waiting batches of running messages whose time is over, locked. */
export async function lockOverdueBatches(tx: Tx, limit: number, now: Date): Promise<OverdueBatch[]> {
  const { rows } = await sql<OverdueBatch>`
    select b.batch_id, b.message_id, b.claim
    from batches b join messages m on m.message_id = b.message_id
    where m.status in ('queued', 'sending') and m.expires_at <= ${now} and b.status in ('queued', 'waiting')
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}
