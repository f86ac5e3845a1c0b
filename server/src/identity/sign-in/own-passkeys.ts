import type { IdentityDeps } from '../deps.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import { withinPasskeyBudget } from '../second-factor/code-budget.ts'
import {
  addPasskey,
  askForPasskey,
  removePasskey,
  renameOwnPasskey,
  type AskedPasskey,
} from '../second-factor/passkeys.ts'
import type { Passkey } from '../second-factor/passkeys.queries.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import { giveRecoveryCodes, hasSecondFactor, keepCodesOfFactors, type Owner } from '../second-factor/second-factor.ts'
import type { PublicKey } from '../second-factor/webauthn.ts'
import { confirmPassword } from './auth.ts'
import { keepThisSession, ownerOf, requireFresh, type Asking } from './own-factor.ts'
import { auditingRefusals } from './pending.ts'

/** Requires the password, or a fresh second factor if the account has one. 422 on `current_password`. */
export async function confirmOwner(deps: IdentityDeps, asking: Asking, password: string | undefined): Promise<void> {
  const { userId } = asking.principal
  if (await hasSecondFactor(deps.db, userId)) return requireFresh(deps, deps.db, asking)
  if (password === undefined) throw errors.validation({ current_password: ['is required'] })
  await confirmPassword(deps, { userId, password, site: asking.site })
}

export type AskedNew = AskedPasskey & { owner: Owner }

/** The caller has confirmed the owner. 403 for a role without the panel; 409 when the account has ten. */
export async function askOwnPasskey(
  deps: IdentityDeps,
  tx: Tx,
  asking: Asking,
  party: RelyingParty,
): Promise<AskedNew> {
  const owner = await ownerOf(tx, asking)
  return { owner, ...(await askForPasskey(deps, tx, 'add', { userId: owner.userId, party })) }
}

export type AddedPasskey = { passkey: Passkey; recoveryCodes: string[] }

/** If it is the first factor of an account, it creates recovery codes and ends the other sessions. */
export async function addOwnPasskey(
  deps: IdentityDeps,
  tx: Tx,
  asking: Asking,
  given: PublicKey & { name: string; transports: string[] },
): Promise<AddedPasskey> {
  const owner = await ownerOf(tx, asking)
  const isFirst = !(await hasSecondFactor(tx, owner.userId))
  const passkey = await addPasskey(deps, tx, owner.userId, given)
  await record(deps, tx, owner, { action: 'passkey.add', before: null, after: auditedPasskey(passkey) })
  if (!isFirst) return { passkey, recoveryCodes: [] }
  const recoveryCodes = await giveRecoveryCodes(tx, owner.userId)
  await keepThisSession(deps, tx, asking, true)
  return { passkey, recoveryCodes }
}

type Which = { passkeyId: number }

/** 404. */
export async function renameOwn(
  deps: IdentityDeps,
  tx: Tx,
  asking: Asking,
  change: Which & { name: string },
): Promise<Passkey> {
  const { userId } = asking.principal
  const passkey = await renameOwnPasskey(tx, { userId, ...change })
  const owner = { userId, actor: asking.caller }
  await record(deps, tx, owner, { action: 'passkey.rename', before: null, after: auditedPasskey(passkey) })
  return passkey
}

/** Requires a fresh second factor and ends the other sessions. 404. */
export async function removeOwn(deps: IdentityDeps, tx: Tx, asking: Asking, { passkeyId }: Which): Promise<void> {
  const { userId } = asking.principal
  // The account is locked before its passkeys, as at a sign-in: otherwise both could wait for each other.
  await lockedAccount(tx, userId)
  const passkey = await removePasskey(tx, { userId, passkeyId })
  const owner = await ownerOf(tx, asking)
  await requireFresh(deps, tx, asking)
  await record(deps, tx, owner, { action: 'passkey.remove', before: auditedPasskey(passkey), after: null })
  await keepThisSession(deps, tx, asking, await keepCodesOfFactors(tx, userId))
}

/** A wrong passkey is 422 and names the field, because a 401 would sign the client out. */
export async function withOwnPasskey<T>(
  deps: IdentityDeps,
  { principal: { userId }, site, caller }: Asking,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await auditingRefusals(deps, { userId, site, caller, isSignIn: false }, () =>
      withinPasskeyBudget(deps, { userId, site }, work),
    )
  } catch (error) {
    if (error instanceof AppError && ['INVALID_PASSKEY', 'PASSKEY_BEHIND'].includes(error.code))
      throw errors.validation({ passkey: [error.message] })
    throw error
  }
}

type Change = { action: string; before: object | null; after: object | null }

async function record(
  deps: IdentityDeps,
  tx: Tx,
  { userId, actor }: Pick<Owner, 'userId' | 'actor'>,
  { action, before, after }: Change,
): Promise<void> {
  const change = { before: before && { ...before }, after: after && { ...after }, subjectId: userId }
  await recordAudit(tx, deps, actor, { action, entity: 'user', entityId: userId, change })
}

function auditedPasskey({ passkey_id, name }: Passkey): { passkey_id: number; name: string } {
  return { passkey_id, name }
}
