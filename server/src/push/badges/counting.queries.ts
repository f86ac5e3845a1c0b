import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'

export type BadgeCounts = {
  userId: number
  /** Messages with an unread notification; the `unread_count` of the inbox. */
  notifications: number
  /** Unread lines by swap. */
  chats: Record<string, number>
  /** Unread notifications that are not about a chat line, and unread lines. */
  total: number
}

/** For a `with`: the one definition of a badge. By index: joined with all users at once it was 20 times slower. */
export function countedBadges(users: RawBuilder<unknown>) {
  return sql`
    listed as materialized (select distinct user_id from (${users}) named(user_id)),
    counted as materialized (
      select l.user_id, u.notifications, coalesce(c.chats, '{}') as chats,
        u.notifications - u.about_chats + coalesce(c.lines, 0) as total
      from listed l
      cross join lateral (
        select count(*)::int as notifications,
          (count(*) filter (
            where (select m.is_chat from messages m where m.message_id = n.message_id)))::int as about_chats
        from (
          select e.message_id from entries_of(l.user_id) e
          where not exists (
            select from reactions r
            where r.home = 0 and r.user_id = l.user_id and r.message_id = e.message_id and r.device_id = 0)) n) u
      cross join lateral (
        select sum(unread)::int as lines, jsonb_object_agg(swap_id, unread) as chats
        from chat_sides where user_id = l.user_id and unread > 0) c)`
}

export async function countBadges(db: Db | Tx, userIds: readonly number[]): Promise<BadgeCounts[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<BadgeCounts>`
    with ${countedBadges(listOf(userIds))}
    select user_id as "userId", notifications, chats, total from counted`.execute(db)
  return rows
}

export function listOf(userIds: readonly number[]): RawBuilder<unknown> {
  return sql`select unnest(${int8Array(userIds)}::bigint[])`
}
