import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { HOME } from '../records/home.queries.ts'

/** `version`: the time in milliseconds at which this badge, or one of the same block, changed last; 0: never. */
export type Badge = {
  userId: number
  version: number
  /** Unread entries of the inbox. */
  notifications: number
  /** Unread lines by swap. */
  chats: Record<string, number>
  /** Both. */
  total: number
}

const VERSION = { userId: 'bigint', version: 'bigint' } as const

/** The joins of a query over people `p`, for `COLUMNS`. */
const BADGE = sql`
  cross join lateral (select (p.user_id & 63)::int + 1 as place) at
  left join unread u on u.home = ${HOME} and u.block = p.user_id >> 6
  cross join lateral (
    select coalesce(jsonb_object_agg(swap_id, unread), '{}') as chats from chat_sides
    where user_id = p.user_id and unread > 0) c`
const COLUMNS = sql`
  p.user_id as "userId", coalesce(extract(epoch from u.changed_at) * 1000, 0)::bigint as version,
  coalesce(u.entries[at.place], 0) as notifications, c.chats, coalesce(u.entries[at.place] + u.lines[at.place], 0) as total`

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
