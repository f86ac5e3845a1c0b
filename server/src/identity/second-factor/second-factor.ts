import type { IdentityDeps } from '../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { deletePasskeysOf, hasPasskeys } from './passkeys.queries.ts'
import { hashOfRecoveryCode, isAppCode, newRecoveryCodes } from './recovery.ts'
import { currentKeyId, seal, unseal } from './sealing.ts'
import {
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  deleteRecoveryCodes,
  findFactor,
  lockFactor,
  lockFactorsUnderOtherKeys,
  putUnconfirmed,
  replaceRecoveryCodes,
  spendRecoveryCode,
  updateSeals,
  useStep,
  type Factor,
} from './second-factor.queries.ts'
import { newSecret, stepOf, textsOf } from './totp.ts'

type FactorDeps = AuditDeps & Pick<IdentityDeps, 'config' | 'log'>

export type Owner = { userId: number; email: string; actor: Actor }

export const CONFIRM_WITHIN_MS = 15 * 60_000
const SEALS_A_ROUND = 100

export type FactorState = { confirmedAt: Date | null; recoveryCodesLeft: number }

export async function factorState(db: Db | Tx, userId: number): Promise<FactorState> {
  const confirmedAt = (await findFactor(db, userId))?.confirmed_at ?? null
  return { confirmedAt, recoveryCodesLeft: await countRecoveryCodes(db, userId) }
}

/** What an account can show as its second factor. */
export type FactorKind = 'passkey' | 'app' | 'recovery'

/** Empty: the account has no second factor. Contains `recovery` even if all codes are used. */
export async function factorsOf(db: Db | Tx, userId: number): Promise<FactorKind[]> {
  const passkey = (await hasPasskeys(db, userId)) ? (['passkey'] as const) : []
  const app = (await findFactor(db, userId))?.confirmed_at ? (['app'] as const) : []
  const own = [...passkey, ...app]
  return own.length === 0 ? [] : [...own, 'recovery']
}

export async function hasSecondFactor(db: Db | Tx, userId: number): Promise<boolean> {
  return (await factorsOf(db, userId)).length > 0
}

/** Returns the texts of the secret, only here. 409 INVALID_STATE when a confirmed factor exists. */
export async function startFactor(
  deps: FactorDeps,
  tx: Tx,
  { userId, email }: Owner,
): Promise<{ secret: string; uri: string }> {
  const secret = newSecret()
  const factor = { user_id: userId, ...seal(deps.config, userId, secret), created_at: fromNow(deps.clock) }
  if (!(await putUnconfirmed(tx, factor)))
    throw errors.invalidState('The second factor is on. Turn it off before you set up another one.')
  return textsOf(secret, email)
}

/** Returns the recovery codes, only here. 409 INVALID_STATE without a waiting secret; 401 INVALID_CODE. */
export async function confirmOwnFactor(deps: FactorDeps, tx: Tx, owner: Owner, code: string): Promise<string[]> {
  const factor = await lockFactor(tx, owner.userId)
  const isWaiting = factor?.confirmed_at === null && factor.created_at > fromNow(deps.clock, -CONFIRM_WITHIN_MS)
  if (!isWaiting) throw errors.invalidState('No second factor waits for confirmation. Set it up again.')
  if (!isAppCode(code) || !(await useAppCode(deps, tx, factor, code))) throw errors.wrongCode()
  await confirmFactor(tx, owner.userId, fromNow(deps.clock))
  await record(deps, tx, owner, 'second_factor.enable')
  return giveRecoveryCodes(tx, owner.userId)
}

/** Earlier codes become invalid. The caller has checked a second factor. 409 INVALID_STATE without one. */
export async function renewRecoveryCodes(deps: FactorDeps, tx: Tx, owner: Owner): Promise<string[]> {
  if (!(await hasSecondFactor(tx, owner.userId))) throw errors.invalidState('This account has no second factor.')
  await record(deps, tx, owner, 'second_factor.recovery_codes')
  return giveRecoveryCodes(tx, owner.userId)
}

/** Turns the app off and returns whether passkeys are left; then recovery codes stay. 401 INVALID_CODE. */
export async function turnFactorOff(deps: FactorDeps, tx: Tx, owner: Owner, code: string): Promise<boolean> {
  if (!(await lockFactor(tx, owner.userId))?.confirmed_at) throw errors.wrongCode()
  await spendCode(deps, tx, owner.userId, code)
  await deleteFactor(tx, owner.userId)
  await record(deps, tx, owner, 'second_factor.disable')
  return keepCodesOfFactors(tx, owner.userId)
}

/** Deletes the recovery codes if the account has no other factor; returns whether it has one. */
export async function keepCodesOfFactors(tx: Tx, userId: number): Promise<boolean> {
  const isLeft = await hasSecondFactor(tx, userId)
  if (!isLeft) await deleteRecoveryCodes(tx, userId)
  return isLeft
}

/** Removes app, passkeys and recovery codes; false without any. The caller records it and ends the sessions. */
export async function disableSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const hadApp = await deleteFactor(tx, userId)
  const hadPasskeys = await deletePasskeysOf(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  return hadApp || hadPasskeys
}

export type CodeKind = 'app' | 'recovery'

/** Each counts once, of the app none older than the last used. 401 INVALID_CODE; 503 when no key opens the secret. */
export async function spendCode(deps: FactorDeps, tx: Tx, userId: number, code: string): Promise<CodeKind> {
  if (isAppCode(code)) {
    const factor = await lockFactor(tx, userId)
    if (!factor?.confirmed_at || !(await useAppCode(deps, tx, factor, code))) throw errors.wrongCode()
    return 'app'
  }
  const isRight = await spendRecoveryCode(tx, userId, hashOfRecoveryCode(userId, code), fromNow(deps.clock))
  if (!isRight) throw errors.wrongCode()
  return 'recovery'
}

/** Then the previous key can be removed from the settings. */
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
  const factors = await lockFactorsUnderOtherKeys(tx, currentKeyId(config), after, SEALS_A_ROUND)
  const opened = factors.map((factor) => ({ userId: factor.user_id, secret: unseal(config, factor.user_id, factor) }))
  const lost = opened.filter(({ secret }) => secret === undefined).map(({ userId }) => userId)
  if (lost.length > 0) log.error({ user_ids: lost }, 'no key of the settings opens these second factors')
  const seals = opened.flatMap(({ userId, secret }) =>
    secret === undefined ? [] : [{ user_id: userId, ...seal(config, userId, secret) }],
  )
  await updateSeals(tx, seals)
  return factors.length < SEALS_A_ROUND ? undefined : factors.at(-1)?.user_id
}

async function useAppCode(deps: FactorDeps, tx: Tx, factor: Factor, code: string): Promise<boolean> {
  const { user_id: userId } = factor
  const secret = unseal(deps.config, userId, factor)
  if (secret === undefined) {
    deps.log.error({ user_id: userId }, 'no key of the settings opens this second factor')
    throw errors.unavailable()
  }
  const step = stepOf(secret, code, deps.clock.now())
  return step !== null && (await useStep(tx, userId, step))
}

/** Replaces the recovery codes by ten new ones; they cannot be read again. */
export async function giveRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => hashOfRecoveryCode(userId, code))
  await replaceRecoveryCodes(tx, userId, hashes)
  return codes
}

function record(deps: FactorDeps, tx: Tx, { userId, actor }: Owner, action: string): Promise<void> {
  return recordAudit(tx, deps, actor, { action, entity: 'user', entityId: userId })
}
