import { sql, type RawBuilder } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { BULK_BLOCKS, valuesOr } from '../records/home.queries.ts'
import { wasOver } from '../records/old-messages.queries.ts'

/**
 * `isBulk`: of a send to everyone, whose people are kept as a bit each. `isListed`: the inbox shows it; false with a
 * copy: of a chat line, or made after the entry.
 */
export type NewEntry = { userId: number; messageId: number; isBulk: boolean; isListed: boolean; hasCopy: boolean }

type Placed = NewEntry & { microsBefore: number }

/** Entries of several messages are a microsecond apart, in the order of the messages; the last have the time `at`. */
export async function insertEntries(tx: Tx, home: number, entries: readonly NewEntry[], at: Date): Promise<void> {
  const order = new Map(
    [...new Set(entries.map(({ messageId }) => messageId))].toReversed().map((id, microsBefore) => [id, microsBefore]),
  )
  const placed = entries.map((entry): Placed => ({ ...entry, microsBefore: order.get(entry.messageId) ?? 0 }))
  const single = placed.filter(({ isBulk }) => !isBulk)
  const columns = {
    userId: 'bigint',
    messageId: 'bigint',
    isListed: 'boolean',
    hasCopy: 'boolean',
    microsBefore: 'int',
  } as const
  if (single.length > 0)
    await sql`
      insert into entries (home, user_id, message_id, made_at, is_listed, has_copy)
      ${valuesOr(
        sql`
          select ${home}, user_id, message_id, ${madeAt(at, sql`micros_before`)}, is_listed, has_copy
          from ${asRows(single, columns)} as r(user_id, message_id, is_listed, has_copy, micros_before)`,
        tx,
        single,
        ({ userId, messageId, isListed, hasCopy, microsBefore }) => sql`
          (${home}, ${userId}, ${messageId}, ${madeAt(at, sql`${microsBefore}::int`)}, ${isListed}, ${hasCopy})`,
      )}
      on conflict (home, user_id, message_id) do update set has_copy = true`.execute(tx)
  const blocks = buildMasks(placed.filter(({ isBulk }) => isBulk))
  const ofBlock = {
    block: 'bigint',
    messageId: 'bigint',
    members: 'text',
    reached: 'text',
    microsBefore: 'int',
  } as const
  if (blocks.length > 0)
    await sql`
      insert into bulk_entries (home, block, message_id, made_at, members, reached)
      ${valuesOr(
        sql`
          select ${home}, block, message_id, ${madeAt(at, sql`micros_before`)}, decode(members, 'hex'),
            decode(reached, 'hex')
          from ${asRows(blocks, ofBlock)} as r(block, message_id, members, reached, micros_before)`,
        tx,
        blocks,
        ({ block, messageId, members, reached, microsBefore }) => sql`
          (${home}, ${block}, ${messageId}, ${madeAt(at, sql`${microsBefore}::int`)}, decode(${members}, 'hex'),
            decode(${reached}, 'hex'))`,
      )}`.execute(tx)
}

function madeAt(at: Date, microsBefore: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`${at}::timestamptz - ${microsBefore} * interval '1 microsecond'`
}

function buildMasks(entries: readonly Placed[]) {
  const masks = new Map<
    string,
    { block: number; messageId: number; microsBefore: number; members: Buffer; reached: Buffer }
  >()
  for (const { userId, messageId, microsBefore, isListed, hasCopy } of entries) {
    const block = BULK_BLOCKS.toBlock(userId)
    const place = BULK_BLOCKS.toPlace(userId)
    const key = `${messageId} ${block}`
    const held = masks.get(key) ?? {
      block,
      messageId,
      microsBefore,
      members: Buffer.alloc(BULK_BLOCKS.size / 8),
      reached: Buffer.alloc(BULK_BLOCKS.size / 8),
    }
    masks.set(key, held)
    if (isListed) setBit(held.members, place)
    if (hasCopy) setBit(held.reached, place)
  }
  return Array.from(masks.values(), ({ members, reached, ...block }) => ({
    ...block,
    members: members.toString('hex'),
    reached: reached.toString('hex'),
  }))
}

/** PostgreSQL numbers the bits of a `bytea` so. */
function setBit(mask: Buffer, bit: number): void {
  mask[bit >> 3] = (mask[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** Of named users, made before a moment: where they lie, and whose they are. */
export async function listOldEntries(
  tx: Tx,
  home: number,
  before: Date,
  limit: number,
): Promise<{ at: string; userId: number }[]> {
  const { rows } = await sql<{ at: string; userId: number }>`
    select ctid::text as at, user_id as "userId" from entries e
    where e.home = ${home} and made_at < ${before} and ${wasOver(tx, home, sql`e.message_id`, before)} limit ${limit}`.execute(
    tx,
  )
  return rows
}

export type UnreadGone = { userId: number; unread: number }

/**
 * Gives how many of the deleted were unread, by user. Their unread blocks are locked. Entries that a purge holds stay,
 * and so do those that are not from before the moment.
 */
export async function deleteEntries(tx: Tx, home: number, at: string[], before: Date): Promise<UnreadGone[]> {
  const { rows } = await sql<UnreadGone>`
    with gone as (
      delete from entries where home = ${home} and ctid = any(array(
        select ctid from entries where home = ${home} and ctid = any(${at}::tid[]) and made_at < ${before}
        for update skip locked))
      returning user_id, message_id, made_at, is_listed)
    select user_id as "userId", count(*)::int as unread from gone e where is_listed and ${isUnread(home)}
    group by user_id`.execute(tx)
  return rows
}

export type OldBlocks = { from: number; before: Date; limit: number }

/** Entries of blocks, from one on, in their order, so that those of few people go together. */
export async function listOldBulkEntries(
  tx: Tx,
  home: number,
  { from, before, limit }: OldBlocks,
): Promise<{ at: string; block: number }[]> {
  const { rows } = await sql<{ at: string; block: number }>`
    select ctid::text as at, block from bulk_entries e
    where e.home = ${home} and block >= ${from} and made_at < ${before} and ${wasOver(tx, home, sql`e.message_id`, before)}
    order by block, made_at limit ${limit}`.execute(tx)
  return rows
}

/**
 * As `deleteEntries`. What these people read of them is one set, which `not in` hashes: a look for each entry took five
 * times as long, and a join depends on what the planner knows of the masks.
 */
export async function deleteBulkEntries(
  tx: Tx,
  home: number,
  old: { at: string; block: number }[],
  before: Date,
): Promise<UnreadGone[]> {
  const blocks = old.map(({ block }) => block)
  const first = Math.min(...blocks) * BULK_BLOCKS.size
  const last = (Math.max(...blocks) + 1) * BULK_BLOCKS.size - 1
  const { rows } = await sql<UnreadGone>`
    with gone as (
      delete from bulk_entries where home = ${home} and ctid = any(array(
        select ctid from bulk_entries
        where home = ${home} and ctid = any(${old.map(({ at }) => at)}::tid[]) and made_at < ${before}
        for update skip locked))
      returning block, message_id, made_at, members),
    people as (
      select block, n as place, block * ${BULK_BLOCKS.size}::int + n as user_id
      from (select distinct block from gone) b cross join generate_series(0, ${BULK_BLOCKS.size - 1}::int) n)
    select p.user_id as "userId", count(*)::int as unread
    from people p
    left join inbox_marks k on k.home = ${home} and k.user_id = p.user_id
    join gone e on e.block = p.block and get_bit(e.members, p.place) = 1
    where (k.user_id is null or (e.made_at, e.message_id) > (k.read_up_to, k.read_message))
      and (p.user_id, e.message_id) not in (
        select r.user_id, r.message_id from reactions r
        where r.home = ${home} and r.user_id between ${first}::bigint and ${last}::bigint and r.device_id = 0
          and r.message_id between (select min(message_id) from gone) and (select max(message_id) from gone)
          and r.read_at is not null)
    group by p.user_id`.execute(tx)
  return rows
}

/** Takes entries of a message out of the inbox: what they told is not true any more. Gives whose were unread. */
export async function voidEntries(
  tx: Tx,
  home: number,
  messageId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with gone as (
      update entries set is_listed = false
      where home = ${home} and message_id = ${messageId} and user_id = any(${int8Array(userIds)}::bigint[])
        and is_listed
      returning user_id, message_id, made_at)
    select user_id from gone e where ${isUnread(home)}`.execute(tx)
  return rows.map((row) => row.user_id)
}

/** The condition is about an entry `e`. */
export function isUnread(home: number) {
  return sql`
    not exists (
      select from reactions r
      where r.home = ${home} and r.user_id = e.user_id and r.message_id = e.message_id and r.device_id = 0
        and r.read_at is not null)
    and not exists (
      select from inbox_marks k where k.home = ${home} and k.user_id = e.user_id
        and (e.made_at, e.message_id) <= (k.read_up_to, k.read_message))`
}
