import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import { notBlocked } from '../../identity/blocks/blocks.queries.ts'

export type PublicRow = PersonRow & { created_at: Date; products: number; completed_swaps: number }

export async function findPublicPage(db: Db, viewerId: number, userId: number): Promise<PublicRow | undefined> {
  const { rows } = await sql<PublicRow>`
    select u.user_id, u.username, u.name, u.avatar_url, u.city, u.created_at,
      (select count(*) from listings l where l.user_id = u.user_id and l.is_listed) as products,
      (select count(*) from swaps s where s.requester_id = u.user_id and s.status = 'completed')
        + (select count(*) from swaps s where s.owner_id = u.user_id and s.status = 'completed') as completed_swaps
    from users u
    where u.user_id = ${userId} and u.status = 'active' and u.deleted_at is null
      and ${notBlocked(viewerId, sql`u.user_id`)}`.execute(db)
  return rows[0]
}
