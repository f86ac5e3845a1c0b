import { isBarred } from '../accounts/barred.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import type { IdentityDeps } from '../deps.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { isGuessablePassword } from '../../platform/secrets/guesses.ts'
import { THE_SERVICE, type Actor } from '../../platform/audit/audit.ts'
import { recordRepeated } from '../../platform/audit/repeats.ts'
import { callerId, inWork, type Work } from '../../platform/work/work.ts'
import { addAccount, auditStaff, findAccountId, lockedAccount } from '../accounts/accounts.ts'
import {
  findAccountById,
  findAccountByEmail,
  hasSuperAdmin,
  updatePasswordHash,
  type AccountRow,
  type Credentials,
} from '../accounts/accounts.queries.ts'
import { queueMail } from '../mails/mails.ts'
import { isLongPassword, PASSWORD_LENGTH } from '../../platform/secrets/password-length.ts'
import { can } from '../../platform/rights/permissions.ts'
import { requireFresh } from '../second-factor/own-factor.ts'
import { listFactors, hasSecondFactor } from '../second-factor/second-factor.ts'
import type { OpenedSession, Sessions } from '../sessions/sessions.ts'
import { callerSite } from '../sessions/sites.ts'
import { withinBudget } from './login-budget.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { waitForFactor, type PendingSignIn } from './pending.ts'

/** Outside of a transaction. 409 DUPLICATE on a taken address, 422 for a guessable password. */
export async function hashedForNew(
  deps: Pick<IdentityDeps, 'db' | 'passwords'>,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<HashedPassword> {
  if ((await findAccountId(deps.db, email)) !== undefined) throw errors.duplicate('email', 'belongs to another account')
  return hashed(deps, password, [email, name])
}

type NewUser = { email: string; name: string; language: string; password: HashedPassword }

/** 409 DUPLICATE on a taken address. */
export async function register(
  work: Work,
  { sessions, activity, password, ...about }: Pick<IdentityDeps, 'sessions' | 'activity'> & NewUser,
): Promise<SignedIn> {
  const account = await addAccount(work, { ...about, ...password })
  const { user_id: userId, email: address } = account
  const session = await openSession(work, { sessions, userId })
  await queueMail(work, { kind: 'address_confirm', userId, address })
  afterCommit(work.tx, () => activity.touch(userId))
  return { account, session, lacksFactor: false }
}

type SignIn = { email: string; password: string; adminOnly: boolean; by: Actor }

/**
 * 401 INVALID_CREDENTIALS for an unknown address and a wrong password alike; 403 and 429 otherwise (decisions A11, C2).
 * The audit log keeps logins of administrators, and failures of one or at the administrators' door (decision C14).
 */
export async function signIn(deps: IdentityDeps, input: SignIn): Promise<SignedIn | PendingSignIn> {
  const { password, adminOnly: isForPanel, by } = input
  const email = input.email.trim()
  const tried = await findAccountByEmail(deps.db, email)
  return auditingFailures(deps, { tried, isForPanel, by }, async () => {
    const account = await admitted(deps, { ...input, email, tried })
    const hash = await renewPassword(deps, { account, password })
    const { user_id: userId, role } = account
    const isAdmin = can(role, 'panel')
    const factors = isAdmin ? await listFactors(deps.db, userId) : []
    if (factors.length > 0) return waitForFactor(deps, { userId, hash, factors, isForPanel })
    const session = await openSignedIn(deps, { account, hash, isForPanel, by })
    if (!isForPanel) deps.activity.touch(userId)
    return { account, session, lacksFactor: isAdmin && deps.config.SECOND_FACTOR === 'required' }
  })
}

/** The audit log keeps the sign-out of an administrator (decision C14). */
export async function signOut(
  work: Work,
  { sessions, sessionId }: { sessions: Sessions; sessionId: string },
): Promise<void> {
  const userId = callerId(work)
  await sessions.end(work, { userId, sessionId, reason: 'logout' })
  await auditStaff(work, { action: 'logout', entity: 'user', entityId: userId })
}

export const WRONG_PASSWORD = { current_password: ['is not the password of this account'] }

type Prover = Pick<IdentityDeps, 'db' | 'config' | 'rateLimits' | 'passwords'>

/** Finds the account with this address and password, also a deleted one. It throws the errors of `signIn`. */
export async function proveAccount(
  deps: IdentityDeps,
  { email: given, password, by }: { email: string; password: string; by: Actor },
): Promise<Credentials> {
  const email = given.trim()
  const tried = await findAccountByEmail(deps.db, email)
  return auditingFailures(deps, { tried, isForPanel: false, by }, () =>
    proven(deps, { email, password, tried, site: callerSite(by) }),
  )
}

/** Returns the hash that was checked. 422 on `current_password`; 429 beyond the budgets, which are those of logins. */
export async function confirmPassword(
  deps: Prover,
  { userId, password, site }: { userId: number; password: string; site: string },
): Promise<string> {
  const account = await findAccountById(deps.db, userId)
  const tried = { userId, address: account?.email ?? '', site }
  const isRight = await withinBudget(deps, tried, () => deps.passwords.verify(password, account?.password_hash))
  if (!account || !isRight) throw errors.validation(WRONG_PASSWORD)
  return account.password_hash
}

/** Requires the password, or a fresh second factor if the account has one. 422 on `current_password`. */
export async function confirmOwner(
  deps: Prover & Pick<IdentityDeps, 'clock'>,
  { by, sessionId, password }: { by: Actor; sessionId: string; password: string | undefined },
): Promise<void> {
  const userId = callerId({ by })
  if (await hasSecondFactor(deps.db, userId)) return requireFresh(deps.db, { sessionId, now: fromNow(deps.clock) })
  if (password === undefined) throw errors.validation({ current_password: ['is required'] })
  await confirmPassword(deps, { userId, password, site: callerSite(by) })
}

/** Creates one unless a super administrator exists. Safe to repeat, and in two processes at once. */
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
  } as const
  try {
    const { user_id } = await inWork(deps, THE_SERVICE, (work) => addAccount(work, account))
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

type Attempt = { tried: Credentials | undefined; isForPanel: boolean; by: Actor }

/** Failures of an account of staff at any door, and of everybody at the administrators' one (decision C14). */
async function auditingFailures<T>(
  deps: IdentityDeps,
  { tried, isForPanel, by }: Attempt,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const isRefusal = error instanceof AppError && (error.status === 401 || error.status === 403)
    const isAudited = isForPanel || (tried !== undefined && can(tried.role, 'panel'))
    if (isRefusal && isAudited) {
      const target = { entity: 'user', ...(tried && { entityId: tried.user_id }) }
      await recordRepeated(deps, by, { action: 'login_failed', ...target, site: callerSite(by) })
    }
    throw error
  }
}

type Tried = { email: string; password: string; tried: Credentials | undefined }

async function admitted(deps: IdentityDeps, { adminOnly, by, ...input }: SignIn & Tried): Promise<Credentials> {
  const account = await proven(deps, { ...input, site: callerSite(by) })
  if (account.deleted_at !== null) throw errors.accountDeleted()
  if (isBarred(account.status)) throw errors.accountSuspended(403)
  if (adminOnly && !can(account.role, 'panel')) throw errors.forbidden()
  if (can(account.role, 'panel') && !isLongPassword(input.password))
    throw errors.passwordTooShort(PASSWORD_LENGTH.leastOfAdministrators)
  return account
}

/** A missing account takes the same time. */
async function proven(
  deps: Prover,
  { email: address, password, site, tried }: Tried & { site: string },
): Promise<Credentials> {
  const isRight = await withinBudget(deps, { userId: tried?.user_id ?? null, address, site }, () =>
    deps.passwords.verify(password, tried?.password_hash),
  )
  if (!tried || !isRight) throw errors.invalidCredentials()
  return tried
}

/** Stores a hash at today's cost, and whether the password is long enough for an administrator. */
async function renewPassword(
  { db, passwords }: IdentityDeps,
  { account, password }: { account: Credentials; password: string },
): Promise<string> {
  const { password_hash: before, has_long_password: wasLong, user_id } = account
  const isOutdated = passwords.isOutdated(before)
  const has_long_password = isLongPassword(password)
  if (!isOutdated && has_long_password === wasLong) return before
  const password_hash = isOutdated ? await passwords.hash(password) : before
  if (await updatePasswordHash(db, { user_id, before, password_hash, has_long_password })) return password_hash
  // Another sign-in was faster, or the password was changed.
  const stored = (await findAccountById(db, user_id))?.password_hash
  return stored !== undefined && (await passwords.verify(password, stored)) ? stored : before
}

/** 401 unless the account is still as it was admitted: a change of it ended only the sessions of before. */
function openSignedIn(
  deps: IdentityDeps,
  { account, hash, isForPanel, by }: { account: AccountRow; hash: string; isForPanel: boolean; by: Actor },
): Promise<OpenedSession> {
  const { user_id: userId, role } = account
  return inWork(deps, { ...by, userId, role }, async (work) => {
    if (!(await isUnchanged(work.tx, account, hash))) throw errors.invalidCredentials()
    const session = await openSession(work, { sessions: deps.sessions, userId, isForPanel })
    if (can(role, 'panel')) await work.audit({ action: 'login', entity: 'user', entityId: userId })
    return session
  })
}

async function isUnchanged(tx: Tx, { user_id: userId, role, status }: AccountRow, hash: string): Promise<boolean> {
  const now = await lockedAccount(tx, userId)
  const isSame = now.password_hash === hash && now.role === role && now.status === status && now.deleted_at === null
  return isSame && !(can(role, 'panel') && (await hasSecondFactor(tx, userId)))
}
