import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { Work } from '../../platform/work/work.ts'
import { deleteUserPasskeys, hasPasskeys } from './passkeys.queries.ts'
import { hashOfRecoveryCode, isAppCode, newRecoveryCodes } from './recovery-codes.ts'
import { currentKeyId, seal, unseal } from './sealing.ts'
import {
  countRecoveryCodes,
  deleteFactor,
  deleteRecoveryCodes,
  findFactor,
  lockFactor,
  lockFactorsUnderOtherKeys,
  replaceRecoveryCodes,
  spendRecoveryCode,
  updateSeals,
  useStep,
  type Factor,
} from './second-factor.queries.ts'
import { findStep } from './totp.ts'

const SEALS_A_ROUND = 100

export async function factorState(
  db: Db | Tx,
  userId: number,
): Promise<{ confirmedAt: Date | null; recoveryCodesLeft: number }> {
  const confirmedAt = (await findFactor(db, userId))?.confirmed_at ?? null
  return { confirmedAt, recoveryCodesLeft: await countRecoveryCodes(db, userId) }
}

export type FactorKind = 'passkey' | 'app' | 'recovery'

/** Empty: the account has no second factor. Contains `recovery` even if all codes are used. */
export async function listFactors(db: Db | Tx, userId: number): Promise<FactorKind[]> {
  const passkey = (await hasPasskeys(db, userId)) ? (['passkey'] as const) : []
  const app = (await findFactor(db, userId))?.confirmed_at ? (['app'] as const) : []
  const own = [...passkey, ...app]
  return own.length === 0 ? [] : [...own, 'recovery']
}

export async function hasSecondFactor(db: Db | Tx, userId: number): Promise<boolean> {
  return (await listFactors(db, userId)).length > 0
}

/** Deletes the recovery codes if the account has no other factor; returns whether it has one. */
export async function keepCodesOfFactors(tx: Tx, userId: number): Promise<boolean> {
  const isLeft = await hasSecondFactor(tx, userId)
  if (!isLeft) await deleteRecoveryCodes(tx, userId)
  return isLeft
}

/** Removes app, passkeys and recovery codes; false without any. The caller records it and ends the sessions. */
export async function removeAllFactors(tx: Tx, userId: number): Promise<boolean> {
  const hadApp = await deleteFactor(tx, userId)
  const hadPasskeys = await deleteUserPasskeys(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  return hadApp || hadPasskeys
}

/** A code counts once, and one of the app not after a later one. 401 INVALID_CODE; 503 when no key opens the secret. */
export async function spendCode(
  work: Work,
  { userId, code, log }: { userId: number; code: string; log: Log },
): Promise<'app' | 'recovery'> {
  if (isAppCode(code)) {
    const factor = await lockFactor(work.tx, userId)
    if (!factor?.confirmed_at || !(await useAppCode(work, { factor, code, log }))) throw errors.wrongCode()
    return 'app'
  }
  const hash = hashOfRecoveryCode(userId, code)
  if (!(await spendRecoveryCode(work.tx, { userId, hash, at: work.now() }))) throw errors.wrongCode()
  return 'recovery'
}

/** False for a wrong code and for one of a step that was used before. */
export async function useAppCode(
  { tx, config, now }: Work,
  { factor, code, log }: { factor: Factor; code: string; log: Log },
): Promise<boolean> {
  const { user_id: userId } = factor
  const secret = unseal(config, userId, factor)
  if (secret === undefined) {
    log.error({ user_id: userId }, 'no key of the settings opens this second factor')
    throw errors.unavailable()
  }
  const step = findStep(secret, code, now().getTime())
  return step !== null && (await useStep(tx, { userId, step }))
}

/** Replaces the recovery codes by ten new ones; they cannot be read again. */
export async function giveRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, { userId, hashes: codes.map((code) => hashOfRecoveryCode(userId, code)) })
  return codes
}

/** Seals all secrets with the present key, so that the previous one can be removed from the settings. */
export async function sealAnew(deps: Pick<IdentityDeps, 'db' | 'config' | 'log'>): Promise<void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    after = await inTransaction(deps.db, (tx) => sealRound(deps, tx, from))
  }
}

async function sealRound(
  { config, log }: Pick<IdentityDeps, 'config' | 'log'>,
  tx: Tx,
  after: number,
): Promise<number | undefined> {
  const page = { keyId: currentKeyId(config), after, limit: SEALS_A_ROUND }
  const factors = await lockFactorsUnderOtherKeys(tx, page)
  const opened = factors.map((factor) => ({ userId: factor.user_id, secret: unseal(config, factor.user_id, factor) }))
  const lost = opened.filter(({ secret }) => secret === undefined).map(({ userId }) => userId)
  if (lost.length > 0) log.error({ user_ids: lost }, 'no key of the settings opens these second factors')
  const seals = opened.flatMap(({ userId, secret }) =>
    secret === undefined ? [] : [{ user_id: userId, ...seal(config, userId, secret) }],
  )
  await updateSeals(tx, seals)
  return factors.length < SEALS_A_ROUND ? undefined : factors.at(-1)?.user_id
}
