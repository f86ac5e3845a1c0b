import { afterCommit } from '../../platform/db/transaction.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { changeAccount, lockedAccount } from '../accounts/accounts.ts'
import type { Account } from '../accounts/auth.queries.ts'
import { queueMail } from '../mails/mails.ts'
import { checkToken, deadToken } from '../mails/tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** The mail goes to the new address if one waits, else to the present one. 409 when there is nothing to confirm. */
export async function askToConfirm(work: Work, userId: number): Promise<boolean> {
  const account = await lockedAccount(work.tx, userId)
  const address = account.pending_email ?? account.email
  if (address === account.email && account.email_verified_at !== null)
    throw errors.invalidState('This address is already confirmed.')
  return queueMail(work, { kind: 'address_confirm', userId, address })
}

/** ADR 10. A link that is opened again confirms nothing new. 422 on `token` when it is about neither address of the
 * account; 409 when another has it by now. */
export async function confirmAddress(
  work: Work,
  { sessions, token }: { sessions: Sessions; token: string },
): Promise<void> {
  const { user_id: userId, address } = await checkToken(work.tx, { token, purpose: 'address', now: work.now() })
  const before = await lockedAccount(work.tx, userId)
  if (before.deleted_at !== null) throw deadToken()
  if (address === before.email) {
    if (before.email_verified_at === null)
      await changeAccount(work, { before, change: { email_verified_at: work.now() } })
  } else if (address === before.pending_email) await changeAddress(work, { before, address })
  else throw deadToken()
  afterCommit(work.tx, () => sessions.forget(userId))
}

async function changeAddress(work: Work, { before, address }: { before: Account; address: string }): Promise<void> {
  const { user_id: userId, role, email: old } = before
  await changeAccount(work, { before, change: { email: address, pending_email: null, email_verified_at: work.now() } })
  await queueMail(work, { kind: 'address_changed', userId, address: old })
  if (role === 'user') return
  const change = { before: { email: old }, after: { email: address }, subjectId: userId }
  await work.as(before).audit({ action: 'user.update', entity: 'user', entityId: userId, change })
}
