import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { errors } from '../../platform/shared/errors.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { presentAccount, type AdministrationDeps } from './account-changes.ts'
import { mayManage } from './rights.ts'

/** A session of a user that has ended. */
export type EndedSession = { userId: number; sessionId: string }

/**
 * Ends one session of a user (decision E): the phone or browser is signed out with its next call. 403 for an account of
 * an equal or higher role that is not one's own, 404 for a user or an open session that is not there.
 */
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
