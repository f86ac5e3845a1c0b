import { AppError, errors } from '../../platform/shared/errors.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { can } from '../../platform/rights/permissions.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import type { Account } from '../accounts/accounts.queries.ts'
import type { IdentityDeps } from '../deps.ts'
import { findSecondFactorAt } from '../sessions/sessions.queries.ts'
import { withinCodeBudget } from './code-budget.ts'
import { isAppCode } from './recovery-codes.ts'
import { seal } from './sealing.ts'
import {
  giveRecoveryCodes,
  hasSecondFactor,
  keepCodesOfFactors,
  spendCode,
  useAppCode,
  type FactorKind,
} from './second-factor.ts'
import { confirmFactor, deleteFactor, lockFactor, putUnconfirmed } from './second-factor.queries.ts'
import { newSecret, describeSecret } from './totp.ts'

export const CONFIRM_WITHIN_MS = 15 * 60_000
const FRESH_MS = 10 * 60_000

/** The session in which the owner of an account changes its factors. */
export type OwnSession = Pick<IdentityDeps, 'sessions' | 'log'> & { sessionId: string }

type WithCode = OwnSession & { code: string }

/** Returns the texts of the secret, only here. 409 INVALID_STATE when a confirmed factor exists. 403 for a role without
 * the panel, or if the account has passkeys and the session has no fresh second factor. */
export async function startOwn(work: Work, { sessionId }: OwnSession): Promise<{ secret: string; uri: string }> {
  const { tx, config, now } = work
  const { user_id, email } = await lockOwner(work)
  const secret = newSecret()
  if (!(await putUnconfirmed(tx, { user_id, ...seal(config, user_id, secret), created_at: now() })))
    throw errors.invalidState('The second factor is on. Turn it off before you set up another one.')
  if (await hasSecondFactor(tx, user_id)) await requireFresh(tx, { sessionId, now: now() })
  return describeSecret(secret, email)
}

/** Returns the recovery codes, only here; all other sessions of the account end. 409 INVALID_STATE without a waiting
 * secret; 401 INVALID_CODE. */
export async function confirmOwn(work: Work, { code, ...own }: WithCode): Promise<string[]> {
  const { tx, now } = work
  const { user_id: userId, role } = await lockOwner(work)
  const factor = await lockFactor(tx, userId)
  const isWaiting = factor?.confirmed_at === null && factor.created_at > now(-CONFIRM_WITHIN_MS)
  if (!isWaiting) throw errors.invalidState('No second factor waits for confirmation. Set it up again.')
  if (!isAppCode(code) || !(await useAppCode(work, { factor, code, log: own.log }))) throw errors.wrongCode()
  await confirmFactor(tx, { userId, at: now() })
  await recordOwn(work.as({ role }), { action: 'second_factor.enable' })
  const codes = await giveRecoveryCodes(tx, userId)
  await keepThisSession(work, { ...own, hasFactor: true })
  return codes
}

/** Earlier codes become invalid. Without a code it requires a fresh second factor. 409 INVALID_STATE without any. */
export async function renewOwnCodes(
  work: Work,
  { code, sessionId, log }: OwnSession & { code: string | undefined },
): Promise<string[]> {
  const { user_id: userId, role } = await lockOwner(work)
  if (code === undefined) await requireFresh(work.tx, { sessionId, now: work.now() })
  else await spendCode(work, { userId, code, log })
  if (!(await hasSecondFactor(work.tx, userId))) throw errors.invalidState('This account has no second factor.')
  await recordOwn(work.as({ role }), { action: 'second_factor.recovery_codes' })
  return giveRecoveryCodes(work.tx, userId)
}

/** Turns the app off. Recovery codes stay if passkeys are left; all other sessions end. 401 INVALID_CODE. */
export async function turnOwnOff(work: Work, { code, ...own }: WithCode): Promise<void> {
  const { user_id: userId, role } = await lockOwner(work)
  if (!(await lockFactor(work.tx, userId))?.confirmed_at) throw errors.wrongCode()
  await spendCode(work, { userId, code, log: own.log })
  await deleteFactor(work.tx, userId)
  await recordOwn(work.as({ role }), { action: 'second_factor.disable' })
  await keepThisSession(work, { ...own, hasFactor: await keepCodesOfFactors(work.tx, userId) })
}

export async function showOwnCode(work: Work, { code, ...own }: WithCode): Promise<void> {
  const kind = await spendCode(work, { userId: callerId(work), code, log: own.log })
  await noteFactorUse(work, { ...own, kind })
}

/** Stores that the session has just shown a second factor: it may change the account's factors for ten minutes. */
export async function noteFactorUse(
  work: Work,
  { sessions, sessionId, kind }: OwnSession & { kind: FactorKind },
): Promise<void> {
  await sessions.setFactor(work, { userId: callerId(work), sessionId, hasFactor: true })
  await recordOwn(work, { action: 'second_factor.show', after: { second_factor: kind } })
}

/** 403 SECOND_FACTOR_STALE unless this session has shown a second factor in the last ten minutes. */
export async function requireFresh(db: Db | Tx, { sessionId, now }: { sessionId: string; now: Date }): Promise<void> {
  const shownAt = await findSecondFactorAt(db, sessionId)
  if (shownAt === null || shownAt.getTime() <= now.getTime() - FRESH_MS) throw errors.secondFactorStale()
}

/** A wrong code is 422 and names the field, because a 401 would sign the client out. */
export async function withOwnCode<T>(
  deps: Pick<IdentityDeps, 'db' | 'config' | 'rateLimits'>,
  { by, code }: { by: Actor; code: string },
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await withinCodeBudget(deps, { userId: callerId({ by }), by, code }, change)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_CODE')
      throw errors.validation({ code: ['is wrong or already used'] })
    throw error
  }
}

/** The account of who acts. 403 for a role without the panel. */
export async function lockOwner(work: Work): Promise<Account> {
  const account = await lockedAccount(work.tx, callerId(work))
  if (!can(account.role, 'panel')) throw errors.forbidden({ entity: 'user', entityId: account.user_id })
  return account
}

export async function keepThisSession(
  work: Work,
  { sessions, sessionId, hasFactor }: OwnSession & { hasFactor: boolean },
): Promise<void> {
  const userId = callerId(work)
  await sessions.setFactor(work, { userId, sessionId, hasFactor })
  await sessions.end(work, { userId, exceptFor: sessionId, reason: 'second factor changed' })
}

type OwnEntry = { action: string; before?: Record<string, unknown> | null; after?: Record<string, unknown> | null }

export async function recordOwn(work: Work, { action, before = null, after = null }: OwnEntry): Promise<void> {
  const userId = callerId(work)
  const change = { before, after, subjectId: userId }
  const isPlain = before === null && after === null
  await work.audit({ action, entity: 'user', entityId: userId, ...(!isPlain && { change }) })
}
