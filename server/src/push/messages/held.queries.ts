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

/** Takes the first that are held for a home: the caller gives them their batches. */
export async function takeHeld(tx: Tx, home: number, { limit, now }: { limit: number; now: Date }): Promise<Held[]> {
  const { rows } = await sql<Held>`
    with held as materialized (
      select message_id from messages m where ${IS_HELD} and ${homeSql(tx, 'recipient_id')} = ${home}
      order by message_id limit ${limit} for no key update skip locked)
    update messages m set sleeps_until = null, updated_at = ${now} from held
    where m.message_id = held.message_id
    returning m.message_id as "messageId", m.recipient_id as "userId", m.merge_key as "mergeKey", m.is_chat as "isChat",
      greatest(m.started_at, ${now}) as "dueAt"`.execute(tx)
  return rows.toSorted((a, b) => a.messageId - b.messageId)
}

/** Asks the server of a home for nothing, before what would be written in vain while it is away. */
export async function expectAnswer(tx: Tx, home: number): Promise<void> {
  await sql`select from unread where home = ${home} limit 1`.execute(tx)
}
