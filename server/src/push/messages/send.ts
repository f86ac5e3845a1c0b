import type { About } from '../../platform/tables/about.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findLanguage, type Language } from '../../platform/shared/languages.ts'
import { must } from '../../platform/shared/must.ts'
import type { Lane, MessageOrigin, MessageStatus, MessageType } from '../../platform/tables/tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { countAudience, findHighestUserId, listLanguages, listUnknownUsers } from '../records/audience.queries.ts'
import { insertBatches } from '../ledger/ledger.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { groupByHome, toHome } from '../records/home.queries.ts'
import { insertMessage, type Message } from '../records/messages.queries.ts'
import type { NewContent } from './content.ts'
import { findTwin } from './earlier.queries.ts'

/** `upTo`: the last user, by default the newest. */
type SendAudience = { kind: 'all' | 'sandbox'; upTo?: number } | { kind: 'users'; userIds: readonly number[] }

type Texts = { [Name in Language]?: Pick<NewContent, 'title' | 'text'> }

export type Send = {
  audience: SendAudience
  content: NewContent
  /** What named users of a language read in place of `content`. */
  texts?: Texts
  lane: Lane
  origin: MessageOrigin
  /** Null: the service itself. */
  senderId: number | null
  /** It goes to inboxes alone, and no phone rings. */
  isInboxOnly?: boolean
  /** The kind by which people mute pushes. */
  event?: EventKind
  /** It is checked just before the push leaves. */
  about?: About | null
  /** The field whose fault (422) names users who do not exist. Without one they are skipped as deleted. */
  userField?: 'user_id' | 'user_ids'
  /** The same send of the same sender within this time is the first one again (decision A8). */
  onceInMs?: number
}

export type Sent = { messageIds: number[]; status: MessageStatus; audience: number }

/** Starts a message, for named users one for each of their languages that has a text (spec: sending rules 1 to 5). */
export async function send(work: Work, input: Send): Promise<Sent> {
  const { audience } = input
  if (audience.kind !== 'users') return sendToMany(work, { ...input, audience })
  const userIds = [...new Set(audience.userIds)].toSorted((a, b) => a - b)
  const sent: Sent[] = []
  for (const [words, people] of await byLanguage(work, userIds, input.texts))
    sent.push(await sendToNamed(work, { ...input, content: { ...input.content, ...words } }, people))
  const { status } = must(sent[0], 'message of a send')
  return { messageIds: sent.flatMap(({ messageIds }) => messageIds), status, audience: userIds.length }
}

/** 422 for users who do not exist, under the name of the field that holds them. */
export async function refuseUnknownUsers({ tx }: Work, userIds: readonly number[], field: string): Promise<void> {
  refuseUnknown(await listUnknownUsers(tx, userIds), field)
}

function refuseUnknown(unknown: readonly number[], field: string): void {
  if (unknown.length === 0) return
  const named = unknown.slice(0, 10).join(', ')
  throw errors.validation({ [field]: [`no such user: ${named}${unknown.length > 10 ? ' and more' : ''}`] })
}

async function sendToMany(
  work: Work,
  input: Send & { audience: Exclude<SendAudience, { kind: 'users' }> },
): Promise<Sent> {
  const { audience } = input
  const upTo = audience.upTo ?? (await findHighestUserId(work.tx))
  const message = await insertMessage(work.tx, newMessage(work, input, { last_user_id: upTo }))
  await work.enqueue('coordinate', { messageId: message.message_id })
  return toSent(message, await countAudience(work.tx, audience.kind))
}

async function sendToNamed(work: Work, input: Send, userIds: number[]): Promise<Sent> {
  const unknown = await listUnknownUsers(work.tx, userIds)
  if (input.userField !== undefined) refuseUnknown(unknown, input.userField)
  const twin = await findEarlier(work, input, userIds)
  if (twin) return toSent(twin, userIds.length)
  const now = work.now()
  const missing = new Set(unknown)
  const known = userIds.filter((userId) => !missing.has(userId))
  // Ids of purged people are not stored again: they are only counted. Where all are gone, the batch has user 0.
  const batched = known.length > 0 ? known : [0]
  const progress = { status: 'sending', coordinated_at: now, started_at: now, ...toRecipient(known) } as const
  const message = await insertMessage(work.tx, newMessage(work, input, progress))
  const { message_id: messageId } = message
  await insertBatches(work.tx, [{ messageId, userIds: batched, dueAt: now }], now)
  work.announce()
  const counted = known.length > 0 ? userIds : userIds.map(() => 0)
  for (const [home, own] of groupByHome(work.tx, counted, (userId) => userId)) {
    const batchedHere = batched.filter((userId) => toHome(work.tx, userId) === home)
    const counts = { messageId, selected: own.length, skipped_deleted: own.length - batchedHere.length }
    await addCounts(work.tx, home, [counts], messageId)
  }
  return toSent(message, userIds.length)
}

/** A purge empties messages to one person alone (decision C7). */
export function toRecipient(userIds: readonly number[]): { recipient_id: number | null } {
  return { recipient_id: userIds.length === 1 ? must(userIds[0], 'recipient of a message') : null }
}

type MessageInput = Pick<Send, 'content' | 'lane' | 'origin' | 'senderId' | 'event' | 'about' | 'isInboxOnly'> & {
  audience: Pick<Send['audience'], 'kind'>
}

/** The row of a message; `progress`: what differs from one that is not coordinated yet. */
export function newMessage<Progress extends object>(work: Work, input: MessageInput, progress: Progress) {
  const { content, audience, lane, origin, senderId, event = null, about, isInboxOnly = false } = input
  const now = work.now()
  return {
    origin,
    type: findType(input),
    audience: audience.kind,
    lane,
    // A promotional send to named users ignores their preference (spec: sending rule 3).
    needs_opt_in: lane === 'transactional' || audience.kind !== 'users',
    event,
    is_inbox_only: isInboxOnly,
    title: content.title,
    body: content.text,
    data: toJson(content.data),
    about: toJson(about),
    sender_id: senderId,
    recipient_id: null,
    trace_context: work.trace(),
    created_at: now,
    updated_at: now,
    expires_at: work.now(work.config.MESSAGE_TTL_SECONDS * 1_000),
    ...progress,
  }
}

/** What the service says goes to everyone in the lane of campaigns, and is not promotional. */
function findType({ lane, origin }: MessageInput): MessageType {
  return lane === 'campaign' && origin !== 'system' ? 'promotional' : 'non_promotional'
}

/** The driver stores text as JSON as it is; the type is the column's. */
function toJson(value: Record<string, unknown> | null | undefined): Record<string, unknown> | null {
  return value ? (JSON.stringify(value) as unknown as Record<string, unknown>) : null
}

async function findEarlier({ tx, now }: Work, input: Send, userIds: number[]): Promise<Message | undefined> {
  if (input.onceInMs === undefined) return undefined
  return findTwin(tx, input, must(userIds[0], 'user of a send'), now(-input.onceInMs))
}

async function byLanguage(
  { tx }: Work,
  userIds: number[],
  texts: Texts = {},
): Promise<Map<Texts[Language] | undefined, number[]>> {
  if (Object.keys(texts).length === 0) return new Map([[undefined, userIds]])
  const languages = await listLanguages(tx, userIds)
  return Map.groupBy(userIds, (userId) => {
    const language = findLanguage(languages.get(userId) ?? '')
    return language && texts[language]
  })
}

function toSent({ message_id: messageId, status }: Message, audience: number): Sent {
  return { messageIds: [messageId], status, audience }
}
