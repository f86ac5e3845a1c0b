import { Type, type Static } from 'typebox'
import { Body, Component, Timestamp } from '../../platform/http/envelope.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { listPermissions, RIGHTS } from '../../platform/rights/permissions.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { SignedIn } from './open-session.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { ACCOUNT } from '../../platform/people/account-fields.ts'
import type { PendingSignIn } from './pending.ts'

export const Account = Component('SignedInAccount', {
  ...ACCOUNT,
  permissions: Type.Array(Type.Enum(RIGHTS)),
  lacks_second_factor: Type.Boolean({
    description:
      'The service requires a second factor for this role, but the session has none. It has no rights until then.',
  }),
})

export const Session = Component('Session', {
  token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  expires_at: Timestamp,
  user: Account,
})

export const Pending = Type.Object({
  pending_token: Type.String({ description: 'Only for the second step; it is valid for nothing else.' }),
  expires_at: Timestamp,
  factors: Type.Array(Type.Enum(['passkey', 'app', 'recovery']), {
    description: 'What the account can show: a passkey (in the panel only), a code of the app, or a recovery code.',
  }),
})

export const Code = Type.String({
  minLength: 6,
  maxLength: 19,
  pattern: '^(?:[0-9]{6}|[A-Za-z2-7]{4}-?[A-Za-z2-7]{4}-?[A-Za-z2-7]{4}-?[A-Za-z2-7]{4})$',
  'x-fault': 'must be the six digits shown by your app, or a recovery code',
})

export const FACTOR_AWAITED = 'Show your second factor'

export const PendingToken = Type.String({ minLength: 43, maxLength: 43 })
export const SecondStep = Body({ pending_token: PendingToken, code: Code })

/** `party` undefined: passkeys do not work at this address. */
export function toPending(
  { pendingToken, expiresAt, factors }: PendingSignIn,
  party: RelyingParty | undefined,
): Static<typeof Pending> {
  const usable = factors.filter((factor) => factor !== 'passkey' || party !== undefined)
  return { pending_token: pendingToken, expires_at: expiresAt.toISOString(), factors: usable }
}

export function toSignedIn({ account, session, lacksFactor }: SignedIn): Static<typeof Session> {
  return {
    token: session.token,
    token_type: 'Bearer',
    expires_in: session.expiresInSeconds,
    expires_at: session.expiresAt.toISOString(),
    user: accountAnswer(account, { lacksFactor }),
  }
}

export function accountAnswer(
  { user_id, username, email, name, role, status }: AccountRow,
  { lacksFactor, effective = lacksFactor ? 'user' : role }: { lacksFactor: boolean; effective?: Role },
): Static<typeof Account> {
  const permissions = [...listPermissions(effective)]
  return { id: user_id, user_id, username, email, name, role, status, permissions, lacks_second_factor: lacksFactor }
}
