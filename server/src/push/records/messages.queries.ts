import { sql, type Insertable, type Selectable } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes, expectHeard } from '../../platform/db/homes.ts'
import type { Lane, MessageStatus } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { listDeletable } from './old-messages.queries.ts'
import type { DeletedUpTo, DeleteStep } from './delete-step.ts'
import { RUNNING, UNFINISHED } from './statuses.queries.ts'
import { isOpenIn, listOver, MAY_END } from './unfinished.queries.ts'

export type Message = Selectable<Tables['messages']>

// `messages` is on every server, so what writes it waits for all: `expectHeard` ends that at once.

export async function insertMessage(tx: Tx, message: Insertable<Tables['messages']>): Promise<Message> {
  expectHeard(tx)
  return tx.insertInto('messages').values(message).returningAll().executeTakeFirstOrThrow()
}

/** Gives their ids in the same order. */
export async function insertMessages(tx: Tx, messages: Insertable<Tables['messages']>[]): Promise<number[]> {
  expectHeard(tx)
  const rows = await tx.insertInto('messages').values(messages).returning('message_id').execute()
  return rows.map((row) => row.message_id)
}

export type Rewritten = {
  messageId: number
  title: string
  text: string
  data?: Record<string, unknown>
  about: Record<string, unknown> | null
  merges: number
}

const REWRITTEN = {
  messageId: 'bigint',
  title: 'text',
  text: 'text',
  data: 'text',
  about: 'text',
  merges: 'int',
} as const

/** The caller has their batches locked, and no worker has claimed them. */
export async function rewriteMessages(tx: Tx, messages: Rewritten[], now: Date): Promise<void> {
  if (messages.length === 0) return
  const rows = messages.map((message) => ({ ...message, data: toJson(message.data), about: toJson(message.about) }))
  await sql`
    update messages m set title = r.title, body = r.body, data = r.data::jsonb, about = r.about::jsonb,
      merges = r.merges, updated_at = ${now}
    from ${asRows(rows, REWRITTEN)} as r(message_id, title, body, data, about, merges)
    where m.message_id = r.message_id`.execute(tx)
}

/** It is locked before its work and batches. Others may still count for it: their counters refer to it. */
export async function lockMessage(tx: Tx, messageId: number): Promise<Message | undefined> {
  const message = tx.selectFrom('messages').selectAll().where('message_id', '=', messageId)
  return message.forNoKeyUpdate().executeTakeFirst()
}

/** `coordinatedAt` set: the whole audience has its batches. */
export async function moveCursor(
  tx: Tx,
  messageId: number,
  move: { cursor: number; coordinatedAt: Date | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({
      cursor_user_id: move.cursor,
      coordinated_at: move.coordinatedAt,
      status: sql<MessageStatus>`case when status = 'queued' then 'sending' else status end`,
      started_at: sql<Date>`coalesce(started_at, ${move.now})`,
      updated_at: move.now,
    })
    .where('message_id', '=', messageId)
    .execute()
}

/** The caller has the message locked. */
export async function setMessageStatus(
  tx: Tx,
  messageId: number,
  change: { status: MessageStatus; pauseReason: string | null; now: Date },
): Promise<void> {
  expectHeard(tx)
  const ended = change.status === 'stopped' || change.status === 'completed'
  await tx
    .updateTable('messages')
    .set({
      status: change.status,
      pause_reason: change.pauseReason,
      updated_at: change.now,
      ...(ended && { completed_at: change.now, about: null }),
    })
    .where('message_id', '=', messageId)
    .execute()
}

/**
 * Runs after the commit that ended their batches: of several workers that end at once, the last sees them all done.
 * Gives the campaigns among them.
 */
export async function completeFinishedMessages(db: Db | Tx, messageIds: number[], now: Date): Promise<number[]> {
  const isOne = countHomes(db) === 1
  const over = isOne ? messageIds : await listOver(db, messageIds)
  if (over.length === 0) return []
  expectHeard(db)
  const { rows } = await sql<{ message_id: number; lane: Lane }>`
    with finished as materialized (
      select message_id from messages m
      where message_id = any(${over}) and ${MAY_END} ${isOne ? sql`and not ${isOpenIn(0)}` : sql``}
      order by message_id for no key update)
    update messages set status = 'completed', completed_at = ${now}, about = null, updated_at = ${now}
    where message_id in (select message_id from finished)
    returning message_id, lane`.execute(db)
  return rows.filter(({ lane }) => lane === 'campaign').map((row) => row.message_id)
}

export async function pauseRunningCampaigns(db: Db, reason: string, now: Date): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    update messages set status = 'paused', pause_reason = ${reason}, updated_at = ${now}
    where message_id = any(array(
      select message_id from messages where status in ${RUNNING} and lane = 'campaign' and not is_inbox_only
      order by message_id for no key update))
    returning message_id`.execute(db)
  return rows.map((row) => row.message_id)
}

/** A deleted message is absent. */
export async function listMessageStatuses(db: Runner, messageIds: number[]): Promise<Map<number, MessageStatus>> {
  const { rows } = await sql<{ message_id: number; status: MessageStatus }>`
    select message_id, status from messages where message_id = any(${int8Array(messageIds)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.message_id, row.status]))
}

export async function listTraces(db: Db, messageIds: number[]): Promise<string[]> {
  const { rows } = await sql<{ trace_context: string }>`
    select trace_context from messages where message_id = any(${messageIds}) and trace_context is not null
    order by created_at, message_id`.execute(db)
  return rows.map((row) => row.trace_context)
}

/**
 * Up to 5,000, so that the statement ends in time; a lane wakes the others in its next rounds. Where there are several
 * homes, an update asks all servers, and fails while one is away, also if nothing sleeps.
 */
export async function wakeMessages(db: Db, now: Date): Promise<void> {
  const slept = db.selectFrom('messages').select('message_id').where('sleeps_until', '<=', now).limit(1)
  if (countHomes(db) > 1 && !(await slept.executeTakeFirst())) return
  expectHeard(db)
  await sql`
    update messages set sleeps_until = null, updated_at = ${now}
    where message_id = any(array(
      select message_id from messages where sleeps_until <= ${now}
      order by sleeps_until limit 5000 for no key update skip locked))`.execute(db)
}

/** Messages that may sleep are woken before their work is made due, so none of them falls asleep until the commit. */
export async function wakeEarly(tx: Tx, messageIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update messages set sleeps_until = null, updated_at = ${now}
    where message_id = any(array(
      select message_id from messages
      where message_id = any(${int8Array(messageIds)}::bigint[]) and lane = 'transactional'
      order by message_id for no key update))`.execute(tx)
}

/**
 * Only transactional messages of which nothing is due or submitted fall asleep: campaigns are few, and stay awake. A
 * message that another transaction changes stays awake too. They are locked before it looks, so that none falls asleep
 * of which work was made due. Where there are several homes, a message to several people may have work in another.
 */
export async function putToSleep(tx: Tx, home: number, messageIds: number[], now: Date): Promise<void> {
  if (messageIds.length === 0) return
  const { rows: held } = await sql<{ message_id: number }>`
    select message_id from messages where message_id = any(${int8Array(messageIds)}::bigint[])
      and lane = 'transactional' ${countHomes(tx) === 1 ? sql`` : sql`and recipient_id is not null`}
    order by message_id for no key update skip locked`.execute(tx)
  if (held.length === 0) return
  const { rows: asleep } = await sql<{ messageId: number; due: Date }>`
    select message_id as "messageId", due from (
      select message_id, min(due_at) as due from work
      where home = ${home} and message_id = any(${int8Array(held.map(({ message_id }) => message_id))}::bigint[])
      group by message_id having min(due_at) > ${now}) w
    where not exists (
      select from requests r where r.home = ${home} and r.outcome is null
        and w.message_id = any(r.message_ids))`.execute(tx)
  if (asleep.length === 0) return
  expectHeard(tx)
  await sql`
    update messages m set sleeps_until = a.due, updated_at = ${now}
    from ${asRows(asleep, { messageId: 'bigint', due: 'timestamptz' })} as a(message_id, due)
    where m.message_id = a.message_id`.execute(tx)
}

/** Forgets what they said; the row stays, as does that it was sent. */
export async function emptyMessages(tx: Tx, messageIds: number[]): Promise<void> {
  await sql`update messages set title = '', body = '', data = null, about = null
    where message_id = any(${messageIds})`.execute(tx)
}

/** What people wrote to others, and what was written to one of them alone (ADR 15). */
export async function emptyMessagesOfPeople(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    select from messages where sender_id = any(${userIds}) or recipient_id = any(${userIds})
    order by message_id for no key update`.execute(tx)
  await sql`
    update messages set title = 'Deleted', body = 'This message was deleted with its sender.', data = null, about = null
    where sender_id = any(${userIds}) and type = 'non_promotional'`.execute(tx)
  await sql`
    update messages set title = 'Deleted', body = 'This message was deleted with its recipient.',
      data = null, about = null
    where recipient_id = any(${userIds})`.execute(tx)
}

export async function markMessagesRestored(tx: Tx, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update messages set restored_at = ${now} where status in ${UNFINISHED}`.execute(tx)
  return Number(numAffectedRows)
}

/** Finished transactional messages without notifications and entries. Their counts are deleted with them. */
export async function deleteMessages(tx: Tx, step: DeleteStep): Promise<{ last: DeletedUpTo; messageIds: number[] }> {
  const { last, messageIds } = await listDeletable(tx, step)
  if (messageIds.length > 0) await sql`delete from messages where message_id = any(${messageIds})`.execute(tx)
  return { last, messageIds }
}

function toJson(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null
}
