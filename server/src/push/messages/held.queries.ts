import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { homeSql } from '../records/home.queries.ts'
import { IS_HELD } from '../records/statuses.queries.ts'

/** Homes for which messages are held, or counts of unread lines. */
export async function listHomesWaitedFor(db: Db): Promise<number[]> {
  if (countHomes(db) === 1) return []
  const { rows } = await sql<{ home: number }>`
    select distinct ${homeSql(db, 'user_id')} as home from (
      select recipient_id from messages m where ${IS_HELD}
      union all select user_id from held_recounts) waiting(user_id)
    order by 1`.execute(db)
  return rows.map((row) => row.home)
}

export type Held = {
  messageId: number
  userId: number
  mergeKey: string | null
  isChat: boolean
  dueAt: Date
}

/** Locks the first that are held for a home. */
export async function lockHeld(tx: Tx, home: number, { limit, now }: { limit: number; now: Date }): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select message_id as "messageId", recipient_id as "userId", merge_key as "mergeKey", is_chat as "isChat",
      greatest(started_at, ${now}) as "dueAt"
    from messages m where ${IS_HELD} and ${homeSql(tx, 'recipient_id')} = ${home}
    order by message_id limit ${limit} for no key update skip locked`.execute(tx)
  return rows
}

/** Throws while the server of a home is away, before anything is written that would be taken back. */
export async function expectAnswer(tx: Tx, home: number): Promise<void> {
  await sql`select from unread where home = ${home} limit 1`.execute(tx)
}
