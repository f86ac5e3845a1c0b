import { Type, type Static } from 'typebox'
import { Body, Component, Timestamp } from '../../platform/http/envelope.ts'
import type { AccountRow } from '../accounts/auth.queries.ts'
import { permissionsOf, ROLES } from '../permissions/permissions.ts'
import type { SignedIn } from './auth.ts'

export const Account = Component('SignedInAccount', {
  id: Type.Integer(),
  user_id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...ROLES]),
  status: Type.Enum(['active', 'inactive', 'suspended', 'banned']),
  permissions: Type.Array(Type.String()),
})

export const Session = Component('Session', {
  token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  expires_at: Timestamp,
  user: Account,
})

export const Credentials = Body({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
})

export function toSignedIn({ account, session }: SignedIn): Static<typeof Session> {
  return {
    token: session.token,
    token_type: 'Bearer',
    expires_in: session.expiresInSeconds,
    expires_at: session.expiresAt.toISOString(),
    user: accountAnswer(account),
  }
}

export function accountAnswer({ user_id, username, email, name, role, status }: AccountRow): Static<typeof Account> {
  return { id: user_id, user_id, username, email, name, role, status, permissions: [...permissionsOf(role)] }
}
