import type { PushDeps } from '../deps.ts'
import { inPart, unlessAway } from '../../platform/db/homes.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import type { Work } from '../../platform/work/work.ts'
import { pauseMessage, resumeMessage, stopMessage } from '../messages/control.ts'
import { listEndings } from '../records/counts.queries.ts'
import type { MessageRow } from './campaigns.queries.ts'
import { toKind, requireMessage, type Scope } from './scopes.ts'

const CHANGES = { pause: pauseMessage, resume: resumeMessage, stop: stopMessage }

export type Control = keyof typeof CHANGES

/** 404 when it is not in this scope, 409 INVALID_STATE when it is finished. Audited when the status changes. */
export async function controlMessage(
  work: Work,
  { messageId, scope, control, log }: { messageId: number; scope: Scope; control: Control; log: PushDeps['log'] },
): Promise<MessageRow> {
  const message = await requireMessage(work.tx, messageId, scope)
  const change = await CHANGES[control](work, messageId)
  if (change === undefined) return message
  await work.audit({
    action: `${toKind(message)}.${control}`,
    entity: 'message',
    entityId: messageId,
    change: { before: { status: change.from }, after: { status: change.to }, subjectId: null },
  })
  if (change.to === 'stopped' && message.lane === 'campaign') {
    const counted = inPart(work.tx, () => listEndings(work.tx, [messageId]))
    const [ending = { message_id: messageId }] = await unlessAway(work.tx, counted, [])
    afterCommit(work.tx, () => log.info(ending, 'a campaign was stopped'))
  }
  return requireMessage(work.tx, messageId, scope)
}
