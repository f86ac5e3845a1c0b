import { isBarred } from '../accounts/barred.ts'
import type { IdentityDeps } from '../deps.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { auditAccount, changeAccount, listKnownWords, lockedAccount } from '../accounts/accounts.ts'
import type { Account } from '../accounts/accounts.queries.ts'
import { queueMail } from '../mails/mails.ts'
import { checkToken, deadToken } from '../accounts/tokens.ts'
import { refuseShortPassword } from '../../platform/secrets/password-length.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { hashed, type HashedPassword } from '../sign-in/auth.ts'

/** Only the sending of the mail finds out who has the address: the same work for every address (ADR 10). */
export async function requestReset(work: Work, address: string): Promise<boolean> {
  return queueMail(work, { kind: 'password_forgotten', userId: null, address })
}

/** Outside a transaction. 422 on `token` when it is not valid, and for a guessable password. */
export async function prepareReset(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'passwords'>,
  { token, password }: { token: string; password: string },
): Promise<HashedPassword> {
  const { user_id } = await checkToken(deps.db, { token, purpose: 'password', now: fromNow(deps.clock) })
  return hashed(deps, password, await listKnownWords(deps.db, user_id))
}

/**
 * Uses up all tokens and ends all sessions of the account. Who read the mail has the address, so it counts as
 * confirmed. 422 on `token`, also when the account has another address by now; it stays after 422 on `password`.
 */
export async function resetPassword(
  work: Work,
  { sessions, token, secret }: { sessions: Sessions; token: string; secret: HashedPassword },
): Promise<void> {
  const check = () => checkToken(work.tx, { token, purpose: 'password', now: work.now() })
  const { user_id: userId } = await check()
  const before = await lockedAccount(work.tx, userId)
  // Another call may have used the token before it gave the lock back, or its time may have ended meanwhile.
  const { address } = await check()
  const { role, status } = before
  if (before.deleted_at !== null || isBarred(status) || before.email !== address) throw deadToken()
  refuseShortPassword(role, secret.has_long_password)
  const email_verified_at = before.email_verified_at ?? work.now()
  await changeAccount(work, { before, change: { ...secret, email_verified_at } })
  await sessions.end(work, { userId, reason: 'password reset' })
  await queueMail(work, { kind: 'password_changed', userId, address })
  if (role === 'user') return
  const entry = { action: 'password.reset', before: {}, after: { password: 'changed' } }
  await auditAccount(work.as({ userId, role }), userId, entry)
}

/** The mail goes to the new address if one waits, else to the present one. 409 when there is nothing to confirm. */
export async function requestConfirmation(work: Work, userId: number): Promise<boolean> {
  const account = await lockedAccount(work.tx, userId)
  const address = account.pending_email ?? account.email
  if (address === account.email && account.email_verified_at !== null)
    throw errors.invalidState('This address is already confirmed.')
  return queueMail(work, { kind: 'address_confirm', userId, address })
}

/** ADR 10. A link that is opened again confirms nothing new. 422 on `token` when it is about neither address of the
 * account, or the account is barred; 409 when another has it by now. */
export async function confirmAddress(
  work: Work,
  { sessions, token }: { sessions: Sessions; token: string },
): Promise<void> {
  const { user_id: userId, address } = await checkToken(work.tx, { token, purpose: 'address', now: work.now() })
  const before = await lockedAccount(work.tx, userId)
  if (before.deleted_at !== null || isBarred(before.status)) throw deadToken()
  if (address === before.email) {
    if (before.email_verified_at === null)
      await changeAccount(work, { before, change: { email_verified_at: work.now() } })
  } else if (address === before.pending_email) await changeAddress(work, { before, address })
  else throw deadToken()
  afterCommit(work.tx, () => sessions.forget(userId))
}

async function changeAddress(work: Work, { before, address }: { before: Account; address: string }): Promise<void> {
  const { user_id: userId, role, email: old } = before
  await changeAccount(work, { before, change: { email: address, email_verified_at: work.now() } })
  await queueMail(work, { kind: 'address_changed', userId, address: old })
  if (role === 'user') return
  const entry = { action: 'user.update', before: { email: old }, after: { email: address } }
  await auditAccount(work.as({ userId, role }), userId, entry)
}
