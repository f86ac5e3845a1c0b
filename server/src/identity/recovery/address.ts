import type { IdentityDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { changeAccount, lockedAccount } from '../accounts/accounts.ts'
import type { Account } from '../accounts/auth.queries.ts'
import { queueMail } from '../mails/mails.ts'
import { checkToken, deadToken } from '../mails/tokens.ts'

/** The mail goes to the new address if one waits, else to the present one. 409 when there is nothing to confirm. */
export async function askToConfirm(deps: IdentityDeps, tx: Tx, userId: number): Promise<boolean> {
  const account = await lockedAccount(tx, userId)
  const address = account.pending_email ?? account.email
  if (address === account.email && account.email_verified_at !== null)
    throw errors.invalidState('This address is already confirmed.')
  return queueMail(deps, tx, { kind: 'address_confirm', userId, address })
}

/** ADR 10. A link that is opened again confirms nothing new. 422 on `token` when it is about neither address of the
 * account; 409 when another has it by now. */
export async function confirmAddress(deps: IdentityDeps, tx: Tx, token: string, caller: Actor): Promise<void> {
  const { userId, address } = await checkToken(deps, tx, token, 'address')
  const at = fromNow(deps.clock)
  const before = await lockedAccount(tx, userId)
  if (before.deleted_at !== null) throw deadToken()
  if (address === before.email) {
    if (before.email_verified_at === null) await changeAccount(tx, before, { email_verified_at: at, updated_at: at })
  } else if (address === before.pending_email) await changeAddress(deps, tx, { before, address, at }, caller)
  else throw deadToken()
  afterCommit(tx, () => deps.sessions.forget(userId))
}

async function changeAddress(
  deps: IdentityDeps,
  tx: Tx,
  { before, address, at }: { before: Account; address: string; at: Date },
  caller: Actor,
): Promise<void> {
  const { user_id: userId, role, email: old } = before
  await changeAccount(tx, before, { email: address, pending_email: null, email_verified_at: at, updated_at: at })
  await queueMail(deps, tx, { kind: 'address_changed', userId, address: old })
  if (role === 'user') return
  const change = { before: { email: old }, after: { email: address }, subjectId: userId }
  await recordAudit(
    tx,
    deps,
    { ...caller, userId, role },
    { action: 'user.update', entity: 'user', entityId: userId, change },
  )
}
