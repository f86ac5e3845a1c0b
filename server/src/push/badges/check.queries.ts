import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Badge } from './badges.queries.ts'
import { countedBadges } from './counting.queries.ts'

/** `never`: the badge was never stored. `isWritten`: the realtime database has this version, as far as is known. */
export type CheckedBadge = Badge & { finding: 'right' | 'wrong' | 'never'; isWritten: boolean; isDue: boolean }

/** A change and its mark are one transaction, so a difference without a mark is an error. `last` is null at the end. */
export async function checkBadgesAfter(
  db: Db | Tx,
  after: number,
  limit: number,
): Promise<{ last: number | null; badges: CheckedBadge[] }> {
  const { rows } = await sql<CheckedBadge & { isMarked: boolean }>`
    with people as materialized (select user_id from users where user_id > ${after} order by user_id limit ${limit}),
    ${countedBadges(sql`select user_id from people`)},
    marked as materialized (select distinct unnest(user_ids) as user_id from badge_marks)
    select c.user_id as "userId", coalesce(b.version, 0) as version, c.notifications, c.chats, c.total,
      case when b.user_id is null then 'never'
        when (b.notifications, b.total, b.chats) is distinct from (c.notifications, c.total, c.chats) then 'wrong'
        else 'right' end as finding,
      coalesce(b.written_version = b.version, false) as "isWritten", b.write_due_at is not null as "isDue",
      m.user_id is not null as "isMarked"
    from counted c
    left join badges b on b.user_id = c.user_id
    left join marked m on m.user_id = c.user_id
    order by c.user_id`.execute(db)
  return { last: rows.at(-1)?.userId ?? null, badges: rows.filter(({ isMarked }) => !isMarked) }
}
