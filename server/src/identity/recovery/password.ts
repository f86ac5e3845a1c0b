import type { IdentityDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { changeAccount, knownOf, lockedAccount } from '../accounts/accounts.ts'
import { queueMail } from '../mails/mails.ts'
import { checkToken, deadToken, endTokensOf, useToken } from '../mails/tokens.ts'
import { ADMIN_PASSWORD_MIN } from '../passwords/password.ts'
import { hashed, type HashedPassword } from '../sign-in/auth.ts'

/** Whether anybody has the address is found out when the mail is sent: the same work for every address (ADR 10). */
export async function askForPassword(deps: IdentityDeps, tx: Tx, address: string): Promise<boolean> {
  return queueMail(deps, tx, { kind: 'password_forgotten', userId: null, address })
}

/** Outside a transaction. 422 on `token` when it is not valid, and for a guessable password. */
export async function prepareReset(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'passwords'>,
  { token, password }: { token: string; password: string },
): Promise<HashedPassword> {
  const { userId } = await checkToken(deps, deps.db, token, 'password')
  return hashed(deps, password, await knownOf(deps.db, userId))
}

/**
 * Uses up all tokens and ends all sessions of the account. Who read the mail has the address, so it counts as
 * confirmed. 422 on `token`, also when the account has another address by now; it stays after 422 on `password`.
 */
export async function resetPassword(
  deps: IdentityDeps,
  tx: Tx,
  { token, secret }: { token: string; secret: HashedPassword },
  caller: Actor,
): Promise<void> {
  const { userId, address } = await useToken(deps, tx, token, 'password')
  const at = fromNow(deps.clock)
  const before = await lockedAccount(tx, userId)
  const isBarred = before.status === 'suspended' || before.status === 'banned'
  if (before.deleted_at !== null || isBarred || before.email !== address) throw deadToken()
  if (before.role !== 'user' && !secret.has_long_password)
    throw errors.validation({ password: [`must have at least ${ADMIN_PASSWORD_MIN} characters for an administrator`] })
  await changeAccount(tx, before, { ...secret, email_verified_at: before.email_verified_at ?? at, updated_at: at })
  await endTokensOf(tx, userId)
  await deps.sessions.endAllOf(userId, 'password reset', tx)
  await queueMail(deps, tx, { kind: 'password_changed', userId, address })
  if (before.role !== 'user') {
    const change = { before: {}, after: { password: 'changed' }, subjectId: userId }
    const actor = { ...caller, userId, role: before.role }
    await recordAudit(tx, deps, actor, { action: 'password.reset', entity: 'user', entityId: userId, change })
  }
  afterCommit(tx, () => deps.sessions.forget(userId))
}
