import * as words from '../../platform/shared/words.ts'
import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Moment, rangeIn, readRange, wordSearchIn, readSearch, readWords } from '../../platform/lists/listing.ts'
import { Words } from '../../platform/http/text.ts'
import { ACCOUNT } from '../../platform/people/account-fields.ts'
import type { UserFilter } from './users-list.queries.ts'
import type { UserRow } from './profile.queries.ts'
import type { FoundProfile } from './profile.ts'

const State = Type.Enum([...words.USER_STATUSES, 'deleted'])

const ITEM = {
  ...ACCOUNT,
  is_test_user: Type.Boolean(),
  city: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  email_verified: Type.Boolean(),
  last_active_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  version: Type.Integer(),
  counts: Type.Object({
    products: Type.Integer(),
    transactions: Type.Integer(),
    open_reports: Type.Integer({ description: 'Undecided reports about products of this user.' }),
    devices: Type.Integer(),
  }),
}

export const UserItem = Component('User', ITEM)

const DETAILS = {
  ...ITEM,
  phone: Nullable(Type.String()),
  status_reason: Nullable(Type.String()),
  suspended_until: Nullable(Timestamp),
  restorable_until: Nullable(Timestamp),
}

export const UserDetails = Component('UserDetails', DETAILS)

export const SUBSCRIPTION = {
  id: Type.Integer(),
  plan: Type.String(),
  status: Type.Enum(words.SUBSCRIPTION_STATUSES),
  provider: Type.Enum(words.STORES),
  started_at: Timestamp,
  current_period_end: Timestamp,
}

export const Profile = Component('UserProfile', {
  ...DETAILS,
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      device: Nullable(Type.String()),
      network: Nullable(Type.String({ description: 'From which it was opened: an IPv4 /24 or an IPv6 /48.' })),
      created_at: Timestamp,
      last_seen_at: Timestamp,
      expires_at: Timestamp,
    }),
  ),
  failed_sign_ins: Nullable(
    Type.Integer({
      description: 'Sign-ins since midnight (UTC) that failed or were refused; null where limits are off.',
    }),
  ),
  devices: Type.Array(
    Type.Object({ id: Type.Integer(), platform: Type.Enum(words.PLATFORMS), last_seen_at: Timestamp }),
  ),
  subscription: Nullable(Type.Object({ ...SUBSCRIPTION, cancelled_at: Nullable(Timestamp) })),
  history: Type.Array(
    Type.Object({
      from_state: Type.Union([State, Type.Null()]),
      to_state: State,
      actor: Type.Enum(words.ACTOR_KINDS),
      actor_id: Nullable(Type.Integer()),
      note: Nullable(Type.String()),
      at: Timestamp,
    }),
  ),
})

/** The list and the exports have these filters (decision C4). */
export const UserFilterQuery = {
  ...rangeIn('Accounts made'),
  search: wordSearchIn('username, email, name and digits of the phone number, accents aside'),
  status: Type.Optional(Words(words.USER_STATUSES)),
  role: Type.Optional(Words(words.ROLES)),
  email_verified: Type.Optional(Type.Boolean()),
  is_test_user: Type.Optional(Type.Boolean()),
  deleted: Type.Optional(Type.Enum(['exclude', 'only', 'include'])),
  last_active_from: Type.Optional(Moment),
  last_active_to: Type.Optional(Moment),
}

/** Bodies have these fields; several words are a list. */
export const UserFilterFields = {
  ...UserFilterQuery,
  status: Type.Optional(toListSchema(words.USER_STATUSES)),
  role: Type.Optional(toListSchema(words.ROLES)),
}

function toListSchema<Word extends string>(known: readonly Word[]) {
  return Type.Array(Type.Enum(known), { minItems: 1, maxItems: known.length })
}

const FilterQuery = Type.Object(UserFilterQuery)
const FilterFields = Type.Object(UserFilterFields)

/** 422 on invalid ones. */
export function readUserFilter(query: Static<typeof FilterQuery> | Static<typeof FilterFields>): UserFilter {
  const { from, to } = readRange(query)
  const lastActive = readRange(
    { start_date: query.last_active_from, end_date: query.last_active_to, timezone: query.timezone },
    { start: 'last_active_from', end: 'last_active_to' },
  )
  return {
    search: readSearch(query),
    statuses: readWords(query.status, words.USER_STATUSES),
    roles: readWords(query.role, words.ROLES),
    isEmailVerified: query.email_verified,
    isTestUser: query.is_test_user,
    deleted: query.deleted ?? 'exclude',
    from,
    to,
    lastActiveFrom: lastActive.from,
    lastActiveTo: lastActive.to,
  }
}

export function toItem(row: UserRow) {
  const { user_id: id, email_verified_at: verifiedAt, products, transactions, open_reports, devices } = row
  const counts = { products, transactions, open_reports, devices }
  return { ...pickFields(UserItem, row), id, email_verified: verifiedAt !== null, counts }
}

export function toDetails(row: UserRow) {
  return { ...toItem(row), ...pickFields(UserDetails, row), restorable_until: row.purge_after }
}

export function toProfile({ failedSignIns, ...row }: FoundProfile) {
  return {
    ...toDetails(row),
    sessions: row.sessions.map(inUtc),
    failed_sign_ins: failedSignIns ?? null,
    devices: row.seen.map(inUtc),
    subscription: row.subscription && inUtc(row.subscription),
    history: row.history.map(inUtc),
  }
}

/** The database writes times in JSON in its own time zone. */
function inUtc<Row extends object>(row: Row): Row {
  const times = Object.entries(row).filter(([name, value]) => /(?:^|_)at$|_end$/.test(name) && value !== null)
  return { ...row, ...Object.fromEntries(times.map(([name, at]) => [name, new Date(at as string).toISOString()])) }
}
