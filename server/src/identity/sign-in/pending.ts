import { isBarred } from '../accounts/barred.ts'
import { createHash } from 'node:crypto'
import type { IdentityDeps } from '../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hashOfToken, newToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { auditAccount, lockedAccount } from '../accounts/accounts.ts'
import type { Account } from '../accounts/accounts.queries.ts'
import { can } from '../../platform/rights/permissions.ts'
import { auditingRefusals, withinCodeBudget, withinPasskeyBudget } from '../second-factor/code-budget.ts'
import { checkSigned, somePasskeys, spendPasskey, type PasskeyRequest } from '../second-factor/passkeys.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import { spendCode, type FactorKind } from '../second-factor/second-factor.ts'
import type { Assertion } from '../second-factor/webauthn.ts'
import { openSession, type SignedIn } from './open-session.ts'
import {
  findPending,
  insertPending,
  setChallenge,
  takeChallengeByToken,
  takePending,
  type Pending,
} from './pending.queries.ts'

const LIFETIME_MS = 5 * 60_000

export type PendingSignIn = { pendingToken: string; expiresAt: Date; factors: FactorKind[] }

/** Its token is valid only for the second step. `hash` is the password's, as it was checked. */
export async function waitForFactor(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  { userId, hash, factors, isForPanel }: { userId: number; hash: string; factors: FactorKind[]; isForPanel: boolean },
): Promise<PendingSignIn> {
  const { token, hash: token_hash } = newToken()
  const expires_at = fromNow(clock, LIFETIME_MS)
  const pending = { token_hash, user_id: userId, password_mark: toMark(hash), for_panel: isForPanel, expires_at }
  await insertPending(db, pending)
  return { pendingToken: token, expiresAt: expires_at, factors }
}

/** 401 SIGN_IN_EXPIRED also when the password has changed since; after 401 INVALID_CODE the token still counts.
 * `atPanel`: the session is one of the panel, whatever door the password came by. */
export async function continueSignIn(
  deps: IdentityDeps,
  { token, code, by, atPanel = false }: { token: string; code: string; by: Actor; atPanel?: boolean },
): Promise<SignedIn> {
  const tokenHash = hashOfToken(token)
  const pending = await findPending(deps.db, { tokenHash, now: fromNow(deps.clock) })
  if (pending === undefined) throw errors.signInExpired()
  const { user_id: userId } = pending
  const spend = (work: Work) => spendCode(work, { userId, code, log: deps.log })
  return auditingRefusals(deps, { userId, by }, () =>
    withinCodeBudget(deps, { userId, by, code }, () =>
      openWithFactor(deps, { tokenHash, pending, by, atPanel, spend }),
    ),
  )
}

type Step = { token: string; party: RelyingParty }

/** 401 SIGN_IN_EXPIRED; 409 INVALID_STATE when the account has no passkey. An earlier challenge becomes invalid. */
export async function askAtSignIn({ db, clock }: IdentityDeps, { token, party }: Step): Promise<PasskeyRequest> {
  const tokenHash = hashOfToken(token)
  const pending = await findPending(db, { tokenHash, now: fromNow(clock) })
  if (pending === undefined) throw errors.signInExpired()
  const passkeys = await somePasskeys(db, pending.user_id)
  const { token: challenge, hash: challengeHash } = newToken()
  if (!(await setChallenge(db, { tokenHash, challengeHash }))) throw errors.signInExpired()
  return { challenge, party, passkeys }
}

/** Errors are those of `continueSignIn`. After INVALID_PASSKEY and PASSKEY_BEHIND the token allows a new challenge. */
export async function continueWithPasskey(
  deps: IdentityDeps,
  { token, party, given, by }: Step & { given: Assertion; by: Actor },
): Promise<SignedIn> {
  const tokenHash = hashOfToken(token)
  const pending = await takeChallengeByToken(deps.db, { tokenHash, now: fromNow(deps.clock) })
  if (pending === undefined) throw errors.signInExpired()
  const { user_id: userId, challenge_hash: challengeHash } = pending
  return auditingRefusals(deps, { userId, by }, () =>
    withinPasskeyBudget(deps, { userId, by }, async () => {
      const signed = await checkSigned(deps, { userId, party, challengeHash, given })
      const spend = (work: Work) => spendPasskey(work, signed)
      return openWithFactor(deps, { tokenHash, pending, by, atPanel: true, spend })
    }),
  )
}

type Opening = {
  tokenHash: Buffer
  pending: Pending
  by: Actor
  atPanel: boolean
  spend: (work: Work) => Promise<FactorKind>
}

/** `spend` makes the shown factor invalid for reuse, in the transaction that opens the session. */
function openWithFactor(deps: IdentityDeps, { tokenHash, pending, by, atPanel, spend }: Opening): Promise<SignedIn> {
  const { user_id: userId } = pending
  const isForPanel = atPanel || pending.for_panel
  return inWork(deps, by, async (work) => {
    if (!(await takePending(work.tx, tokenHash))) throw errors.signInExpired()
    const account = await lockedAccount(work.tx, userId)
    refuseOther(account, pending)
    const kind = await spend(work)
    const session = await openSession(work, { sessions: deps.sessions, userId, isForPanel, hasFactor: true })
    const entry = { action: 'login', after: { second_factor: kind } }
    await auditAccount(work.as({ userId, role: account.role }), userId, entry)
    return { account, session, lacksFactor: false }
  })
}

function refuseOther({ deleted_at, password_hash, role, status }: Account, { password_mark }: Pending): void {
  const isSame = deleted_at === null && toMark(password_hash).equals(password_mark) && can(role, 'panel')
  if (!isSame) throw errors.signInExpired()
  if (isBarred(status)) throw errors.accountSuspended(403)
}

/** Changes with the password, and tells nothing of it. */
function toMark(passwordHash: string): Buffer {
  return createHash('sha256').update(`pending ${passwordHash}`).digest()
}
