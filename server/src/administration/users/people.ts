import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { SearchReach } from '../../platform/lists/pattern.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findUsers } from './users-list.queries.ts'

const PEOPLE_MAX = 1_000

type People = { ids: number[]; reach: SearchReach | undefined }

/** Deleted ones too (decision A5); undefined without a search. 422 when they are more than 1,000: the lists behind
 * them would be read from end to end. */
export async function peopleMatching(source: ListSource, search: string | undefined): Promise<People | undefined> {
  if (search === undefined) return undefined
  const page = { perPage: PEOPLE_MAX + 1, offset: 0, by: 'id', direction: 'desc' } as const
  const { ids, reach } = await findUsers(source, { deleted: 'include', search }, page)
  if (ids.length > PEOPLE_MAX)
    throw errors.validation({ search: [`finds more than ${PEOPLE_MAX} people: be more specific`] })
  return { ids, reach }
}
