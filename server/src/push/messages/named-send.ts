import type { Deps } from '../../deps.ts'
import { askForApproval, mustBeApproved, type Asked } from '../../identity/approvals/approvals.ts'
import type { Actor, AuditDeps } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { countReached } from '../records/counts.queries.ts'
import { checkContent, toPushContent, type NewContent } from './content.ts'
import { checkDirectSend, sendToUsers, type MessageDeps, type StartedMessage } from './messages.ts'
import { recordSend } from './record-send.ts'

type SendDeps = MessageDeps & AuditDeps

export type AskedNamedSend = {
  content: NewContent
  isSystem: boolean
  userIds: number[]
  recipients: number
  promotional: boolean
  /** The texts of a system notification by language. */
  texts?: Record<string, { title: string; text: string }>
}

export type NamedSend = { content: NewContent; userIds: number[]; promotional: boolean; senderId: number }

const WITHIN_MS = 3_600_000

/**
 * True: with whom else the sender has reached in the last hour, by whatever send, they are more people than
 * APPROVAL_RECIPIENTS (ADR 054). `userIds`: null for the test users.
 */
export async function sendMustBeApproved(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  senderId: number,
  userIds: number[] | null,
): Promise<boolean> {
  if (!mustBeApproved(config, 'send')) return false
  return (await countReached(tx, senderId, fromNow(clock, -WITHIN_MS), userIds)) > config.APPROVAL_RECIPIENTS
}

/** 409 INVALID_STATE for a send that cannot ask for the approval that it needs. */
export async function refuseUnapprovedSend(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  senderId: number,
  userIds: number[] | null,
): Promise<void> {
  if (await sendMustBeApproved(deps, tx, senderId, userIds))
    throw errors.invalidState(
      'A second administrator must approve sends to so many people within an hour. Request the approval with POST /api/admin/send-notification/approval.',
    )
}

/** Sends to named users; 409 INVALID_STATE when that needs an approval. */
export async function sendToNamed(deps: SendDeps, tx: Tx, actor: Actor, send: NamedSend): Promise<StartedMessage> {
  const { userIds, promotional, senderId } = send
  await refuseUnapprovedSend(deps, tx, senderId, userIds)
  const started = await sendToUsers(deps, tx, { ...send, origin: 'named', userField: 'user_ids' })
  await recordSend(tx, deps, actor, started, { audience: 'users', users: userIds.length, promotional })
  return started
}

/** Content that a send would refuse is refused now. */
export async function askForNamedSend(deps: SendDeps, tx: Tx, actor: Actor, asked: AskedNamedSend): Promise<Asked> {
  const { content, promotional, userIds, texts = {} } = asked
  await checkDirectSend(deps, tx, { content, promotional, userIds, userField: 'user_ids' })
  for (const [language, words] of Object.entries(texts))
    checkContent(deps, toPushContent({ ...content, ...words }, 'transactional'), {
      fields: { text: `texts.${language}.text` },
    })
  return askForApproval(deps, tx, actor, { kind: 'send', request: { ...asked }, about: { ...asked } })
}

/** Its sender is the author of the request. Missing users are skipped. */
export async function startAskedNamedSend(
  deps: SendDeps,
  tx: Tx,
  { asked, authorId, approver }: { asked: AskedNamedSend; authorId: number; approver: Actor },
): Promise<StartedMessage> {
  const { content, promotional, userIds } = asked
  const send = { content, promotional, userIds, senderId: authorId, origin: 'named', userField: null } as const
  const started = await sendToUsers(deps, tx, send)
  const after = { audience: 'users', users: userIds.length, promotional, asked_by: authorId }
  await recordSend(tx, deps, approver, started, after)
  return started
}
