import { auditStaff } from '../accounts/accounts.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import type { Sessions } from './sessions.ts'

const REASON = 'ended by its owner'

type Input = { sessions: Sessions; sessionId: string }

export async function endOwnSession(work: Work, { sessions, sessionId }: Input): Promise<void> {
  if (!(await sessions.end(work, { userId: callerId(work), sessionId, reason: REASON })))
    throw errors.notFound('This session')
  await recordEnd(work, { session_id: sessionId })
}

/** Ends all sessions of who acts but `sessionId`, which is the one that asks. */
export async function endOtherSessions(work: Work, { sessions, sessionId }: Input): Promise<void> {
  await sessions.end(work, { userId: callerId(work), exceptFor: sessionId, reason: REASON })
  await recordEnd(work, { all_but: sessionId })
}

async function recordEnd(work: Work, after: Record<string, string>): Promise<void> {
  const userId = callerId(work)
  const change = { after, subjectId: userId }
  await auditStaff(work, { action: 'user.session-end', entity: 'user', entityId: userId, change })
}
