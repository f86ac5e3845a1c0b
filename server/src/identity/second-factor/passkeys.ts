import { createHash } from 'node:crypto'
import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { newToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import {
  findPasskeys,
  insertPasskey,
  putChallenge,
  takeChallenge,
  updateCount,
  type Passkey,
  type Purpose,
} from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { verifyAssertion, verifyNew, type Assertion, type NewCredential, type PublicKey } from './webauthn.ts'

const MOST_PASSKEYS = 10
const CHALLENGE_MS = 5 * 60_000

/** A challenge for the browser, with the passkeys of the account. */
export type PasskeyRequest = { challenge: string; party: RelyingParty; passkeys: Passkey[] }

export function ownPasskeys(db: Db | Tx, userId: number): Promise<Passkey[]> {
  return findPasskeys(db, userId)
}

/** 409 INVALID_STATE to add one when the account has ten, and to prove one when it has none. */
export async function askForPasskey(
  { tx, now }: Work,
  { purpose, userId, party }: { purpose: Purpose; userId: number; party: RelyingParty },
): Promise<PasskeyRequest> {
  const passkeys = await (purpose === 'add' ? roomFor(tx, userId) : somePasskeys(tx, userId))
  const { token: challenge, hash } = newToken()
  await putChallenge(tx, { user_id: userId, purpose, challenge_hash: hash, expires_at: now(CHALLENGE_MS) })
  return { challenge, party, passkeys }
}

/** 409 INVALID_STATE when the account has none. */
export async function somePasskeys(db: Db | Tx, userId: number): Promise<Passkey[]> {
  const passkeys = await findPasskeys(db, userId)
  if (passkeys.length === 0) throw errors.invalidState('This account has no passkey.')
  return passkeys
}

type Owned<T> = { userId: number; party: RelyingParty; given: T }

/** Runs outside of a transaction, because the challenge is deleted even if the check fails. 422 on `credential`. */
export async function checkNew(
  { db, clock, log }: Pick<IdentityDeps, 'db' | 'clock' | 'log'>,
  { userId, party, given }: Owned<NewCredential>,
): Promise<PublicKey> {
  const challengeHash = await takeChallenge(db, { userId, purpose: 'add', now: fromNow(clock) })
  const verdict = challengeHash ? await verifyNew({ party, challengeHash }, given) : NOT_ASKED
  if ('good' in verdict) return verdict.good
  log.warn({ user_id: userId, why: verdict.fault }, 'a new passkey was refused')
  throw errors.validation({ credential: ['is not valid for this request. Start again.'] })
}

/** The caller has locked the account. 409 INVALID_STATE when it has ten, DUPLICATE when any account has this one. */
export async function addPasskey(
  { tx, now }: Work,
  passkey: PublicKey & { user_id: number; name: string; transports: string[] },
): Promise<Passkey> {
  await roomFor(tx, passkey.user_id)
  const added = await insertPasskey(tx, { ...passkey, created_at: now() })
  if (added === undefined) throw errors.duplicate('credential', 'This passkey is registered already.')
  return added
}

export type SignedPasskey = { userId: number; passkeyId: number; count: number }

/** Checks a signature of the challenge that was made to `prove`. Errors are those of `checkSigned`. */
export async function checkProof(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'log'>,
  proof: Owned<Assertion>,
): Promise<SignedPasskey> {
  const { userId } = proof
  const challengeHash = await takeChallenge(deps.db, { userId, purpose: 'prove', now: fromNow(deps.clock) })
  return checkSigned(deps, { ...proof, challengeHash })
}

/** The caller must pass the result to `spendPasskey`. 401 INVALID_PASSKEY, also without a challenge. */
export async function checkSigned(
  { db, log }: Pick<IdentityDeps, 'db' | 'log'>,
  { userId, party, challengeHash, given }: Owned<Assertion> & { challengeHash: Buffer | null | undefined },
): Promise<SignedPasskey> {
  const id = Buffer.from(given.id, 'base64url')
  const passkey = (await findPasskeys(db, userId)).find(({ credential_id }) => credential_id.equals(id))
  const verdict = challengeHash && passkey ? await verifyAssertion({ party, challengeHash }, given, passkey) : NOT_ASKED
  if (passkey && 'good' in verdict) return { userId, passkeyId: passkey.passkey_id, count: verdict.good }
  log.warn({ user_id: userId, ...('fault' in verdict && { why: verdict.fault }) }, 'a passkey was refused')
  throw errors.wrongPasskey()
}

/** 401 PASSKEY_BEHIND when the count has not increased, INVALID_PASSKEY when the passkey was removed. */
export async function spendPasskey({ tx, now }: Work, { userId, passkeyId, count }: SignedPasskey): Promise<'passkey'> {
  if (await updateCount(tx, { passkeyId, count, at: now() })) return 'passkey'
  const isThere = (await findPasskeys(tx, userId)).some(({ passkey_id }) => passkey_id === passkeyId)
  throw isThere ? errors.passkeyBehind() : errors.wrongPasskey()
}

/** Identifies the account for authenticators: a new passkey replaces the earlier one there. No personal data. */
export function toHandle(userId: number): string {
  return createHash('sha256').update(`passkeys of ${userId}`).digest('base64url')
}

const NOT_ASKED = { fault: 'It was not requested, or too long ago.' }

async function roomFor(tx: Tx, userId: number): Promise<Passkey[]> {
  const passkeys = await findPasskeys(tx, userId)
  if (passkeys.length >= MOST_PASSKEYS)
    throw errors.invalidState(`An account has ${MOST_PASSKEYS} passkeys at most. Remove one first.`)
  return passkeys
}
