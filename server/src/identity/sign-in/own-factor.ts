import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import { siteMark } from '../passwords/login-budget.ts'
import { can } from '../../platform/rights/permissions.ts'
import type { Principal } from '../../platform/rights/principal.ts'
import { findSecondFactorAt } from '../sessions/sessions.queries.ts'
import { withinCodeBudget } from '../second-factor/code-budget.ts'
import {
  confirmOwnFactor,
  hasSecondFactor,
  renewRecoveryCodes,
  spendCode,
  startFactor,
  turnFactorOff,
  type FactorKind,
  type Owner,
} from '../second-factor/second-factor.ts'

export type Asking = { principal: Principal; site: string; caller: Actor }

const FRESH_MS = 10 * 60_000

/** 403 for a role without the panel, or if the account has passkeys and the session has no fresh second factor. */
export async function startOwn(deps: IdentityDeps, tx: Tx, asking: Asking): Promise<{ secret: string; uri: string }> {
  const owner = await ownerOf(tx, asking)
  const made = await startFactor(deps, tx, owner)
  if (await hasSecondFactor(tx, owner.userId)) await requireFresh(deps, tx, asking)
  return made
}

/** 403 SECOND_FACTOR_STALE unless this session has shown a second factor in the last ten minutes. */
export async function requireFresh(
  { clock }: Pick<IdentityDeps, 'clock'>,
  db: Db | Tx,
  { principal: { sessionId } }: Pick<Asking, 'principal'>,
): Promise<void> {
  const shownAt = await findSecondFactorAt(db, sessionId)
  if (shownAt === null || shownAt <= fromNow(clock, -FRESH_MS)) throw errors.secondFactorStale()
}

/** Stores that the session has just shown a second factor: it may change the account's factors for ten minutes. */
export async function noteShown(
  deps: IdentityDeps,
  tx: Tx,
  { principal, caller }: Asking,
  kind: FactorKind,
): Promise<void> {
  const { userId, sessionId } = principal
  await deps.sessions.setFactor(sessionId, true, tx)
  const change = { before: null, after: { second_factor: kind }, subjectId: userId }
  await recordAudit(tx, deps, caller, { action: 'second_factor.show', entity: 'user', entityId: userId, change })
  afterCommit(tx, () => deps.sessions.forget(userId))
}

export async function showOwnCode(deps: IdentityDeps, tx: Tx, asking: Asking, code: string): Promise<void> {
  await noteShown(deps, tx, asking, await spendCode(deps, tx, asking.principal.userId, code))
}

/** All other sessions of the account end. */
export async function confirmOwn(deps: IdentityDeps, tx: Tx, asking: Asking, code: string): Promise<string[]> {
  const codes = await confirmOwnFactor(deps, tx, await ownerOf(tx, asking), code)
  await keepThisSession(deps, tx, asking, true)
  return codes
}

/** Without a code it requires a fresh second factor. */
export async function renewOwnCodes(
  deps: IdentityDeps,
  tx: Tx,
  asking: Asking,
  code: string | undefined,
): Promise<string[]> {
  const owner = await ownerOf(tx, asking)
  if (code === undefined) await requireFresh(deps, tx, asking)
  else await spendCode(deps, tx, owner.userId, code)
  return renewRecoveryCodes(deps, tx, owner)
}

/** All other sessions of the account end. */
export async function turnOwnOff(deps: IdentityDeps, tx: Tx, asking: Asking, code: string): Promise<void> {
  const isLeft = await turnFactorOff(deps, tx, await ownerOf(tx, asking), code)
  await keepThisSession(deps, tx, asking, isLeft)
}

/** A wrong code is 422 and names the field, because a 401 would sign the client out. */
export async function withOwnCode<T>(
  deps: IdentityDeps,
  { principal: { userId }, site }: Asking,
  code: string,
  work: () => Promise<T>,
): Promise<T> {
  const mark = siteMark(deps.config, { userId, site })
  try {
    return await withinCodeBudget(deps, { userId, site, mark, code }, work)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_CODE')
      throw errors.validation({ code: ['is wrong or already used'] })
    throw error
  }
}

/** Locked. 403 for a role without the panel. */
export async function ownerOf(tx: Tx, { principal: { userId }, caller }: Asking): Promise<Owner> {
  const { email, role } = await lockedAccount(tx, userId)
  if (!can(role, 'panel')) throw errors.forbidden({ entity: 'user', entityId: userId })
  return { userId, email, actor: { ...caller, role } }
}

/** The others end. */
export async function keepThisSession(
  deps: IdentityDeps,
  tx: Tx,
  { principal }: Asking,
  hasFactor: boolean,
): Promise<void> {
  const { userId, sessionId } = principal
  await deps.sessions.setFactor(sessionId, hasFactor, tx)
  await deps.sessions.endAllOf(userId, 'second factor changed', tx, sessionId)
  afterCommit(tx, () => deps.sessions.forget(userId))
}
