import { sql, type InsertObject, type Selectable } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import type { Lane, MessageStatus } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { deleteHomeMessages, markRestoredAtHomes, tellHomes } from './home-messages.queries.ts'
import { listDeletable, type DeletedUpTo, type DeleteStep } from './old-messages.queries.ts'
import { listHomes } from './home.queries.ts'
import { RUNNING, UNFINISHED } from './statuses.queries.ts'
import { isOpenIn, listOver, MAY_END } from './unfinished.queries.ts'

export type Message = Selectable<Tables['messages']>

export async function insertMessage(tx: Tx, message: InsertObject<Tables, 'messages'>): Promise<Message> {
  return tx.insertInto('messages').values(message).returningAll().executeTakeFirstOrThrow()
}

/** Gives their ids in the same order. */
export async function insertMessages(tx: Tx, messages: InsertObject<Tables, 'messages'>[]): Promise<number[]> {
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
  await tellHomes(
    tx,
    rows.map((row) => row.messageId),
  )
}

/** It is locked before its work and batches. Others may still count for it: their counters refer to it. */
export async function lockMessage(tx: Tx, messageId: number): Promise<Message | undefined> {
  const message = tx.selectFrom('messages').selectAll().where('message_id', '=', messageId)
  return message.forNoKeyUpdate().executeTakeFirst()
}

/** Up to which user the people of a home have their batches. */
export function findCursor(message: Message, home: number): number {
  return message.home_cursors === undefined ? message.cursor_user_id : (message.home_cursors?.[home] ?? 0)
}

/** The caller has the message locked. Gives it as it is then; `cursor_user_id`, its progress, is the mean of homes. */
export async function moveCursor(
  tx: Tx,
  message: Message,
  { home, cursor, now }: { home: number; cursor: number; now: Date },
): Promise<Message> {
  const isDivided = countHomes(tx) > 1
  const cursors = listHomes(tx).map((one) => (one === home ? cursor : findCursor(message, one)))
  const isEnd = cursors.every((one) => one >= message.last_user_id)
  const sum = cursors.reduce((all, one) => all + one, 0)
  return tx
    .updateTable('messages')
    .set({
      cursor_user_id: Math.floor(sum / cursors.length),
      ...(isDivided && { home_cursors: cursors }),
      coordinated_at: isEnd ? now : null,
      status: sql<MessageStatus>`case when status = 'queued' then 'sending' else status end`,
      started_at: sql<Date>`coalesce(started_at, ${now})`,
      updated_at: now,
    })
    .where('message_id', '=', message.message_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The caller has the message locked. */
export async function setMessageStatus(
  tx: Tx,
  messageId: number,
  change: { status: MessageStatus; pauseReason: string | null; now: Date },
): Promise<void> {
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
export async function completeFinishedMessages(db: Db, messageIds: number[], now: Date): Promise<number[]> {
  return completeOver(db, await listOver(db, messageIds), now)
}

/** Completes those that `listOver` gave. */
export async function completeOver(db: Db | Tx, over: number[], now: Date): Promise<number[]> {
  if (over.length === 0) return []
  const { rows } = await sql<{ message_id: number; lane: Lane }>`
    with finished as materialized (
      select message_id from messages m
      where message_id = any(${over}) and ${MAY_END} ${countHomes(db) === 1 ? sql`and not ${isOpenIn(0)}` : sql``}
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

/** Up to 5,000, so that the statement ends in time; a lane wakes the others in its next rounds. */
export async function wakeMessages(db: Db, now: Date): Promise<void> {
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
  await sql`
    update messages m set sleeps_until = a.due, updated_at = ${now}
    from ${asRows(asleep, { messageId: 'bigint', due: 'timestamptz' })} as a(message_id, due)
    where m.message_id = a.message_id`.execute(tx)
}

/** Forgets what they said; the row stays, as does that it was sent. */
export async function emptyMessages(tx: Tx, messageIds: number[]): Promise<void> {
  await sql`update messages set title = '', body = '', data = null, about = null
    where message_id = any(${messageIds})`.execute(tx)
  await tellHomes(tx, messageIds)
}

/** What people wrote to others, and what was written to one of them alone (ADR 15), which is held for no home then. */
export async function emptyMessagesOfPeople(tx: Tx, userIds: number[]): Promise<void> {
  const { rows } = await sql<{ message_id: number }>`
    select message_id from messages where sender_id = any(${userIds}) or recipient_id = any(${userIds})
    order by message_id for no key update`.execute(tx)
  await sql`
    update messages set title = 'Deleted', body = 'This message was deleted with its sender.', data = null, about = null
    where sender_id = any(${userIds}) and type = 'non_promotional'`.execute(tx)
  await sql`
    update messages set title = 'Deleted', body = 'This message was deleted with its recipient.',
      data = null, about = null, sleeps_until = nullif(sleeps_until, 'infinity')
    where recipient_id = any(${userIds})`.execute(tx)
  await tellHomes(
    tx,
    rows.map((row) => row.message_id),
  )
}

export async function markMessagesRestored(tx: Tx, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update messages set restored_at = ${now} where status in ${UNFINISHED}`.execute(tx)
  await markRestoredAtHomes(tx, now)
  return Number(numAffectedRows)
}

/** Finished transactional messages without notifications and entries. Their counts are deleted with them. */
export async function deleteMessages(tx: Tx, step: DeleteStep): Promise<{ last: DeletedUpTo; messageIds: number[] }> {
  const { last, messageIds } = await listDeletable(tx, step)
  if (messageIds.length === 0) return { last, messageIds }
  await sql`delete from messages where message_id = any(${messageIds})`.execute(tx)
  await deleteHomeMessages(tx, messageIds)
  return { last, messageIds }
}

function toJson(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null
}
