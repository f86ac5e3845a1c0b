import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { AppError, errors } from '../../shared/errors.ts'
import { fromNow } from '../../shared/clock.ts'
import { recordAuditAlone, type Actor } from '../audit/audit.ts'
import { addAccount } from './accounts.ts'
import { findAccountByEmail, hasSuperAdmin, isEmailTaken, updatePasswordHash, type AccountRow } from './auth.queries.ts'
import { can } from './permissions.ts'
import type { OpenedSession } from './sessions.ts'

export type SignedIn = { account: AccountRow; session: OpenedSession }

/**
 * Makes an account with its default settings and opens its first session; `complete` runs in the same transaction.
 * 409 DUPLICATE on a taken address.
 */
export async function register(
  deps: Deps,
  input: { email: string; password: string; name: string },
  complete: (tx: Tx, signedIn: SignedIn) => Promise<void>,
): Promise<SignedIn> {
  if (await isEmailTaken(deps.db, input.email)) throw emailTaken()
  const passwordHash = await deps.passwords.hash(input.password)
  const registered = await inTransaction(deps.db, async (tx) => {
    const { email, name } = input
    const account = await addAccount(tx, { email, name, password_hash: passwordHash, ...madeNow(deps) })
    const session = await deps.sessions.open({ userId: account.user_id, role: account.role }, tx)
    const signedIn = { account, session }
    await complete(tx, signedIn)
    return signedIn
  })
  deps.activity.touch(registered.account.user_id)
  return registered
}

/**
 * Opens a session for an address and its password. 401 INVALID_CREDENTIALS for an unknown address and a wrong password
 * alike; with the right password 403 ACCOUNT_SUSPENDED, or FORBIDDEN when `adminOnly` and the role has no such rights.
 * Failures count per address and IP (decision A11): 429.
 */
export async function signIn(
  deps: Deps,
  input: { email: string; password: string; ip: string; adminOnly: boolean },
): Promise<SignedIn> {
  const account = await checkPassword(deps, input)
  if (account.status === 'suspended' || account.status === 'banned') throw errors.accountSuspended(403)
  if (input.adminOnly && !can(account.role, 'panel')) throw errors.forbidden()
  if (deps.passwords.isOutdated(account.password_hash))
    await updatePasswordHash(deps.db, account.user_id, account.password_hash, await deps.passwords.hash(input.password))
  const session = await deps.sessions.open({ userId: account.user_id, role: account.role })
  if (!input.adminOnly) deps.activity.touch(account.user_id)
  return { account, session }
}

/**
 * Opens a session for an administrator, as `signIn` does; the audit log keeps each login and each failure (decision
 * C14), with the account that was tried, if there is one.
 */
export async function signInAsAdmin(
  deps: Deps,
  input: { email: string; password: string; ip: string },
  caller: Actor,
): Promise<SignedIn> {
  try {
    const signedIn = await signIn(deps, { ...input, adminOnly: true })
    const { user_id: userId, role } = signedIn.account
    await recordAuditAlone(deps, { ...caller, userId, role }, { action: 'login', entity: 'user', entityId: userId })
    return signedIn
  } catch (error) {
    if (error instanceof AppError && error.code !== 'RATE_LIMITED') {
      const account = await findAccountByEmail(deps.db, input.email)
      const entry = { action: 'login_failed', entity: 'user', ...(account && { entityId: account.user_id }) }
      await recordAuditAlone(deps, caller, entry)
    }
    throw error
  }
}

/**
 * Makes the first super administrator from ADMIN_EMAIL and ADMIN_PASSWORD, unless there is one. Safe to repeat, and in
 * two processes at once.
 */
export async function ensureFirstAdmin(deps: Deps): Promise<void> {
  const { config, db, passwords, log } = deps
  if (config.ADMIN_EMAIL === '' || (await hasSuperAdmin(db))) return
  if (await isEmailTaken(db, config.ADMIN_EMAIL)) {
    log.error('ADMIN_EMAIL belongs to an account that is no super administrator, and there is no other')
    return
  }
  const account = {
    email: config.ADMIN_EMAIL,
    name: 'Administrator',
    role: 'super_admin',
    password_hash: await passwords.hash(config.ADMIN_PASSWORD),
    ...madeNow(deps),
  } as const
  try {
    const { user_id } = await inTransaction(db, (tx) => addAccount(tx, account))
    log.info({ user_id }, 'made the first super administrator')
  } catch (error) {
    // Another process was first.
    if (!(error instanceof AppError && error.code === 'DUPLICATE')) throw error
  }
}

function madeNow({ clock }: Deps) {
  const now = fromNow(clock)
  return { created_at: now, updated_at: now }
}

/** The account whose password this is. A try counts before it is checked, so that parallel guesses count too. */
async function checkPassword(
  { db, passwords, rateLimits }: Deps,
  { email, password, ip }: { email: string; password: string; ip: string },
) {
  const subject = `${email.toLowerCase()} ${ip}`
  await rateLimits.hit('login-failures', subject)
  let isFailure = false
  try {
    const account = await findAccountByEmail(db, email)
    const isRight = await passwords.verify(password, account?.password_hash)
    isFailure = !isRight
    if (!account || !isRight) throw errors.invalidCredentials()
    return account
  } finally {
    if (!isFailure) await rateLimits.giveBack('login-failures', subject)
  }
}

function emailTaken() {
  return errors.duplicate('email', 'is that of another account')
}
