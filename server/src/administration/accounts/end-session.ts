import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { errors } from '../../platform/shared/errors.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { presentAccount, type AdministrationDeps } from './account-changes.ts'
import { mayManage } from './rights.ts'

export type EndedSession = { userId: number; sessionId: string }

/** The phone or browser is signed out with its next call (decision E). 403 unless one's own or of a lower role, 404
 * without such an open session. */
export async function endSession(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { userId, sessionId }: EndedSession,
): Promise<EndedSession> {
  const account = await presentAccount(tx, userId)
  const target = { entity: 'user', entityId: userId }
  if (actor.userId !== userId && !mayManage(actor, account)) throw errors.forbidden(target)
  if (!(await deps.sessions.endOf({ userId, sessionId }, 'ended by an administrator', tx)))
    throw errors.notFound('This session')
  const change = { before: null, after: { session_id: sessionId }, subjectId: userId }
  await recordAudit(tx, deps, actor, { action: 'user.session-end', ...target, change })
  afterCommit(tx, () => deps.sessions.forget(userId))
  return { userId, sessionId }
}
