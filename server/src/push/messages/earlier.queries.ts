import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { countHomes, expectHeard } from '../../platform/db/homes.ts'
import type { Work } from '../../platform/work/work.ts'
import type { WorkRow } from '../ledger/work.queries.ts'
import { groupByHome, toBlock, toHome } from '../records/home.queries.ts'
import type { Message } from '../records/messages.queries.ts'
import { IS_HELD, RUNNING } from '../records/statuses.queries.ts'

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

/** The work of homes that are away cannot be asked: of their people only messages that are held are said to wait. */
export async function listLatestOfKeys(
  { tx, isAway, now }: Pick<Work, 'tx' | 'isAway' | 'now'>,
  keys: { recipientId: number; mergeKey: string }[],
): Promise<Latest[]> {
  const placed = keys.map((key, place) => ({ ...key, place }))
  const latest: Latest[] = []
  for (const [home, own] of groupByHome(tx, placed, ({ recipientId }) => recipientId)) {
    const isPlain = countHomes(tx) === 1
    const waiting = sql`
      left join lateral (
        select work_id from work where home = 0 and message_id = m.message_id and provider is null
          limit 1 for update) w on true`
    const { rows } = await sql<Latest>`
      select k.place, m.message_id as "messageId", m.started_at as "startedAt", m.merges,
        ${isPlain ? sql`w.work_id is not null` : sql`${IS_HELD} and m.expires_at > ${now()}`} as waits
      from ${asRows(own, COLUMNS)} as k(recipient_id, merge_key, place)
      cross join lateral (
        select message_id, started_at, merges, status, sleeps_until, expires_at from messages
        where recipient_id = k.recipient_id and merge_key = k.merge_key order by started_at desc limit 1
        for no key update) m
      ${isPlain ? waiting : sql``}`.execute(tx)
    latest.push(...(isPlain || isAway(home) ? rows : await withWaiting(tx, home, rows)))
  }
  return latest
}

async function withWaiting(tx: Tx, home: number, latest: readonly Latest[]): Promise<Latest[]> {
  if (latest.length === 0) return []
  expectHeard(tx, home)
  const { rows } = await sql<{ message_id: number }>`
    select message_id from work
    where home = ${home} and message_id = any(${int8Array(latest.map(({ messageId }) => messageId))}::bigint[])
      and provider is null
    order by work_id for update`.execute(tx)
  const waiting = new Set(rows.map((row) => row.message_id))
  return latest.map((one) => ({ ...one, waits: one.waits || waiting.has(one.messageId) }))
}

/** What was put off of earlier messages of these keys, of people of a home, until their quiet hours end. */
export async function listPutOffOfKeys(
  tx: Tx,
  home: number,
  keys: { recipientId: number; mergeKey: string }[],
  now: Date,
): Promise<Pick<WorkRow, 'workId' | 'messageId'>[]> {
  const { rows: running } = await sql<{ message_id: number }>`
    select m.message_id from ${asRows(keys, { recipientId: 'bigint', mergeKey: 'text' })} k(recipient_id, merge_key)
    cross join lateral (
      select message_id from messages
      where recipient_id = k.recipient_id and merge_key = k.merge_key and status in ${RUNNING} offset 0) m`.execute(tx)
  if (running.length === 0) return []
  expectHeard(tx, home)
  const { rows } = await sql<Pick<WorkRow, 'workId' | 'messageId'>>`
    select work_id as "workId", message_id as "messageId" from work
    where home = ${home} and message_id = any(${int8Array(running.map((row) => row.message_id))}::bigint[])
      and is_entered and due_at > ${now}`.execute(tx)
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
  const { rows: equal } = await sql<{ message_id: number }>`
    select message_id from messages
    where origin = 'test' and sender_id = ${send.senderId} and created_at > ${since} and title = ${title}
      and body = ${text} and data is not distinct from ${data === undefined ? null : JSON.stringify(data)}::jsonb
    `.execute(tx)
  if (equal.length === 0) return undefined
  const { rows } = await sql<{ id: number }>`
    with skipped as materialized (
      select message_id from skips
        where home = ${home} and block = ${toBlock(userId)} and ${userId}::bigint = any(user_ids))
    select m.id from unnest(${int8Array(equal.map((message) => message.message_id))}::bigint[]) m(id)
    where exists (
        select 1 from work w join batches b on b.home = ${home} and b.batch_id = w.batch_id
        where w.home = ${home} and w.message_id = m.id and ${userId}::bigint = any(b.user_ids))
      or exists (select 1 from entries e
        where e.home = ${home} and e.user_id = ${userId} and e.message_id = m.id)
      or m.id in (select message_id from skipped)
    limit 1`.execute(tx)
  const [twin] = rows
  return twin && tx.selectFrom('messages').selectAll().where('message_id', '=', twin.id).executeTakeFirst()
}
