import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { BLOCK_SIZE, blockSql, groupByHome, homeSql, placeSql } from '../records/home.queries.ts'
import { selectInbox } from './person.queries.ts'

const BLOCK = sql.raw(blockSql('p.user_id'))
const PLACE = sql.raw(placeSql('p.user_id'))

export type UnreadBlock = { block: number; entries: number[]; lines: number[]; changedAt: Date }

/**
 * Locks those of a home in the order of blocks, and makes those that are missing. Nothing is locked before all are
 * there: else two transactions that meet new blocks could wait for one another.
 */
export async function lockBlocks(tx: Tx, home: number, blocks: readonly number[], now: Date): Promise<UnreadBlock[]> {
  const held = await selectForUpdate(tx, home, blocks)
  if (held.length === blocks.length) return held
  await sql`
    insert into unread (home, block, entries, lines, changed_at)
    select ${home}, block, array_fill(0, array[${BLOCK_SIZE}::int]), array_fill(0, array[${BLOCK_SIZE}::int]),
      ${now}::timestamptz
    from unnest(${int8Array(blocks)}::bigint[]) block
    order by block
    on conflict (home, block) do update set changed_at = unread.changed_at`.execute(tx)
  return selectForUpdate(tx, home, blocks)
}

/** Gives all of them, or none and locks nothing where one is missing. */
async function selectForUpdate(tx: Tx, home: number, blocks: readonly number[]): Promise<UnreadBlock[]> {
  const wanted = sql`any(${int8Array(blocks)}::bigint[])`
  const { rows } = await sql<UnreadBlock>`
    select block, entries, lines, changed_at as "changedAt" from unread
    where home = ${home} and block = ${wanted}
      and (select count(*) from unread where home = ${home} and block = ${wanted}) = ${blocks.length}
    order by block for update`.execute(tx)
  return rows
}

/** `unwritten`: whose badges the realtime database has to hear, as bits. They are locked. */
export async function storeBlocks(
  tx: Tx,
  home: number,
  blocks: readonly (UnreadBlock & { unwritten: string })[],
  at: Date,
): Promise<void> {
  await sql`
    update unread u set entries = r.entries, lines = r.lines, changed_at = ${at}, unwritten = u.unwritten | r.unwritten
    from (
      select block, entries::integer[], lines::integer[], unwritten::bit(${sql.lit(BLOCK_SIZE)})
      from unnest(${int8Array(blocks.map(({ block }) => block))}::bigint[],
        ${blocks.map(({ entries }) => int8Array(entries))}::text[],
        ${blocks.map(({ lines }) => int8Array(lines))}::text[], ${blocks.map(({ unwritten }) => unwritten)}::text[])
        as b(block, entries, lines, unwritten)
      offset 0) r
    where u.home = ${home} and u.block = r.block`.execute(tx)
}

/** Finds whose badges the realtime database has to hear, in up to `limit` blocks, and marks these as told. */
export async function takeUnwritten(tx: Tx, home: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ block: number; unwritten: string }>`
    with changed as materialized (
      select block, unwritten from unread where home = ${home} and unwritten <> 0::bit(64)
      order by block limit ${limit} for update skip locked),
    heard as (update unread u set unwritten = 0::bit(64) from changed c where u.home = ${home} and u.block = c.block)
    select block, unwritten::text from changed`.execute(tx)
  return rows.flatMap(({ block, unwritten }) =>
    Array.from(unwritten, (bit, place) => (bit === '1' ? [block * BLOCK_SIZE + place] : [])).flat(),
  )
}

/** They are to be heard after all. All are of the home. */
export async function markUnwritten(tx: Tx, home: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    update unread u set unwritten = u.unwritten | r.unwritten
    from (
      select ${BLOCK} as block, bit_or(set_bit(0::bit(${sql.lit(BLOCK_SIZE)}), ${PLACE}, 1)) as unwritten
      from unnest(${int8Array(userIds)}::bigint[]) p(user_id) group by 1) r
    where u.home = ${home} and u.block = r.block`.execute(tx)
}

export type Counted = { userId: number; entries: number; lines: number }

/** Counts the rows themselves, home by home. */
export async function countUnread(db: Db | Tx, userIds: readonly number[]): Promise<Counted[]> {
  const counted: Counted[] = []
  for (const [home, own] of groupByHome(db, userIds, (userId) => userId)) {
    const { rows } = await sql<Counted>`
      with chats as materialized (
        select user_id, sum(unread)::int as lines from chat_sides
        where user_id = any(${int8Array(own)}::bigint[]) and unread > 0 group by user_id)
      select p.user_id as "userId", (
          select count(*)::int from ${selectInbox(home, sql`p.user_id`)} e
          where e.is_listed and e.read_at is null) as entries,
        coalesce(c.lines, 0) as lines
      from unnest(${int8Array(own)}::bigint[]) p(user_id) left join chats c on c.user_id = p.user_id`.execute(db)
    counted.push(...rows)
  }
  return counted
}

/**
 * Their home is away: they are counted when it is back. Until the commit nobody else counts them, and lines to one
 * person in several chats wait for each other. Only a divided database has this table.
 */
export async function holdRecount(tx: Tx, userId: number): Promise<void> {
  await sql`
    insert into held_recounts (user_id) values (${userId})
    on conflict (user_id) do update set user_id = excluded.user_id`.execute(tx)
}

/** Whether the person waited to be counted. The caller counts. */
export async function endHeldRecount(tx: Tx, userId: number): Promise<boolean> {
  if (countHomes(tx) === 1) return false
  const { numAffectedRows = 0n } = await sql`delete from held_recounts where user_id = ${userId}`.execute(tx)
  return numAffectedRows > 0n
}

/** Takes people of a home who are to be counted; the caller does. */
export async function takeHeldRecounts(tx: Tx, home: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with held as materialized (
      select user_id from held_recounts where ${homeSql(tx, 'user_id')} = ${home}
      order by user_id limit ${limit} for update skip locked)
    delete from held_recounts where user_id in (select user_id from held) returning user_id`.execute(tx)
  return rows.map((row) => row.user_id)
}

/** The total of each, who are of a home: unread entries and lines. */
export async function readTotals(db: Db | Tx, home: number, userIds: readonly number[]): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<{ user_id: number; total: number }>`
    select p.user_id, coalesce(u.entries[${PLACE} + 1] + u.lines[${PLACE} + 1], 0) as total
    from unnest(${int8Array(userIds)}::bigint[]) p(user_id)
    left join unread u on u.home = ${home} and u.block = ${BLOCK}`.execute(db)
  return new Map(rows.map(({ user_id, total }) => [user_id, total]))
}
