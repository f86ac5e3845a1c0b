import { createHash } from 'node:crypto'
import type { IdentityDeps } from '../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import { recordRepeated } from '../../platform/audit/repeats.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hashOfToken, newToken } from '../../platform/secrets/encryption.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { lockedAccount } from '../accounts/accounts.ts'
import type { Account, Credentials } from '../accounts/auth.queries.ts'
import { siteMark } from '../passwords/login-budget.ts'
import { can } from '../../platform/rights/permissions.ts'
import { withinCodeBudget } from '../second-factor/code-budget.ts'
import { spendCode, type FactorKind } from '../second-factor/second-factor.ts'
import type { SignedIn } from './auth.ts'
import { openSession } from './open-session.ts'
import { findPending, insertPending, takePending, type Pending } from './pending.queries.ts'

const LIFETIME_MS = 5 * 60_000

/** `factors`: what the account can show. */
export type PendingSignIn = { pendingToken: string; expiresAt: Date; factors: FactorKind[] }

/** Its token is valid only for the second step. */
export async function waitForFactor(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  account: Pick<Credentials, 'user_id' | 'password_hash'>,
  { factors, isForPanel }: { factors: FactorKind[]; isForPanel: boolean },
): Promise<PendingSignIn> {
  const { token, hash } = newToken()
  const expiresAt = fromNow(clock, LIFETIME_MS)
  const pending = { token_hash: hash, user_id: account.user_id, password_mark: markOf(account), for_panel: isForPanel }
  await inTransaction(db, (tx) => insertPending(tx, { ...pending, expires_at: expiresAt }))
  return { pendingToken: token, expiresAt, factors }
}

/** 401 SIGN_IN_EXPIRED also when the password has changed since; after 401 INVALID_CODE the token still counts. */
export async function continueSignIn(
  deps: IdentityDeps,
  { token, code, site }: { token: string; code: string; site: string },
  caller: Actor,
): Promise<SignedIn> {
  const tokenHash = hashOfToken(token)
  const pending = await findPending(deps.db, tokenHash, fromNow(deps.clock))
  if (pending === undefined) throw errors.signInExpired()
  const { user_id: userId } = pending
  const mark = siteMark(deps.config, { userId, site })
  return auditingRefusals(deps, { userId, site, caller }, () =>
    withinCodeBudget(deps, { userId, site, mark, code }, () =>
      openWithFactor(deps, { tokenHash, pending, site, caller }, (tx) => spendCode(deps, tx, userId, code)),
    ),
  )
}

type Opening = { tokenHash: Buffer; pending: Pending; site: string; caller: Actor }

/** `spend` makes the shown factor invalid for reuse, in the transaction that opens the session. */
export function openWithFactor(
  deps: IdentityDeps,
  { tokenHash, pending: { user_id: userId, password_mark: mark, for_panel: isForPanel }, site, caller }: Opening,
  spend: (tx: Tx) => Promise<FactorKind>,
): Promise<SignedIn> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await takePending(tx, tokenHash))) throw errors.signInExpired()
    const account = await admittedAccount(tx, userId, mark)
    const kind = await spend(tx)
    const session = await openSession(deps, account, { site, caller, isForPanel, hasFactor: true }, tx)
    const change = { before: null, after: { second_factor: kind }, subjectId: userId }
    const actor = { ...caller, userId, role: account.role }
    await recordAudit(tx, deps, actor, { action: 'login', entity: 'user', entityId: userId, change })
    return { account, session, lacksFactor: false }
  })
}

type Refusals = { userId: number; site: string; caller: Actor; isSignIn?: boolean }

/** Records a wrong code or passkey at a sign-in, and everywhere a passkey that may have been copied. */
export async function auditingRefusals<T>(
  deps: AuditDeps & Pick<IdentityDeps, 'db'>,
  { userId, site, caller, isSignIn = true }: Refusals,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof AppError ? error.code : ''
    const isFailedSignIn = isSignIn && ['INVALID_CODE', 'INVALID_PASSKEY'].includes(code)
    const action = code === 'PASSKEY_BEHIND' ? 'passkey.behind' : isFailedSignIn ? 'login_failed' : undefined
    if (action !== undefined) await recordRepeated(deps, caller, { action, entity: 'user', entityId: userId, site })
    throw error
  }
}

/** Locked. */
async function admittedAccount(tx: Tx, userId: number, passwordMark: Buffer): Promise<Account> {
  const account = await lockedAccount(tx, userId)
  const isSame = account.deleted_at === null && markOf(account).equals(passwordMark) && can(account.role, 'panel')
  if (!isSame) throw errors.signInExpired()
  if (account.status === 'suspended' || account.status === 'banned') throw errors.accountSuspended(403)
  return account
}

/** Changes with the password, and tells nothing of it. */
function markOf({ password_hash: hash }: Pick<Credentials, 'password_hash'>): Buffer {
  return createHash('sha256').update(`pending ${hash}`).digest()
}
