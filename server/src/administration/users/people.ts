import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { SearchReach } from '../../platform/lists/pattern.ts'
import { seesContact } from '../../platform/rights/permissions.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { findUsers } from './users-list.queries.ts'

const PEOPLE_MAX = 1_000

/**
 * Gives the ids of people, deleted ones too (decision A5); undefined without a search. A role that may not see
 * addresses finds people by their names alone. 422 when they are more than 1,000: the lists behind them would be read
 * from end to end.
 */
export async function peopleMatching(
  source: ListSource,
  role: Role,
  search: string | undefined,
): Promise<{ ids: number[]; reach: SearchReach | undefined } | undefined> {
  if (search === undefined) return undefined
  const page = { perPage: PEOPLE_MAX + 1, offset: 0, by: 'id', direction: 'desc' } as const
  const { ids, reach } = await findUsers(
    source,
    { deleted: 'include', search, named: seesContact(role) ? undefined : search },
    page,
  )
  if (ids.length > PEOPLE_MAX)
    throw errors.validation({ search: [`finds more than ${PEOPLE_MAX} people: be more specific`] })
  return { ids, reach }
}
