import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'
import { HOME } from '../records/home.queries.ts'
import type { Message } from '../records/messages.queries.ts'

/** The same test send to the same user since a moment. Equal sends at once wait for each other. */
export async function findTwin(
  tx: Tx,
  send: { senderId: number | null; content: { title: string; text: string; data?: Record<string, unknown> } },
  userId: number,
  since: Date,
): Promise<Message | undefined> {
  const { title, text, data } = send.content
  await sql`select pg_advisory_xact_lock(hashtextextended(${`send:${send.senderId}`}, 0))`.execute(tx)
  const { rows } = await sql<Message>`
    with skipped as materialized (
      select message_id from skips where block = ${userId}::bigint / 64 and ${userId}::bigint = any(user_ids))
    select m.* from messages m
    where m.origin = 'test' and m.sender_id = ${send.senderId} and m.created_at > ${since} and m.title = ${title}
      and m.body = ${text} and m.data is not distinct from ${data === undefined ? null : JSON.stringify(data)}::jsonb
      and (
        exists (
          select 1 from work w join batches b on b.home = ${HOME} and b.batch_id = w.batch_id
          where w.home = ${HOME} and w.message_id = m.message_id and ${userId}::bigint = any(b.user_ids))
        or exists (select 1 from entries e where e.home = ${HOME} and e.user_id = ${userId} and e.message_id = m.message_id)
        or m.message_id in (select message_id from skipped))
    limit 1`.execute(tx)
  return rows[0]
}
