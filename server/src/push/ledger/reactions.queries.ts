import { sql, type RawBuilder } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { messagesIn, toHeardHome } from '../records/home.queries.ts'
import { isUnread } from './entries.queries.ts'
import { PLACES } from './ledger.ts'
import { copiesFor, selectInbox } from './person.queries.ts'
import { wasOver } from '../records/old-messages.queries.ts'

export type DeviceEvent = 'shown' | 'dismissed'

export type CopyOfUser = { notificationId: number; userId: number }

/** What a person has of a message; null: nothing. */
export type Held = {
  messageId: number
  /** The inbox shows it and the badge counts it. */
  isListed: boolean
  isRead: boolean
  isOpened: boolean
  /** The ways of its copies, one a copy. */
  ways: string[]
}

/** Undefined: the user has no such copy. */
export async function findMessageOfCopy(tx: Tx, { notificationId, userId }: CopyOfUser): Promise<number | undefined> {
  const home = toHeardHome(tx, userId)
  const { rows } = await sql<{ message_id: number }>`
    select c.message_id from notifications c
    where c.home = ${home} and c.batch_id = ${Math.floor(notificationId / PLACES)}
      and c.notification_id = ${notificationId} and c.user_id = ${userId}`.execute(tx)
  return rows[0]?.message_id
}

export async function listRead<Pair extends EntryKey>(tx: Runner, home: number, pairs: Pair[]): Promise<Pair[]> {
  return pairsWhere(
    tx,
    pairs,
    sql`exists (
      select from ${selectInbox(home, sql`p.user_id`)} e
      where e.message_id = p.message_id and e.is_listed and e.read_at is not null)`,
  )
}

/** The people's unread blocks are locked. */
export async function listOpened<Pair extends EntryKey>(tx: Tx, home: number, pairs: Pair[]): Promise<Pair[]> {
  return pairsWhere(
    tx,
    pairs,
    sql`exists (
      select from reactions r where r.home = ${home} and r.user_id = p.user_id and r.message_id = p.message_id
        and r.device_id = 0 and r.opened_at is not null)`,
  )
}

type EntryKey = { userId: number; messageId: number }

async function pairsWhere<Pair extends EntryKey>(tx: Runner, pairs: Pair[], condition: RawBuilder<unknown>) {
  if (pairs.length === 0) return []
  const { rows } = await sql<{ place: number }>`
    select (p.place - 1)::int as place
    from ${asRows(pairs, { userId: 'bigint', messageId: 'bigint' })} with ordinality p(user_id, message_id, place)
    where ${condition}`.execute(tx)
  return rows.flatMap(({ place }): Pair[] => pairs.slice(place, place + 1))
}

/** The person's unread block is locked where the answer decides what is written. */
export async function readHeld(tx: Tx, userId: number, messageIds: readonly number[]): Promise<Held[]> {
  const home = toHeardHome(tx, userId)
  const person = sql`${userId}::bigint`
  const { rows } = await sql<Held>`
    select e.message_id as "messageId", bool_or(e.is_listed) as "isListed", bool_or(e.read_at is not null) as "isRead",
      exists (
        select from reactions r where r.home = ${home} and r.user_id = ${userId} and r.message_id = e.message_id
          and r.device_id = 0 and r.opened_at is not null) as "isOpened",
      case when bool_or(e.has_copy)
        then array(select c.way from ${copiesFor(home, person, sql`e.message_id`)} c) else '{}' end as ways
    from ${selectInbox(home, person)} e where e.message_id = any(${int8Array(messageIds)}::bigint[])
    group by e.message_id order by e.message_id`.execute(tx)
  return rows
}

/** The first time of each act stays. */
export async function storeReactions(
  tx: Tx,
  userId: number,
  messageIds: readonly number[],
  acts: { readAt: Date; openedAt: Date | null; archivedAt: Date | null },
): Promise<void> {
  if (messageIds.length === 0) return
  const home = toHeardHome(tx, userId)
  await sql`
    insert into reactions as r (home, user_id, message_id, made_at, read_at, opened_at, archived_at)
    select ${home}, ${userId}::bigint, message_id, ${acts.readAt}::timestamptz, ${acts.readAt}::timestamptz,
      ${acts.openedAt}::timestamptz,
      ${acts.archivedAt}::timestamptz
    from unnest(${int8Array(messageIds)}::bigint[]) message_id
    on conflict (home, user_id, message_id, device_id) do update set read_at = coalesce(r.read_at, excluded.read_at),
      opened_at = coalesce(r.opened_at, excluded.opened_at),
        archived_at = coalesce(r.archived_at, excluded.archived_at)`.execute(tx)
}

/** All entries up to one are read from now on; false: the person has no such entry. */
export async function markReadUpTo(tx: Tx, userId: number, messageId: number, now: Date): Promise<boolean> {
  const home = toHeardHome(tx, userId)
  const { numAffectedRows = 0n } = await sql`
    insert into inbox_marks as k (home, user_id, read_up_to, read_message, read_at)
    select ${home}, ${userId}::bigint, made_at, message_id, ${now}::timestamptz
    from ${selectInbox(home, sql`${userId}::bigint`)} e where is_listed and message_id = ${messageId}
    on conflict (home, user_id) do update set read_at = excluded.read_at,
      read_up_to = greatest(k.read_up_to, excluded.read_up_to),
      read_message = case when (excluded.read_up_to, excluded.read_message) > (k.read_up_to, k.read_message)
        then excluded.read_message else k.read_message end`.execute(tx)
  return numAffectedRows > 0n
}

export async function markSeen(tx: Tx, userId: number, now: Date): Promise<void> {
  const home = toHeardHome(tx, userId)
  await sql`
    insert into inbox_marks as k (home, user_id, seen_up_to)
    select ${home}, ${userId}::bigint,
      coalesce((
        select max(made_at) from ${selectInbox(home, sql`${userId}::bigint`)} e where is_listed), ${now}::timestamptz)
    on conflict (home, user_id) do update set seen_up_to = greatest(k.seen_up_to, excluded.seen_up_to)`.execute(tx)
}

/** Lists those that are unread. A message to one person has no entry of many. */
export async function listUnreadAbout(tx: Db | Tx, userId: number, subject: string): Promise<number[]> {
  const home = toHeardHome(tx, userId)
  const { rows } = await sql<{ message_id: number }>`
    select e.message_id from ${messagesIn(tx, home)} m
    join entries e on e.home = ${home} and e.user_id = ${userId} and e.message_id = m.message_id
    where m.recipient_id = ${userId} and m.subject = ${subject} and ${isUnread(home)}`.execute(tx)
  return rows.map((row) => row.message_id)
}

/** The first time counts; false when the user has no such notification. */
export async function markOnDevice(tx: Tx, copy: CopyOfUser, event: DeviceEvent, now: Date): Promise<boolean> {
  const { notificationId, userId } = copy
  const home = toHeardHome(tx, userId)
  const column = sql.ref(event === 'shown' ? 'shown_at' : 'dismissed_at')
  const { numAffectedRows = 0n } = await sql`
    insert into reactions as r (home, user_id, message_id, device_id, made_at, ${column})
    select ${home}, c.user_id, c.message_id, c.mobile_devices_id, ${now}::timestamptz, ${now}::timestamptz
    from notifications c
    where c.home = ${home} and c.batch_id = ${Math.floor(notificationId / PLACES)}
      and c.notification_id = ${notificationId} and c.user_id = ${userId}
    on conflict (home, user_id, message_id, device_id)
      do update set ${column} = coalesce(r.${column}, excluded.${column})`.execute(tx)
  return numAffectedRows > 0n
}

/** Reactions are made after their messages, so they are deleted after them. */
export async function deleteReactions(db: Db, home: number, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from reactions where home = ${home} and ctid = any(array(
      select ctid from reactions r
      where r.home = ${home} and made_at < ${before} and ${wasOver(db, home, sql`r.message_id`, before)}
      limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}
