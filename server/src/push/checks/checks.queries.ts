import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { messagesIn } from '../records/home.queries.ts'
import { copiesFor, selectInbox } from '../ledger/person.queries.ts'
import type { QuietHours } from './quiet-hours.ts'

export type Rechecked = {
  message_id: number
  title: string
  body: string
  data: Record<string, unknown> | null
  /** Its event is over, a later message to the same person replaces it, or it ends what the person was not told of. */
  stale: boolean
}

/** Whether what a message is about is over: push knows no record of the marketplace. */
export type IsStale = (about: RawBuilder<unknown>) => RawBuilder<boolean>

/**
 * The transaction has the batches of the messages locked, all of people of a home; `isStale` checks what a message is
 * `about`.
 */
export async function recheckMessages(
  tx: Tx,
  home: number,
  messageIds: number[],
  isStale: IsStale,
): Promise<Rechecked[]> {
  const { rows } = await sql<Rechecked & { is_end: boolean }>`
    select m.message_id, m.title, m.body, m.data, m.is_end,
      coalesce(${isStale(sql`m.about`)}, false) or (m.merge_key is not null and exists (
        select from messages later
        where later.recipient_id = m.recipient_id and later.merge_key = m.merge_key
          and later.started_at > m.started_at)) as stale
    from messages m where m.message_id = any(${int8Array(messageIds)}::bigint[])`.execute(tx)
  const ends = rows.filter(({ is_end, stale }) => is_end && !stale).map((row) => row.message_id)
  const unannounced = new Set(ends.length === 0 ? [] : await listUnannounced(tx, home, ends))
  return rows.map((row) => ({ ...row, stale: row.stale || unannounced.has(row.message_id) }))
}

/** Gives the messages that end what their person was never told of. */
async function listUnannounced(tx: Tx, home: number, messageIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    select m.message_id from ${messagesIn(tx, home)} m
    where m.message_id = any(${int8Array(messageIds)}::bigint[]) and (
      select not bool_or(${wasAnnounced(home, sql`m.recipient_id`, sql`earlier.message_id`)})
      from ${messagesIn(tx, home)} earlier
      where earlier.recipient_id = m.recipient_id and earlier.merge_key = m.merge_key
        and earlier.started_at <= m.started_at and earlier.message_id <> m.message_id)`.execute(tx)
  return rows.map((row) => row.message_id)
}

/**
 * The person read the entry, was rung, or has an entry of which no push waits. Work that another claim has locked
 * counts too, because that claim is about to ring.
 */
function wasAnnounced(home: number, userId: RawBuilder<unknown>, messageId: RawBuilder<unknown>): RawBuilder<boolean> {
  const waiting = sql`select from work w where w.home = ${home} and w.message_id = ${messageId}`
  return sql<boolean>`exists (
    select from ${selectInbox(home, userId)} e where e.message_id = ${messageId} and (
      e.read_at is not null
      or (e.is_listed and not exists (${waiting}))
      or (e.has_copy and exists (select from ${copiesFor(home, userId, sql`e.message_id`)} c where c.is_send))))
    or (exists (${waiting}) and not exists (${waiting} for update skip locked))`
}

export type PushPreferences = { muted: EventKind[]; quiet: QuietHours | null; quiet_except: EventKind[] }

/** The keys are ids. Users without preferences are absent. */
export async function listPreferences(tx: Runner, userIds: readonly number[]): Promise<Map<number, PushPreferences>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<PushPreferences & { user_id: number }>`
    select p.user_id, p.muted, p.quiet_except,
      case when p.quiet_start is not null
        then json_build_object('start', p.quiet_start, 'end', p.quiet_end, 'zone', u.time_zone) end as quiet
    from push_preferences p join users u on u.user_id = p.user_id
    where p.user_id = any(${int8Array(userIds)}::bigint[])`.execute(tx)
  return new Map(rows.map(({ user_id, ...own }) => [user_id, own]))
}

/** Gives those whose preferences nobody is changing; nobody changes them before the transaction ends. It waits for
 * no one. */
export async function holdPreferences(tx: Runner, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from push_preferences where user_id = any(${int8Array(userIds)}::bigint[])
    order by user_id for share skip locked`.execute(tx)
  return new Set(rows.map((row) => row.user_id))
}

/** No claim can put off a push to the person by the old preferences until the commit. */
export async function lockPreferences(tx: Tx, userId: number): Promise<void> {
  await sql`select from push_preferences where user_id = ${userId} for update`.execute(tx)
}
