import type { IdentityDeps } from '../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hashOfToken, newToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { auditingRefusals, withinPasskeyBudget } from '../second-factor/code-budget.ts'
import { checkSigned, somePasskeys, spendPasskey, type AskedPasskey } from '../second-factor/passkeys.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { Assertion } from '../second-factor/webauthn.ts'
import type { SignedIn } from './open-session.ts'
import { openWithFactor } from './pending.ts'
import { findPending, setChallenge, takeChallengeOf } from './pending.queries.ts'

type Step = { token: string; party: RelyingParty }

/** 401 SIGN_IN_EXPIRED; 409 INVALID_STATE when the account has no passkey. An earlier challenge becomes invalid. */
export async function askAtSignIn({ db, clock }: IdentityDeps, { token, party }: Step): Promise<AskedPasskey> {
  const tokenHash = hashOfToken(token)
  const pending = await findPending(db, { tokenHash, now: fromNow(clock) })
  if (pending === undefined) throw errors.signInExpired()
  const passkeys = await somePasskeys(db, pending.user_id)
  const { token: challenge, hash: challengeHash } = newToken()
  if (!(await setChallenge(db, { tokenHash, challengeHash }))) throw errors.signInExpired()
  return { challenge, party, passkeys }
}

/** Like `continueSignIn`. After INVALID_PASSKEY and PASSKEY_BEHIND the token stays valid for a new challenge. */
export async function continueWithPasskey(
  deps: IdentityDeps,
  { token, party, given, by }: Step & { given: Assertion; by: Actor },
): Promise<SignedIn> {
  const tokenHash = hashOfToken(token)
  const pending = await takeChallengeOf(deps.db, { tokenHash, now: fromNow(deps.clock) })
  if (pending === undefined) throw errors.signInExpired()
  const { user_id: userId, challenge_hash: challengeHash } = pending
  return auditingRefusals(deps, { userId, by }, () =>
    withinPasskeyBudget(deps, { userId, by }, async () => {
      const signed = await checkSigned(deps, { userId, party, challengeHash, given })
      const spend = async (work: Work) => {
        await spendPasskey(work, signed)
        return 'passkey' as const
      }
      return openWithFactor(deps, { tokenHash, pending, by, spend })
    }),
  )
}
