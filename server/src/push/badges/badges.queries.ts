import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countUnread } from '../ledger/badge-counts.queries.ts'
import { blockSql, HOME, placeSql } from '../records/home.queries.ts'

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

/** The joins of a query over people `p`, for `COLUMNS`. */
const BADGE = sql`
  cross join lateral (select ${PLACE} + 1 as place) at
  left join unread u on u.home = ${HOME} and u.block = ${BLOCK}
  cross join lateral (
    select coalesce(jsonb_object_agg(swap_id, unread), '{}') as chats from chat_sides
    where user_id = p.user_id and unread > 0) c`
const COLUMNS = sql`
  p.user_id as "userId", coalesce(extract(epoch from u.changed_at) * 1000, 0)::bigint as version,
  coalesce(u.entries[at.place], 0) as notifications, c.chats,
  coalesce(u.entries[at.place] + u.lines[at.place], 0) as total`

/** They are in the order of `userIds`. */
export async function listBadges(db: Db, userIds: readonly number[]): Promise<Badge[]> {
  const { rows } = await sql<Badge>`
    select ${COLUMNS} from unnest(${int8Array(userIds)}::bigint[]) with ordinality p(user_id, n) ${BADGE}
    order by p.n`.execute(db)
  return rows
}

export async function listNewerBadges(db: Db, known: readonly { userId: number; version: number }[]): Promise<Badge[]> {
  if (known.length === 0) return []
  const { rows } = await sql<Badge>`
    select ${COLUMNS} from ${asRows(known, VERSION)} p(user_id, version) ${BADGE}
    where u.changed_at > to_timestamp(p.version / 1000.0)`.execute(db)
  return rows
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
    left join unread u on u.home = ${HOME} and u.block = ${BLOCK}
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
