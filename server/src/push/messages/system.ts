import type { Asked } from '../../identity/approvals/approvals.ts'
import type { Actor, AuditDeps } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { languageOf, type Language } from '../../platform/shared/languages.ts'
import { listLanguages } from '../records/audience.queries.ts'
import type { NewContent } from './content.ts'
import { recordSend } from './record-send.ts'
import { sendToAllOrAsk } from './asked-send.ts'
import { askForNamedSend, sendMustBeApproved } from './named-send.ts'
import { sendToUsers, type MessageDeps, type StartedMessage } from './messages.ts'

type Words = Pick<NewContent, 'title' | 'text'>

export type SystemSend = {
  to: { all: true } | { userIds: number[] }
  content: NewContent
  /** For users of that language; all others get `content`. */
  texts: { [Name in Language]?: Words }
  senderId: number
}

export type SystemRecord = StartedSystem | Asked

export type StartedSystem = Pick<StartedMessage, 'status' | 'audience'> & { messageIds: number[] }

/** To everyone in one language, or a message for each language (spec: the fifth event). 422 for unknown users. */
export async function sendSystem(
  deps: MessageDeps & AuditDeps,
  tx: Tx,
  actor: Actor,
  send: SystemSend,
): Promise<SystemRecord> {
  const { to, content, texts, senderId } = send
  if ('all' in to) {
    if (Object.keys(texts).length > 0) throw errors.validation({ texts: ['go only to named users'] })
    const record = await sendToAllOrAsk(deps, tx, actor, { content, senderId, isSystem: true })
    if ('approval' in record) return record
    const { messageId, ...started } = record
    return { ...started, messageIds: [messageId] }
  }
  const { userIds } = to
  if (await sendMustBeApproved(deps, tx, senderId, userIds)) {
    const asked = { content, texts, userIds, isSystem: true, promotional: false, recipients: userIds.length }
    return askForNamedSend(deps, tx, actor, asked)
  }
  return startSystem(deps, tx, actor, { content, texts, userIds, senderId, userField: 'user_ids' })
}

/** A message for each of their languages that has a text. */
export async function startSystem(
  deps: MessageDeps & AuditDeps,
  tx: Tx,
  actor: Actor,
  send: Omit<SystemSend, 'to'> & { userIds: number[]; userField: 'user_ids' | null; askedBy?: number },
): Promise<StartedSystem> {
  const { content, texts, userIds: all, senderId, userField, askedBy } = send
  const languages = await listLanguages(tx, all)
  const groups = Map.groupBy(all, (userId) => wordsFor(texts, languages.get(userId)))
  const started: StartedMessage[] = []
  // As many as there are languages.
  for (const [words, userIds] of groups)
    started.push(
      await sendToUsers(deps, tx, {
        origin: 'system',
        event: 'system',
        userIds,
        content: { ...content, ...words },
        promotional: false,
        senderId,
        userField,
      }),
    )
  const after = { audience: 'users', users: all.length, system: true, ...(askedBy && { asked_by: askedBy }) }
  for (const message of started) await recordSend(tx, deps, actor, message, after)
  return {
    status: 'sending',
    audience: started.reduce((sum, { audience }) => sum + audience, 0),
    messageIds: started.map(({ messageId }) => messageId),
  }
}

function wordsFor(texts: SystemSend['texts'], language: string | undefined): Words | undefined {
  const ours = languageOf(language ?? '')
  return ours && texts[ours]
}
