import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { HOME } from './home.queries.ts'
import type { Message } from './messages.queries.ts'

/** Paused by a halt, not by an administrator. */
export async function listHaltedCampaigns(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('message_id')
    .where('status', '=', 'paused')
    .where('pause_reason', 'is not', null)
    .execute()
  return rows.map((row) => row.message_id)
}

/** Messages asleep are left out, though something is left to send. */
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

/** A claim or an answer that was on its way when they were stopped put work back. */
export async function listStoppedWithWork(db: Db): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    select message_id from messages m
    where status = 'stopped' and exists (select from work w where w.home = ${HOME} and w.message_id = m.message_id)
    order by message_id limit 100`.execute(db)
  return rows.map((row) => row.message_id)
}

/** What waits for a platform that was paused, in the order of work with an id above `after`. */
export async function listWaitingFor(
  db: Db | Tx,
  { provider, platform }: { provider: string; platform: Platform },
  { after, limit }: { after: number; limit: number },
): Promise<PutOff[]> {
  const { rows } = await sql<PutOff>`
    select work_id as "workId", message_id as "messageId" from work
    where home = ${HOME} and provider = ${provider} and platform = ${platform} and work_id > ${after}
    order by work_id limit ${limit}`.execute(db)
  return rows
}

type PutOff = { workId: number; messageId: number }
