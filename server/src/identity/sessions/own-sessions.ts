import type { IdentityDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findOpenSessions, type OpenSession } from './sessions.queries.ts'

const MOST_SHOWN = 100

export type EndDeps = AuditDeps & Pick<IdentityDeps, 'sessions'>
type Owner = { userId: number; sessionId: string }

export function ownSessions({ db, clock }: Pick<IdentityDeps, 'db' | 'clock'>, userId: number): Promise<OpenSession[]> {
  return findOpenSessions(db, userId, { now: fromNow(clock), limit: MOST_SHOWN })
}

export async function endOwnSession(deps: EndDeps, tx: Tx, actor: Actor, session: Owner): Promise<void> {
  if (!(await deps.sessions.endOf(session, 'ended by its owner', tx))) throw errors.notFound('This session')
  await recordEnd(deps, tx, actor, session.userId, { session_id: session.sessionId })
  afterCommit(tx, () => deps.sessions.forget(session.userId))
}

export async function endOtherSessions(
  deps: EndDeps,
  tx: Tx,
  actor: Actor,
  { userId, sessionId }: Owner,
): Promise<void> {
  await deps.sessions.endAllOf(userId, 'ended by its owner', tx, sessionId)
  await recordEnd(deps, tx, actor, userId, { all_but: sessionId })
  afterCommit(tx, () => deps.sessions.forget(userId))
}

/** What staff do is in the audit log (decision C14). */
async function recordEnd(deps: EndDeps, tx: Tx, actor: Actor, userId: number, after: object): Promise<void> {
  if (actor.role === 'user') return
  const change = { before: null, after: { ...after }, subjectId: userId }
  await recordAudit(tx, deps, actor, { action: 'user.session-end', entity: 'user', entityId: userId, change })
}
