import { PLATFORMS } from '../../platform/shared/words.ts'
import { ROLES } from '../../platform/rights/permissions.ts'
import { Type } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'

export const STATUSES = ['active', 'inactive', 'suspended', 'banned'] as const
const State = Type.Enum([...STATUSES, 'deleted'])

const ITEM = {
  id: Type.Integer(),
  user_id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...ROLES]),
  status: Type.Enum([...STATUSES]),
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
    Type.Object({ id: Type.Integer(), platform: Type.Enum([...PLATFORMS]), last_seen_at: Timestamp }),
  ),
  subscription: Nullable(
    Type.Object({
      id: Type.Integer(),
      plan: Type.String(),
      status: Type.Enum(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
      provider: Type.Enum(['app_store', 'play_store', 'stripe', 'manual']),
      started_at: Timestamp,
      current_period_end: Timestamp,
      cancelled_at: Nullable(Timestamp),
    }),
  ),
  history: Type.Array(
    Type.Object({
      from_state: Type.Union([State, Type.Null()]),
      to_state: State,
      actor: Type.Enum(['user', 'administrator', 'system']),
      actor_id: Nullable(Type.Integer()),
      note: Nullable(Type.String()),
      at: Timestamp,
    }),
  ),
})
