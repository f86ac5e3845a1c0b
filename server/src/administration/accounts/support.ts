import { auditAccount } from '../../identity/accounts/accounts.ts'
import { refuseWithoutMail } from '../../identity/mails/mails.ts'
import { requestReset, requestConfirmation } from '../../identity/recovery/recovery.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { presentAccount, refuseUnmanaged } from './account-changes.ts'
import { isBarred } from '../../identity/accounts/barred.ts'

export const SUPPORT_MAILS = ['new_password', 'confirm_address'] as const

const REASON = 'ended by an administrator'

export type SupportMail = { userId: number; kind: (typeof SUPPORT_MAILS)[number] }

/** The mail for which the owner could ask too; nobody else sees its link. 403 unless one's own or of a lower role, 409
 * for an address that is confirmed or gets no more for now, and for a barred account, whose password stays. */
export async function sendSupportMail(work: Work, { userId, kind }: SupportMail): Promise<SupportMail> {
  refuseWithoutMail(work)
  const account = await managedAccount(work, userId)
  if (kind === 'new_password' && isBarred(account.status))
    throw errors.invalidState(`The account is ${account.status}, so its password cannot be reset.`)
  const isQueued = await (kind === 'confirm_address'
    ? requestConfirmation(work, userId)
    : requestReset(work, account.email))
  if (!isQueued)
    throw errors.conflict('This address gets no further mail of this kind for now. The earlier links work.')
  await auditAccount(work, userId, { action: 'user.mail', after: { mail: kind } })
  return { userId, kind }
}

type Ended = { sessions: Sessions; userId: number; sessionId: string }

/** The phone or browser is signed out with its next call (decision E). 403 unless one's own or of a lower role, 404
 * without such an open session. */
export async function endSession(work: Work, { sessions, ...ended }: Ended): Promise<Omit<Ended, 'sessions'>> {
  const { userId, sessionId } = ended
  await managedAccount(work, userId)
  if (!(await sessions.end(work, { ...ended, reason: REASON }))) throw errors.notFound('This session')
  await auditAccount(work, userId, { action: 'user.session-end', after: { session_id: sessionId } })
  return ended
}

/** Signs out every phone and browser of the account. 403 as `endSession`. */
export async function endAllSessions(work: Work, { sessions, userId }: Omit<Ended, 'sessionId'>): Promise<number> {
  await managedAccount(work, userId)
  await sessions.end(work, { userId, reason: REASON })
  await auditAccount(work, userId, { action: 'user.session-end', after: { sessions: 'all' } })
  return userId
}

async function managedAccount(work: Work, userId: number): Promise<Account> {
  const account = await presentAccount(work.tx, userId)
  if (work.by.userId !== userId) refuseUnmanaged(work, account)
  return account
}
