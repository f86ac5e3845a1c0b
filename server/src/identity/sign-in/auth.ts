import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit, inTransaction } from '../../platform/db/transaction.ts'
import type { IdentityDeps } from '../deps.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { isGuessablePassword } from '../../platform/secrets/guesses.ts'
import { must } from '../../platform/shared/must.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { recordRepeated } from '../../platform/audit/repeats.ts'
import { addAccount, findAccountId, lockedAccount } from '../accounts/accounts.ts'
import {
  findAccountById,
  findAccountByEmail,
  hasSuperAdmin,
  updatePasswordHash,
  type AccountRow,
  type Credentials,
} from '../accounts/auth.queries.ts'
import { queueMail } from '../mails/mails.ts'
import { withinBudget } from '../passwords/login-budget.ts'
import { ADMIN_PASSWORD_MIN, isLongPassword } from '../passwords/password.ts'
import { can } from '../../platform/rights/permissions.ts'
import { factorsOf } from '../second-factor/second-factor.ts'
import type { OpenedSession } from '../sessions/sessions.ts'
import { openSession, type Opener } from './open-session.ts'
import { waitForFactor, type PendingSignIn } from './pending.ts'

/** `lacksFactor`: the session has no rights of its role before a second factor is set up (ADR 11). */
export type SignedIn = { account: AccountRow; session: OpenedSession; lacksFactor: boolean }

/** Outside of a transaction. 409 DUPLICATE on a taken address, 422 for a guessable password. */
export async function hashedForNew(
  deps: Pick<IdentityDeps, 'db' | 'passwords'>,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<HashedPassword> {
  if ((await findAccountId(deps.db, email)) !== undefined) throw errors.duplicate('email', 'belongs to another account')
  return hashed(deps, password, [email, name])
}

/** 409 DUPLICATE on a taken address. */
export async function register(
  deps: IdentityDeps,
  tx: Tx,
  {
    site,
    password,
    ...about
  }: { email: string; name: string; language: string; site: string; password: HashedPassword },
  caller: Actor,
): Promise<SignedIn> {
  const account = await addAccount(tx, { ...about, ...password, ...madeNow(deps) })
  const session = await openSession(deps, account, { site, caller }, tx)
  await queueMail(deps, tx, { kind: 'address_confirm', userId: account.user_id, address: account.email })
  afterCommit(tx, () => deps.activity.touch(account.user_id))
  return { account, session, lacksFactor: false }
}

/**
 * 401 INVALID_CREDENTIALS for an unknown address and a wrong password alike; 403 and 429 otherwise (decisions A11, C2).
 * The audit log keeps logins of administrators, and failures of one or at the administrators' door (decision C14).
 */
export async function signIn(
  deps: IdentityDeps,
  { email, ...given }: { email: string; password: string; site: string; adminOnly: boolean },
  caller: Actor,
): Promise<SignedIn | PendingSignIn> {
  const input = { ...given, email: email.trim() }
  const tried = await findAccountByEmail(deps.db, input.email)
  try {
    const account = await admitted(deps, input, tried)
    const hash = await renewPassword(deps, account, input.password)
    const isAdmin = can(account.role, 'panel')
    const factors = isAdmin ? await factorsOf(deps.db, account.user_id) : []
    const opener = { site: input.site, caller, isForPanel: input.adminOnly }
    if (factors.length > 0)
      return await waitForFactor(deps, { user_id: account.user_id, password_hash: hash }, { factors, ...opener })
    const session = await openSignedIn(deps, { account, hash }, opener)
    if (!input.adminOnly) deps.activity.touch(account.user_id)
    return { account, session, lacksFactor: isAdmin && deps.config.SECOND_FACTOR === 'required' }
  } catch (error) {
    const isRefusal = error instanceof AppError && (error.status === 401 || error.status === 403)
    const isAudited = input.adminOnly || (tried !== undefined && can(tried.role, 'panel'))
    if (isRefusal && isAudited) {
      const target = { entity: 'user', ...(tried && { entityId: tried.user_id }) }
      await recordRepeated(deps, caller, { action: 'login_failed', ...target, site: input.site })
    }
    throw error
  }
}

/** The audit log keeps that of an administrator (decision C14). */
export async function signOut(deps: IdentityDeps, tx: Tx, sessionId: string, caller: Actor): Promise<void> {
  const { userId, role } = caller
  await deps.sessions.end(sessionId, 'logout', tx)
  if (userId !== null && role !== null && can(role, 'panel'))
    await recordAudit(tx, deps, caller, { action: 'logout', entity: 'user', entityId: userId })
  afterCommit(tx, () => deps.sessions.forget(must(userId, 'user who signs out')))
}

export type ConfirmDeps = Pick<IdentityDeps, 'db' | 'config' | 'rateLimits' | 'passwords'>

export const WRONG_PASSWORD = { current_password: ['is not the password of this account'] }

/** Finds the account with this address and password, also a deleted one. It throws the errors of `signIn`. */
export async function proveAccount(
  deps: ConfirmDeps,
  { email, ...given }: { email: string; password: string; site: string },
): Promise<Credentials> {
  const input = { ...given, email: email.trim() }
  return proven(deps, input, await findAccountByEmail(deps.db, input.email))
}

/** Returns the hash that was checked. 422 on `current_password`; 429 beyond the budgets, which are those of logins. */
export async function confirmPassword(
  deps: ConfirmDeps,
  { userId, password, site }: { userId: number; password: string; site: string },
): Promise<string> {
  const account = await findAccountById(deps.db, userId)
  const tried = { userId, address: account?.email ?? '', site }
  const isRight = await withinBudget(deps, tried, () => deps.passwords.verify(password, account?.password_hash))
  if (!account || !isRight) throw errors.validation(WRONG_PASSWORD)
  return account.password_hash
}

/** Unless one exists. Safe to repeat, and in two processes at once. */
export async function ensureFirstAdmin(deps: IdentityDeps): Promise<void> {
  const { config, db, log } = deps
  if (config.ADMIN_EMAIL === '' || (await hasSuperAdmin(db))) return
  if ((await findAccountId(db, config.ADMIN_EMAIL)) !== undefined) {
    log.error('ADMIN_EMAIL belongs to an account that is not a super administrator, and no super administrator exists')
    return
  }
  const account = {
    email: config.ADMIN_EMAIL,
    name: 'Administrator',
    role: 'super_admin',
    ...(await hashed(deps, config.ADMIN_PASSWORD, [config.ADMIN_EMAIL])),
    ...madeNow(deps),
  } as const
  try {
    const { user_id } = await inTransaction(db, (tx) => addAccount(tx, account))
    log.info({ user_id }, 'created the first super administrator')
  } catch (error) {
    // Another process was first.
    if (!(error instanceof AppError && error.code === 'DUPLICATE')) throw error
  }
}

export type HashedPassword = { password_hash: string; has_long_password: boolean }

/** About 50 ms on a thread of its own, so never in a transaction. 422 for a password that is common or made of what
 * others know of its owner (`about`). */
export async function hashed(
  { passwords }: Pick<IdentityDeps, 'passwords'>,
  password: string,
  about: string[],
): Promise<HashedPassword> {
  if (isGuessablePassword(password, about))
    throw errors.validation({
      password: ['can be guessed: it is common, repeats itself, or is made of what others know'],
    })
  return { password_hash: await passwords.hash(password), has_long_password: isLongPassword(password) }
}

function madeNow({ clock }: IdentityDeps) {
  const now = fromNow(clock)
  return { created_at: now, updated_at: now }
}

async function admitted(
  deps: IdentityDeps,
  { email, password, site, adminOnly }: { email: string; password: string; site: string; adminOnly: boolean },
  tried: Credentials | undefined,
): Promise<Credentials> {
  const account = await proven(deps, { email, password, site }, tried)
  if (account.deleted_at !== null) throw errors.accountDeleted()
  if (account.status === 'suspended' || account.status === 'banned') throw errors.accountSuspended(403)
  if (adminOnly && !can(account.role, 'panel')) throw errors.forbidden()
  if (can(account.role, 'panel') && !isLongPassword(password)) throw errors.passwordTooShort(ADMIN_PASSWORD_MIN)
  return account
}

/** A missing account takes the same time. */
async function proven(
  deps: ConfirmDeps,
  { email, password, site }: { email: string; password: string; site: string },
  tried: Credentials | undefined,
): Promise<Credentials> {
  const isRight = await withinBudget(deps, { userId: tried?.user_id ?? null, address: email, site }, () =>
    deps.passwords.verify(password, tried?.password_hash),
  )
  if (!tried || !isRight) throw errors.invalidCredentials()
  return tried
}

/** Stores a hash at today's cost, and whether the password is long enough for an administrator. */
async function renewPassword(deps: IdentityDeps, account: Credentials, password: string): Promise<string> {
  const { password_hash: before, has_long_password: wasLong, user_id: userId } = account
  const isOutdated = deps.passwords.isOutdated(before)
  const isLong = isLongPassword(password)
  if (!isOutdated && isLong === wasLong) return before
  const after = isOutdated ? await deps.passwords.hash(password) : before
  await updatePasswordHash(deps.db, userId, before, { password_hash: after, has_long_password: isLong })
  return after
}

/** The account must still have the password that was checked: its change ends the sessions of before. */
function openSignedIn(
  deps: IdentityDeps,
  { account, hash }: { account: AccountRow; hash: string },
  opener: Opener,
): Promise<OpenedSession> {
  return inTransaction(deps.db, async (tx) => {
    const { user_id: userId, role } = account
    if ((await lockedAccount(tx, userId)).password_hash !== hash) throw errors.invalidCredentials()
    const session = await openSession(deps, account, opener, tx)
    const entry = { action: 'login', entity: 'user', entityId: userId } as const
    if (can(role, 'panel')) await recordAudit(tx, deps, { ...opener.caller, userId, role }, entry)
    return session
  })
}
