import type { IdentityDeps } from '../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hashOfToken, newToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import { withinPasskeyBudget } from '../second-factor/code-budget.ts'
import { checkSigned, somePasskeys, spendPasskey, type AskedPasskey } from '../second-factor/passkeys.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { Assertion } from '../second-factor/webauthn.ts'
import type { SignedIn } from './auth.ts'
import { auditingRefusals, openWithFactor } from './pending.ts'
import { findPending, setChallenge, takeChallengeOf } from './pending.queries.ts'

/** 401 SIGN_IN_EXPIRED; 409 INVALID_STATE when the account has no passkey. An earlier challenge becomes invalid. */
export async function askAtSignIn(
  { db, clock }: IdentityDeps,
  token: string,
  party: RelyingParty,
): Promise<AskedPasskey> {
  const tokenHash = hashOfToken(token)
  const pending = await findPending(db, tokenHash, fromNow(clock))
  if (pending === undefined) throw errors.signInExpired()
  const passkeys = await somePasskeys(db, pending.user_id)
  const challenge = newToken()
  if (!(await setChallenge(db, tokenHash, challenge.hash))) throw errors.signInExpired()
  return { challenge: challenge.token, party, passkeys }
}

/** Like `continueSignIn`. After INVALID_PASSKEY and PASSKEY_BEHIND the token stays valid for a new challenge. */
export async function continueWithPasskey(
  deps: IdentityDeps,
  { token, party, signed, site }: { token: string; party: RelyingParty; signed: Assertion; site: string },
  caller: Actor,
): Promise<SignedIn> {
  const tokenHash = hashOfToken(token)
  const pending = await takeChallengeOf(deps.db, tokenHash, fromNow(deps.clock))
  if (pending === undefined) throw errors.signInExpired()
  const { user_id: userId, challenge_hash: challengeHash } = pending
  return auditingRefusals(deps, { userId, site, caller }, () =>
    withinPasskeyBudget(deps, { userId, site }, async () => {
      const shown = await checkSigned(deps, { userId, party, challengeHash }, signed)
      return openWithFactor(deps, { tokenHash, pending, site, caller }, async (tx) => {
        await spendPasskey(deps, tx, shown)
        return 'passkey'
      })
    }),
  )
}
