import { refuseTakenAddress } from '../../identity/accounts/accounts.ts'
import type { Account, AccountChange } from '../../identity/accounts/auth.queries.ts'
import { queueMail, sendsMail } from '../../identity/mails/mails.ts'
import type { Work } from '../../platform/work/work.ts'
import type { Services } from './account-changes.ts'

/** If the service sends mail, a new address of one's own waits in `pending_email` until it is confirmed (ADR 10).
 * The present address takes a waiting one back. 409 DUPLICATE when it is taken. */
export async function holdOwnAddress(
  work: Work,
  { before, email, change }: { before: Account; email: string | undefined; change: AccountChange },
): Promise<AccountChange> {
  if (email === undefined || !sendsMail(work)) return change
  if (email === before.email) return before.pending_email === null ? change : { ...change, pending_email: null }
  await refuseTakenAddress(work.tx, email, before.user_id)
  const { email: _email, email_verified_at: _verified, ...others } = change
  return email === before.pending_email ? others : { ...others, pending_email: email }
}

/** Queues the mails that a change causes: to confirm an address, and to tell the owner. */
export async function tellOwner(
  work: Work,
  { services, before, after }: { services: Services; before: Account; after: Account },
): Promise<void> {
  const { user_id: userId } = after
  const tell = (kind: 'password_changed' | 'address_changed' | 'address_confirm', address: string) =>
    queueMail({ ...work.ground, ...services }, work.tx, { kind, userId, address })
  if (after.password_hash !== before.password_hash) await tell('password_changed', before.email)
  if (after.email !== before.email) {
    await tell('address_changed', before.email)
    await tell('address_confirm', after.email)
  }
  if (after.pending_email !== null && after.pending_email !== before.pending_email)
    await tell('address_confirm', after.pending_email)
}
