import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { WorkRow } from '../ledger/work.queries.ts'
import { groupByHome, toBlock, toHome } from '../records/home.queries.ts'
import type { Message } from '../records/messages.queries.ts'
import { RUNNING } from '../records/statuses.queries.ts'

/** `place`: the key's among those asked about. */
export type Latest = {
  place: number
  messageId: number
  startedAt: Date
  merges: number
  /** No worker has claimed it, and none will before this transaction ends. */
  waits: boolean
}

const COLUMNS = { recipientId: 'bigint', mergeKey: 'text', place: 'int' } as const

export async function listLatestOfKeys(tx: Tx, keys: { recipientId: number; mergeKey: string }[]): Promise<Latest[]> {
  const placed = keys.map((key, place) => ({ ...key, place }))
  const latest: Latest[] = []
  for (const [home, own] of groupByHome(tx, placed, ({ recipientId }) => recipientId)) {
    const { rows } = await sql<Latest>`
      select k.place, m.message_id as "messageId", m.started_at as "startedAt", m.merges,
        w.work_id is not null as waits
      from ${asRows(own, COLUMNS)} as k(recipient_id, merge_key, place)
      cross join lateral (
        select message_id, started_at, merges from messages
        where recipient_id = k.recipient_id and merge_key = k.merge_key order by started_at desc limit 1
        for no key update) m
      left join lateral (
        select work_id from work where home = ${home} and message_id = m.message_id and provider is null
          limit 1 for update) w on true`.execute(tx)
    latest.push(...rows)
  }
  return latest
}

/** What was put off of earlier messages of these keys, of people of a home, until their quiet hours end. */
export async function listPutOffOfKeys(
  tx: Tx,
  home: number,
  keys: { recipientId: number; mergeKey: string }[],
  now: Date,
): Promise<Pick<WorkRow, 'workId' | 'messageId'>[]> {
  const { rows } = await sql<Pick<WorkRow, 'workId' | 'messageId'>>`
    select w.work_id as "workId", w.message_id as "messageId"
    from ${asRows(keys, { recipientId: 'bigint', mergeKey: 'text' })} k(recipient_id, merge_key)
    cross join lateral (
      select message_id from messages
      where recipient_id = k.recipient_id and merge_key = k.merge_key and status in ${RUNNING} offset 0) m
    join work w on w.home = ${home} and w.message_id = m.message_id and w.is_entered and w.due_at > ${now}`.execute(tx)
  return rows
}

/** The same test send to the same user since a moment. Equal sends at once wait for each other. */
export async function findTwin(
  tx: Tx,
  send: { senderId: number | null; content: { title: string; text: string; data?: Record<string, unknown> } },
  userId: number,
  since: Date,
): Promise<Message | undefined> {
  const { title, text, data } = send.content
  const home = toHome(tx, userId)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`send:${send.senderId}`}, 0))`.execute(tx)
  const { rows } = await sql<Message>`
    with skipped as materialized (
      select message_id from skips
        where home = ${home} and block = ${toBlock(userId)} and ${userId}::bigint = any(user_ids))
    select m.* from messages m
    where m.origin = 'test' and m.sender_id = ${send.senderId} and m.created_at > ${since} and m.title = ${title}
      and m.body = ${text} and m.data is not distinct from ${data === undefined ? null : JSON.stringify(data)}::jsonb
      and (
        exists (
          select 1 from work w join batches b on b.home = ${home} and b.batch_id = w.batch_id
          where w.home = ${home} and w.message_id = m.message_id and ${userId}::bigint = any(b.user_ids))
        or exists (select 1 from entries e
          where e.home = ${home} and e.user_id = ${userId} and e.message_id = m.message_id)
        or m.message_id in (select message_id from skipped))
    limit 1`.execute(tx)
  return rows[0]
}
