import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { isOfPartition } from './copies.queries.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import type { DeleteStep, DeletedUpTo, MadeFrom } from './copies.ts'

export type NewSubmission = { submissionId: number; batchIds: number[]; notificationIds: number[]; userIds: number[] }

export async function nextSubmissionIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval('submission_ids') as id from generate_series(1, ${count})`.execute(tx)
  return rows.map((row) => row.id)
}

export async function insertSubmissions(
  tx: Tx,
  provider: string,
  submissions: NewSubmission[],
  times: { now: Date; leaseUntil: Date },
): Promise<void> {
  if (submissions.length === 0) return
  const rows = submissions.map(
    (s) => sql`(${s.submissionId}, ${provider}, ${int8Array(s.batchIds)}::bigint[],
      ${int8Array(s.notificationIds)}::bigint[], ${int8Array(s.userIds)}::bigint[], ${times.now}::timestamptz,
      ${times.leaseUntil}::timestamptz)`,
  )
  await sql`
    insert into submissions (submission_id, provider, batch_ids, notification_ids, user_ids, started_at, lease_until)
    values ${sql.join(rows)}`.execute(tx)
}

const RESULT = { submissionId: 'bigint', outcome: 'text', code: 'text', nextReceiptAt: 'timestamptz' } as const

export type SubmissionResult = {
  submissionId: number
  outcome: 'accepted' | 'refused' | 'unknown'
  code: string | null
  nextReceiptAt: Date | null
}

/** A late answer replaces `unknown`. Gives the ids that exist: the others were lost, and an id may come again since. */
export async function settleSubmissions(
  tx: Tx,
  { startedAt, results, now }: { startedAt: Date; results: SubmissionResult[]; now: Date },
): Promise<Set<number>> {
  if (results.length === 0) return new Set()
  const { rows } = await sql<{ submission_id: number }>`
    with answered as (
      select * from ${asRows(results, RESULT)} as r(submission_id, outcome, code, next_receipt_at)),
    settled as (
      update submissions s set outcome = r.outcome, code = r.code, settled_at = ${now},
        next_receipt_at = r.next_receipt_at
      from answered r
      where s.submission_id = r.submission_id and s.started_at = ${startedAt}
        and (s.outcome is null or s.outcome = 'unknown'))
    select s.submission_id from submissions s join answered r on s.submission_id = r.submission_id
    where s.started_at = ${startedAt}`.execute(tx)
  return new Set(rows.map((row) => row.submission_id))
}

export async function markSubmissionsUnknown(tx: Tx, batchIds: number[], now: Date): Promise<NewSubmission[]> {
  const { rows } = await sql<NewSubmission>`
    update submissions set outcome = 'unknown', code = 'OutcomeUnknown', settled_at = ${now}
    where outcome is null and lease_until < ${now} and batch_ids && ${batchIds}::bigint[]
    returning submission_id as "submissionId", batch_ids as "batchIds", notification_ids as "notificationIds",
      user_ids as "userIds"`.execute(tx)
  return rows
}

export type DueSubmission = {
  submission_id: number
  notification_ids: number[]
  user_ids: number[]
  started_at: Date
  /** When the first of its messages was made; null: its batches are gone. */
  made_first: Date | null
  /** When its receipts were due before they were claimed. */
  due_at: Date
  /** Nobody asked before. */
  is_first: boolean
}

/** Their next question moves to `until`. `dueOnly` false: all that were not asked about since `roundStart`. */
export async function claimDueReceipts(
  db: Db,
  claim: { provider: string; now: Date; until: Date; limit: number; dueOnly: boolean; roundStart: Date },
): Promise<DueSubmission[]> {
  const due = claim.dueOnly
    ? sql`next_receipt_at <= ${claim.now}`
    : sql`next_receipt_at is not null and (receipts_asked_at is null or receipts_asked_at < ${claim.roundStart})`
  const { rows } = await sql<DueSubmission>`
    with claimed as (
      update submissions s set next_receipt_at = ${claim.until}, receipts_asked_at = ${claim.now}
      from (
        select submission_id, next_receipt_at as due_at, receipts_asked_at is null as is_first from submissions
        where ${due} and provider = ${claim.provider}
        order by next_receipt_at, submission_id limit ${claim.limit} for update skip locked) due
      where s.submission_id = due.submission_id
      returning s.submission_id, s.batch_ids, s.notification_ids, s.user_ids, s.started_at, due.due_at, due.is_first)
    select c.*, m.made_first
    from claimed c
    cross join lateral (
      select min(m.created_at) as made_first
      from unnest(c.batch_ids) listed(batch_id) join batches b on b.batch_id = listed.batch_id
      join messages m on m.message_id = b.message_id) m
    order by due_at, submission_id`.execute(db)
  return rows
}

/** `at` null: never, all its receipts are stored. */
export async function scheduleReceipts(tx: Tx, next: { submissionId: number; at: Date | null }[]): Promise<void> {
  if (next.length === 0) return
  await sql`
    update submissions s set next_receipt_at = r.at
    from ${asRows(next, { submissionId: 'bigint', at: 'timestamptz' })} as r(submission_id, at)
    where s.submission_id = r.submission_id`.execute(tx)
}

export type PendingTicket = {
  notification_id: number
  user_id: number
  device_id: number
  submission_id: number
  ticket_id: string
  /** When its message was made; null: it is not known. */
  message_at: Date | null
  sent_at: Date
}

/** In the same order, each looked up by itself: a join may read the whole table (measured: 55 instead of 4 ms). */
export async function listPendingTickets(
  db: Db,
  copies: { notificationIds: number[]; userIds: number[]; made: MadeFrom },
): Promise<PendingTicket[]> {
  if (copies.notificationIds.length === 0) return []
  const { rows } = await sql<PendingTicket>`
    select n.notification_id, n.user_id, n.mobile_devices_id as device_id, n.submission_id, n.ticket_id,
      n.message_at, n.sent_at
    from unnest(${int8Array(copies.notificationIds)}::bigint[], ${int8Array(copies.userIds)}::bigint[])
      with ordinality as r(notification_id, user_id, place)
    cross join lateral (
      select * from notifications n
      where user_id = r.user_id and notification_id = r.notification_id and ${isOfPartition(copies.made)} offset 0) n
    where n.ticket_id is not null and n.is_delivered is null
    order by r.place`.execute(db)
  return rows
}

/** Of the phones that are known, by id. */
export async function findPlatforms(db: Db, deviceIds: number[]): Promise<Map<number, Platform>> {
  const rows = await db
    .selectFrom('mobile_devices')
    .select(['id', 'platform'])
    .where('id', '=', sql<number>`any(${int8Array(deviceIds)}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, platform }) => [id, platform]))
}

/** Of each submission the one of its first push. */
export async function listTracesOfSubmissions(db: Db, submissionIds: number[]): Promise<string[]> {
  const { rows } = await sql<{ trace_context: string }>`
    select m.trace_context
    from submissions s join batches b on b.batch_id = s.batch_ids[1] join messages m on m.message_id = b.message_id
    where s.submission_id = any(${submissionIds}) and m.trace_context is not null
    order by s.submission_id`.execute(db)
  return rows.map((row) => row.trace_context)
}

export async function deleteSubmissions(db: Db, step: DeleteStep): Promise<DeletedUpTo> {
  const { rows } = await sql<{ last: DeletedUpTo }>`
    with listed as materialized (
      select submission_id, started_at < ${step.before} and outcome is not null and next_receipt_at is null as is_old
      from submissions where submission_id > ${step.after} order by submission_id limit ${step.limit}),
    gone as (
      delete from submissions where submission_id in (select submission_id from listed where is_old) returning 1)
    select max(submission_id) as last from listed where is_old`.execute(db)
  return must(rows[0], 'last of the deleted submissions').last
}
