import type { Deps } from '../../deps.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { pauseMessage, resumeMessage, stopMessage } from '../messages/control.ts'
import type { MessageRow } from './promotions.queries.ts'
import { kindOf, messageOf, type Scope } from './scopes.ts'

const CHANGES = { pause: pauseMessage, resume: resumeMessage, stop: stopMessage }

export type Control = keyof typeof CHANGES

/** 404 when it is not in this scope, 409 INVALID_STATE when it is finished. Audited when the status changes. */
export async function controlMessage(
  deps: Pick<Deps, 'clock' | 'queue' | 'auditKeys'>,
  tx: Tx,
  caller: Actor,
  { messageId, scope, control }: { messageId: number; scope: Scope; control: Control },
): Promise<MessageRow> {
  const seen = await messageOf(tx, messageId, scope)
  const change = await CHANGES[control](deps, tx, messageId)
  if (change === undefined) return seen
  await recordAudit(tx, deps, caller, {
    action: `${kindOf(seen)}.${control}`,
    entity: 'message',
    entityId: messageId,
    change: { before: { status: change.from }, after: { status: change.to }, subjectId: null },
  })
  return messageOf(tx, messageId, scope)
}
