import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { HOME } from '../records/home.queries.ts'
import { countUnread } from '../ledger/unread.queries.ts'
import { listBadges, type Badge } from './badges.queries.ts'

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
      n.due_at is not null or coalesce(get_bit(u.unwritten, (p.user_id & 63)::int) = 1, false) as "isDue",
      coalesce(n.written_version > 0, false) as "isWritten"
    from (select user_id from users where user_id > ${after} order by user_id limit ${limit}) p
    left join badge_nodes n on n.user_id = p.user_id
    left join unread u on u.home = ${HOME} and u.block = p.user_id >> 6
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
