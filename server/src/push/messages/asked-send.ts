import type { Deps } from '../../deps.ts'
import { askForApproval, mustBeApproved, type Asked } from '../../identity/approvals/approvals.ts'
import type { Actor, AuditDeps } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { summariseAudience } from '../records/audience-summary.queries.ts'
import { findHighestUserId } from '../records/audience.queries.ts'
import { checkContent, toPushContent, type NewContent } from './content.ts'
import { startBulkSend, type MessageDeps, type StartedMessage } from './messages.ts'
import { reachOf } from './preview.ts'
import { recordSend } from './record-send.ts'

/** A send to everyone, kept until it is approved. `lastUserId`: the newest user of its audience. */
export type AskedSend = {
  content: NewContent
  isSystem: boolean
  lastUserId: number
  /** Whom it reaches at the time of the request, as its preview says. */
  recipients: number
  /** Absent: those of a send to named users. */
  userIds?: undefined
  texts?: undefined
}

type SendDeps = MessageDeps & AuditDeps

/** Requests approval of a send to many users (ADR 054). The audience ends at the newest user of this moment. */
export async function sendToAllOrAsk(
  deps: SendDeps & Pick<Deps, 'config'>,
  tx: Tx,
  actor: Actor,
  send: { content: NewContent; senderId: number; isSystem: boolean },
): Promise<StartedMessage | Asked> {
  const { content, isSystem } = send
  if (mustBeApproved(deps.config, 'send')) {
    const summary = await summariseAudience(tx, 'all', fromNow(deps.clock))
    if (summary.selected > deps.config.APPROVAL_RECIPIENTS) {
      checkContent(deps, toPushContent(content, 'campaign'))
      const lastUserId = await findHighestUserId(tx)
      const asked: AskedSend = { content, isSystem, lastUserId, recipients: reachOf(summary) }
      return askForApproval(deps, tx, actor, { kind: 'send', request: { ...asked }, about: { ...asked } })
    }
  }
  const started = await startBulkSend(deps, tx, { audience: 'all', ...send })
  await recordSend(tx, deps, actor, started, { audience: 'all', ...(isSystem && { system: true }) })
  return started
}

export async function startAskedSend(
  deps: SendDeps,
  tx: Tx,
  { asked, authorId, approver }: { asked: AskedSend; authorId: number; approver: Actor },
): Promise<StartedMessage> {
  const { content, isSystem, lastUserId } = asked
  const send = { audience: 'all', content, senderId: authorId, isSystem, lastUserId } as const
  const started = await startBulkSend(deps, tx, send)
  const after = { audience: 'all', asked_by: authorId, ...(isSystem && { system: true }) }
  await recordSend(tx, deps, approver, started, after)
  return started
}
