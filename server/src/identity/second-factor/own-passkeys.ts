import type { Actor } from '../../platform/audit/audit.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import type { IdentityDeps } from '../deps.ts'
import { auditingRefusals, withinPasskeyBudget } from './code-budget.ts'
import { keepThisSession, lockOwner, recordOwn, requireFresh, type OwnSession } from './own-factor.ts'
import { addPasskey, askForPasskey, type PasskeyRequest } from './passkeys.ts'
import { deletePasskey, renamePasskey, type Passkey } from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { giveRecoveryCodes, hasSecondFactor, keepCodesOfFactors } from './second-factor.ts'
import type { PublicKey } from './webauthn.ts'

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
  const owner = await lockOwner(work)
  const { user_id } = owner
  const isFirst = !(await hasSecondFactor(work.tx, user_id))
  const passkey = await addPasskey(work, { ...key, user_id })
  await recordOwn(work.as({ userId: owner.user_id, role: owner.role }), {
    action: 'passkey.add',
    after: auditedPasskey(passkey),
  })
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
  const owner = await lockOwner(work)
  await requireFresh(tx, { sessionId: own.sessionId, now: work.now() })
  await recordOwn(work.as({ userId: owner.user_id, role: owner.role }), {
    action: 'passkey.remove',
    before: auditedPasskey(passkey),
  })
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
