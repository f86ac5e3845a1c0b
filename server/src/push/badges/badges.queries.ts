import { sql, type RawBuilder } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import { must } from '../../platform/shared/must.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { atHome, countHomes, unlessAway } from '../../platform/db/homes.ts'
import { countUnread } from '../ledger/badge-counts.queries.ts'
import { blockSql, groupByHome, homeSql, placeSql } from '../records/home.queries.ts'

/** `version`: the time in milliseconds at which this badge, or one of the same block, changed last; 0: never. */
export type Badge = {
  userId: number
  version: number
  /** Unread entries of the inbox. */
  notifications: number
  /** Unread lines by swap. */
  chats: Record<string, number>
  /** Unread entries and lines together. */
  total: number
}

const BLOCK = sql.raw(blockSql('p.user_id'))
const PLACE = sql.raw(placeSql('p.user_id'))
const VERSION = { userId: 'bigint', version: 'bigint' } as const

type Chosen = { people: RawBuilder<unknown>; condition: RawBuilder<unknown> }

/** Badges of people `p` of a home, in the order of `n`. Chats are read apart, because they are not in homes (ADR 2). */
async function readBadges(db: Db, home: number, { people, condition }: Chosen): Promise<Badge[]> {
  const held = sql<Omit<Badge, 'chats'>>`
    select p.n, p.user_id as "userId", coalesce(extract(epoch from u.changed_at) * 1000, 0)::bigint as version,
      coalesce(u.entries[${PLACE} + 1], 0) as notifications,
      coalesce(u.entries[${PLACE} + 1] + u.lines[${PLACE} + 1], 0) as total
    from ${people} left join unread u on u.home = ${home} and u.block = ${BLOCK}
    where ${condition}`
  if (countHomes(db) > 1)
    return withChats(
      db,
      (await atHome(db, home, (own) => sql<Omit<Badge, 'chats'>>`${held} order by n`.execute(own))).rows,
    )
  const { rows } = await sql<Badge>`
    with held as materialized (${held})
    select h."userId", h.version, h.notifications, c.chats, h.total
    from held h cross join lateral (
      select coalesce(jsonb_object_agg(swap_id, unread), '{}') as chats from chat_sides
      where user_id = h."userId" and unread > 0) c
    order by h.n`.execute(db)
  return rows
}

async function withChats(db: Db, held: Omit<Badge, 'chats'>[]): Promise<Badge[]> {
  const { rows } = await sql<{ user_id: number; chats: Badge['chats'] }>`
    select user_id, jsonb_object_agg(swap_id, unread) as chats from chat_sides
    where user_id = any(${int8Array(held.map(({ userId }) => userId))}::bigint[]) and unread > 0 group by user_id`.execute(
    db,
  )
  const chats = new Map(rows.map((row) => [row.user_id, row.chats]))
  return held.map(({ userId, version, notifications, total }) => ({
    userId,
    version,
    notifications,
    chats: chats.get(userId) ?? {},
    total,
  }))
}

/** They are in the order of `userIds`, in which a person may stand several times. */
export async function listBadges(db: Db, userIds: readonly number[]): Promise<Badge[]> {
  const badges: Badge[] = []
  for (const [home, own] of groupByHome(db, userIds, (userId) => userId)) {
    const people = sql`unnest(${int8Array(own)}::bigint[]) with ordinality p(user_id, n)`
    badges.push(...(await readBadges(db, home, { people, condition: sql`true` })))
  }
  const byUser = new Map(badges.map((badge) => [badge.userId, badge]))
  return userIds.map((userId) => must(byUser.get(userId), 'badge of a person'))
}

/** Lists badges that changed after the known version, without those of a home whose server is away. */
export async function listNewerBadges(db: Db, known: readonly { userId: number; version: number }[]): Promise<Badge[]> {
  const badges: Badge[] = []
  const condition = sql`u.changed_at > to_timestamp(p.version / 1000.0)`
  for (const [home, own] of groupByHome(db, known, ({ userId }) => userId)) {
    const people = sql`${asRows(own, VERSION)} with ordinality p(user_id, version, n)`
    badges.push(...(await unlessAway(db, readBadges(db, home, { people, condition }), [])))
  }
  return badges
}

/** Who has unread lines in a chat with one of these people. */
export async function listChatPartners(tx: Tx, userIds: readonly number[]): Promise<number[]> {
  const ids = int8Array(userIds)
  const { rows } = await sql<{ user_id: number }>`
    select distinct c.user_id
    from swaps s join chat_sides c on c.swap_id = s.swap_id and c.unread > 0
    where s.requester_id = any(${ids}::bigint[]) or s.owner_id = any(${ids}::bigint[])`.execute(tx)
  return rows.map((row) => row.user_id)
}

/** `isRight`: as its rows say. `isDue`: the realtime database will hear it. `isWritten`: it has heard something. */
export type CheckedBadge = Badge & { isRight: boolean; isDue: boolean; isWritten: boolean }

/** `last` is null at the end. Counts and rows are read apart: what differs is to be counted again under a lock. */
export async function checkBadgesAfter(
  tx: Db | Tx,
  after: number,
  limit: number,
): Promise<{ last: number | null; badges: CheckedBadge[] }> {
  const { rows } = await sql<{ userId: number; isDue: boolean; isWritten: boolean }>`
    select p.user_id as "userId",
      n.due_at is not null or coalesce(get_bit(u.unwritten, ${PLACE}) = 1, false) as "isDue",
      coalesce(n.written_version > 0, false) as "isWritten"
    from (select user_id from users where user_id > ${after} order by user_id limit ${limit}) p
    left join badge_nodes n on n.user_id = p.user_id
    left join unread u on u.home = ${homeSql(tx, 'p.user_id')} and u.block = ${BLOCK}
    order by p.user_id`.execute(tx)
  const userIds = rows.map(({ userId }) => userId)
  const counted = new Map((await countUnread(tx, userIds)).map((one) => [one.userId, one]))
  const badges = await listBadges(tx, userIds)
  return {
    last: userIds.at(-1) ?? null,
    badges: badges.map((badge, n) => {
      const { entries, lines } = counted.get(badge.userId) ?? { entries: 0, lines: 0 }
      const { isDue = false, isWritten = false } = rows[n] ?? {}
      return { ...badge, isDue, isWritten, isRight: badge.notifications === entries && badge.total === entries + lines }
    }),
  }
}
