import type { Deps } from '../../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import { siteMark } from '../passwords/login-budget.ts'
import { can } from '../permissions/permissions.ts'
import type { Principal } from '../sessions/sessions.ts'
import { withinCodeBudget } from '../second-factor/code-budget.ts'
import {
  confirmOwnFactor,
  renewRecoveryCodes,
  startFactor,
  turnFactorOff,
  type Owner,
} from '../second-factor/second-factor.ts'

export type Asking = { principal: Principal; site: string; caller: Actor }

/** 403 for a role without the panel. */
export async function startOwn(deps: Deps, tx: Tx, asking: Asking): Promise<{ secret: string; uri: string }> {
  return startFactor(deps, tx, await ownerOf(tx, asking))
}

/** All other sessions of the account end. */
export async function confirmOwn(deps: Deps, tx: Tx, asking: Asking, code: string): Promise<string[]> {
  const codes = await confirmOwnFactor(deps, tx, await ownerOf(tx, asking), code)
  await keepThisSession(deps, tx, asking, true)
  return codes
}

export async function renewOwnCodes(deps: Deps, tx: Tx, asking: Asking, code: string): Promise<string[]> {
  return renewRecoveryCodes(deps, tx, await ownerOf(tx, asking), code)
}

/** All other sessions of the account end. */
export async function turnOwnOff(deps: Deps, tx: Tx, asking: Asking, code: string): Promise<void> {
  await turnFactorOff(deps, tx, await ownerOf(tx, asking), code)
  await keepThisSession(deps, tx, asking, false)
}

/** A wrong code is 422 and names the field, because a 401 would sign the client out. */
export async function withOwnCode<T>(
  deps: Deps,
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

async function ownerOf(tx: Tx, { principal: { userId }, caller }: Asking): Promise<Owner> {
  const { email, role } = await lockedAccount(tx, userId)
  if (!can(role, 'panel')) throw errors.forbidden({ entity: 'user', entityId: userId })
  return { userId, email, actor: { ...caller, role } }
}

async function keepThisSession(deps: Deps, tx: Tx, { principal }: Asking, hasFactor: boolean): Promise<void> {
  const { userId, sessionId } = principal
  await deps.sessions.setFactor(sessionId, hasFactor, tx)
  await deps.sessions.endAllOf(userId, 'second factor changed', tx, sessionId)
  afterCommit(tx, () => deps.sessions.forget(userId))
}
