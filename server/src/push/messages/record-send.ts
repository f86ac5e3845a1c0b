import type { Tx } from '../../platform/db/connect.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import type { StartedMessage } from './messages.ts'

/** The audit log does not contain the content (decision C14). */
export function recordSend(
  tx: Tx,
  deps: AuditDeps,
  actor: Actor,
  { messageId }: StartedMessage,
  after: Record<string, unknown>,
): Promise<void> {
  const change = { before: null, after, subjectId: null }
  return recordAudit(tx, deps, actor, { action: 'notification.send', entity: 'message', entityId: messageId, change })
}
