import { createHash } from 'node:crypto'
import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { newToken } from '../../platform/secrets/encryption.ts'
import { errors, AppError, existing } from '../../platform/shared/errors.ts'
import { type Work, callerId } from '../../platform/work/work.ts'
import {
  findPasskeys,
  insertPasskey,
  putChallenge,
  takeChallenge,
  updateCount,
  type Passkey,
  type Purpose,
  deletePasskey,
  renamePasskey,
} from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { verifyAssertion, verifyNew, type Assertion, type NewCredential, type PublicKey } from './webauthn.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import { auditingRefusals, withinPasskeyBudget } from './code-budget.ts'
import { keepThisSession, lockOwner, recordOwn, requireFresh, type OwnSession } from './own-factor.ts'
import { giveRecoveryCodes, hasSecondFactor, keepCodesOfFactors } from './second-factor.ts'

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
async function addPasskey(
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

export type NewRequest = PasskeyRequest & { userId: number; email: string }

/** The caller has confirmed the owner. 403 for a role without the panel; 409 when the account has ten. */
export async function askOwnPasskey(work: Work, party: RelyingParty): Promise<NewRequest> {
  const { user_id: userId, email } = await lockOwner(work)
  return { userId, email, ...(await askForPasskey(work, { purpose: 'add', userId, party })) }
}

export type AddedPasskey = { passkey: Passkey; recoveryCodes: string[] }

/** If it is the first factor of an account, it creates recovery codes and ends the other sessions. */
export async function addOwnPasskey(
  work: Work,
  { own, key }: { own: OwnSession; key: PublicKey & { name: string; transports: string[] } },
): Promise<AddedPasskey> {
  const { user_id, role } = await lockOwner(work)
  const isFirst = !(await hasSecondFactor(work.tx, user_id))
  const passkey = await addPasskey(work, { ...key, user_id })
  await recordOwn(work.as({ role }), { action: 'passkey.add', after: auditedPasskey(passkey) })
  if (!isFirst) return { passkey, recoveryCodes: [] }
  const recoveryCodes = await giveRecoveryCodes(work.tx, user_id)
  await keepThisSession(work, { ...own, hasFactor: true })
  return { passkey, recoveryCodes }
}

export async function renameOwn(work: Work, change: { passkeyId: number; name: string }): Promise<Passkey> {
  const passkey = existing(await renamePasskey(work.tx, { userId: callerId(work), ...change }), 'This passkey')
  await recordOwn(work, { action: 'passkey.rename', after: auditedPasskey(passkey) })
  return passkey
}

/** Requires a fresh second factor and ends the other sessions. */
export async function removeOwn(work: Work, { passkeyId, ...own }: OwnSession & { passkeyId: number }): Promise<void> {
  const { tx } = work
  const userId = callerId(work)
  // The account is locked before its passkeys, as at a sign-in: otherwise both could wait for each other.
  await lockedAccount(tx, userId)
  const passkey = existing(await deletePasskey(tx, { userId, passkeyId }), 'This passkey')
  const { role } = await lockOwner(work)
  await requireFresh(tx, { sessionId: own.sessionId, now: work.now() })
  await recordOwn(work.as({ role }), { action: 'passkey.remove', before: auditedPasskey(passkey) })
  await keepThisSession(work, { ...own, hasFactor: await keepCodesOfFactors(tx, userId) })
}

/** A wrong passkey is 422 and names the field, because a 401 would sign the client out. */
export async function withOwnPasskey<T>(deps: IdentityDeps, by: Actor, change: () => Promise<T>): Promise<T> {
  const userId = callerId({ by })
  try {
    return await auditingRefusals(deps, { userId, by, isSignIn: false }, () =>
      withinPasskeyBudget(deps, { userId, by }, change),
    )
  } catch (error) {
    if (error instanceof AppError && ['INVALID_PASSKEY', 'PASSKEY_BEHIND'].includes(error.code))
      throw errors.validation({ passkey: [error.message] })
    throw error
  }
}

function auditedPasskey({ passkey_id, name }: Passkey): { passkey_id: number; name: string } {
  return { passkey_id, name }
}
