import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PersonRow } from '../../platform/people/person.ts'

// What a block hides (decision E), each from the other: products, in lists, likes and pages; the groups that one owns,
// and the other among members; proposals, counter-proposals, acceptances and messages; pushes about one another.
// `server/test/blocked.test.ts` walks all routes of the app.

/** It looks at blocks in either direction. */
export async function areBlocked(db: Db | Tx, [userId, otherId]: readonly [number, number]): Promise<boolean> {
  const { rows } = await sql`select where not ${notBlocked(userId, sql`${otherId}`)}`.execute(db)
  return rows.length > 0
}

/** An account as JSON for a viewer; null when it is gone or has blocked them. `account`: its alias in the query. */
export function selectVisiblePerson(viewerId: number, account: string): RawBuilder<PersonRow | null> {
  const u = (column: string) => sql.ref(`${account}.${column}`)
  return sql<PersonRow | null>`
    case when ${u('user_id')} is not null and not exists (
        select from user_blocks ub where ub.blocker_id = ${u('user_id')} and ub.blocked_id = ${viewerId})
      then json_build_object('user_id', ${u('user_id')}, 'username', ${u('username')}, 'name', ${u('name')},
        'avatar_url', ${u('avatar_url')}, 'city', ${u('city')}) end`
}

export function notBlocked(one: RawBuilder<unknown> | number, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(not exists (
      select from user_blocks ub where ub.blocker_id = ${one} and ub.blocked_id = ${other})
    and not exists (
      select from user_blocks ub where ub.blocker_id = ${other} and ub.blocked_id = ${one}))`
}
