import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import type { Message } from './messages.queries.ts'

/** Without those asleep, which have something left to send. */
export async function listUnfinishedMessages(
  db: Db,
): Promise<Pick<Message, 'message_id' | 'status' | 'coordinated_at'>[]> {
  return db
    .selectFrom('messages')
    .select(['message_id', 'status', 'coordinated_at'])
    .where('status', 'in', ['queued', 'sending'])
    .where('sleeps_until', 'is', null)
    .orderBy('created_at')
    .orderBy('message_id')
    .execute()
}

export async function listUncoordinatedMessages(db: Db): Promise<Pick<Message, 'message_id' | 'job_id'>[]> {
  return db
    .selectFrom('messages')
    .select(['message_id', 'job_id'])
    .where('status', 'in', ['queued', 'sending'])
    .where('coordinated_at', 'is', null)
    .orderBy('created_at')
    .orderBy('message_id')
    .limit(100)
    .execute()
}

/** A deleted message is absent. */
export async function listMessageStatuses(db: Db | Tx, messageIds: number[]): Promise<Map<number, MessageStatus>> {
  const rows = await db
    .selectFrom('messages')
    .select(['message_id', 'status'])
    .where('message_id', 'in', messageIds)
    .execute()
  return new Map(rows.map((row) => [row.message_id, row.status]))
}

export async function listTraces(db: Db, messageIds: number[]): Promise<string[]> {
  const { rows } = await sql<{ trace_context: string }>`
    select trace_context from messages where message_id = any(${messageIds}) and trace_context is not null
    order by created_at, message_id`.execute(db)
  return rows.map((row) => row.trace_context)
}
