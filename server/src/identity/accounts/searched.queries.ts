import { sql, type RawBuilder } from 'kysely'
import { joinedContains, reachOf, type SearchedFields } from '../../platform/lists/pattern.ts'

/** Joined as in its index. */
export const SEARCHED: SearchedFields = {
  index: 'users_search',
  joined: sql`(' ' || u.username || ' ' || u.email || ' ' || u.name)`,
  fields: [sql`u.username`, sql`u.email`, sql`u.name`],
}

/** What all users fulfil of whom some field holds a text, if the index decides it: for a condition on one field. */
export function byUsersIndex(text: string): RawBuilder<boolean>[] {
  return reachOf(text) === 'anywhere' ? [joinedContains(SEARCHED, text, 'anywhere')] : []
}
