import type { AdministrationDeps } from '../deps.ts'
import { refuseWithoutMail } from '../../identity/mails/mails.ts'
import { askForPassword, askToConfirm } from '../../identity/recovery/recovery.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { workIn } from '../../platform/work/work.ts'
import { managedAccount } from './account-changes.ts'
import { isBarred } from './market-access.ts'

export const SUPPORT_MAILS = ['new_password', 'confirm_address'] as const

const REASON = 'ended by an administrator'

export type SupportMail = { userId: number; kind: (typeof SUPPORT_MAILS)[number] }

/** The mail for which the owner could ask too; nobody else sees its link. 403 unless one's own or of a lower role, 409
 * for an address that is confirmed or gets no more for now, and for a barred account, whose password stays. */
export async function sendSupportMail(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  mail: SupportMail,
): Promise<SupportMail> {
  refuseWithoutMail(deps)
  const { userId, kind } = mail
  const account = await managedAccount(tx, actor, userId)
  if (kind === 'new_password' && isBarred(account.status))
    throw errors.invalidState(`The account is ${account.status}, so its password cannot be reset.`)
  const work = workIn(deps, tx, actor)
  const isQueued = await (kind === 'confirm_address' ? askToConfirm(work, userId) : askForPassword(work, account.email))
  if (!isQueued)
    throw errors.conflict('This address gets no further mail of this kind for now. The earlier links work.')
  const change = { before: null, after: { mail: kind }, subjectId: userId }
  await recordAudit(tx, deps, actor, { action: 'user.mail', entity: 'user', entityId: userId, change })
  return mail
}

export type EndedSession = { userId: number; sessionId: string }

/** The phone or browser is signed out with its next call (decision E). 403 unless one's own or of a lower role, 404
 * without such an open session. */
export async function endSession(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { userId, sessionId }: EndedSession,
): Promise<EndedSession> {
  await managedAccount(tx, actor, userId)
  if (!(await deps.sessions.end(workIn(deps, tx, actor), { userId, sessionId, reason: REASON })))
    throw errors.notFound('This session')
  await recordEnd(deps, tx, actor, { userId, what: { session_id: sessionId } })
  return { userId, sessionId }
}

/** Signs out every phone and browser of the account. 403 as `endSession`. */
export async function endAllSessions(deps: AdministrationDeps, tx: Tx, actor: Actor, userId: number): Promise<number> {
  await managedAccount(tx, actor, userId)
  await deps.sessions.end(workIn(deps, tx, actor), { userId, reason: REASON })
  await recordEnd(deps, tx, actor, { userId, what: { sessions: 'all' } })
  return userId
}

type Ended = { userId: number; what: Record<string, string> }

async function recordEnd(deps: AdministrationDeps, tx: Tx, actor: Actor, { userId, what }: Ended): Promise<void> {
  const change = { before: null, after: what, subjectId: userId }
  await recordAudit(tx, deps, actor, { action: 'user.session-end', entity: 'user', entityId: userId, change })
}
