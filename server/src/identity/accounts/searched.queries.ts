import { sql, type RawBuilder } from 'kysely'
import { joinedContains, reachOf, type SearchedFields } from '../../platform/lists/pattern.ts'

/** What a search of `users u` looks into; joined as in the index `users_search`. */
export const SEARCHED: SearchedFields = {
  joined: sql`(' ' || u.username || ' ' || u.email || ' ' || u.name)`,
  fields: [sql`u.username`, sql`u.email`, sql`u.name`],
}

/**
 * What every user fulfils of whom some field holds a text, where the index can decide it: for a condition on one field.
 */
export function byUsersIndex(text: string): RawBuilder<boolean>[] {
  return reachOf(text) === 'anywhere' ? [joinedContains(SEARCHED, text, 'anywhere')] : []
}
