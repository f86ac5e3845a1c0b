import { Type, type Static } from 'typebox'
import { Moment, rangeIn, rangeOf, wordSearchIn, searchOf, wordsOf } from '../../platform/lists/listing.ts'
import { Words } from '../../platform/http/text.ts'
import type { UserFilter } from './users-filter.queries.ts'
import { ROLES } from '../../platform/rights/permissions.ts'
import { STATUSES } from './users.views.ts'

/** The list and the exports have these filters (decision C4). */
export const UserFilterQuery = {
  ...rangeIn('Accounts made'),
  search: wordSearchIn('username, email, name and digits of the phone number, accents aside'),
  status: Type.Optional(Words(STATUSES)),
  role: Type.Optional(Words(ROLES)),
  email_verified: Type.Optional(Type.Boolean()),
  is_test_user: Type.Optional(Type.Boolean()),
  deleted: Type.Optional(Type.Enum(['exclude', 'only', 'include'])),
  last_active_from: Type.Optional(Moment),
  last_active_to: Type.Optional(Moment),
}

/** Bodies have these fields; several words are a list. */
export const UserFilterFields = {
  ...UserFilterQuery,
  status: Type.Optional(listOf(STATUSES)),
  role: Type.Optional(listOf(ROLES)),
}

function listOf<Word extends string>(words: readonly Word[]) {
  return Type.Array(Type.Enum([...words]), { minItems: 1, maxItems: words.length })
}

const FilterQuery = Type.Object(UserFilterQuery)
const FilterFields = Type.Object(UserFilterFields)

/** 422 on invalid ones. */
export function userFilterOf(query: Static<typeof FilterQuery> | Static<typeof FilterFields>): UserFilter {
  const { from, to } = rangeOf(query)
  const lastActive = rangeOf(
    { start_date: query.last_active_from, end_date: query.last_active_to, timezone: query.timezone },
    { start: 'last_active_from', end: 'last_active_to' },
  )
  return {
    search: searchOf(query),
    statuses: wordsOf(query.status, STATUSES),
    roles: wordsOf(query.role, ROLES),
    isEmailVerified: query.email_verified,
    isTestUser: query.is_test_user,
    deleted: query.deleted ?? 'exclude',
    from,
    to,
    lastActiveFrom: lastActive.from,
    lastActiveTo: lastActive.to,
  }
}
