import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { Audience, Lane, MessageOrigin, MessageType } from '../../platform/tables/tables.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { estimateAudience, findHighestUserId, listUnknownUsers } from '../records/audience.queries.ts'
import { insertBatches } from '../records/batches.queries.ts'
import { checkContent, toPushContent, type ContentRules, type NewContent } from './content.ts'
import { enqueueCoordination } from './control.ts'
import { addCounts } from '../records/counts.queries.ts'
import { emptyMessages, emptyMessagesOfPeople, insertMessage, type Message } from '../records/messages.queries.ts'
import { findTwin } from './twins.queries.ts'

export type MessageDeps = Pick<Deps, 'clock' | 'config' | 'queue' | 'providers' | 'tracing'>

export type StartedMessage = { messageId: number; status: Message['status']; audience: number }

/** Spec: sending rule 5. `isSystem`: not promotional. `lastUserId`: where the audience ends, by default the newest. */
export async function startBulkSend(
  deps: MessageDeps,
  tx: Tx,
  send: { audience: 'all' | 'sandbox'; content: NewContent; senderId: number; isSystem?: boolean; lastUserId?: number },
): Promise<StartedMessage> {
  checkContent(deps, toPushContent(send.content, 'campaign'))
  const bulk = { audience: send.audience, lane: 'campaign', needsOptIn: true } as const
  const kind: Kind = send.isSystem
    ? { ...bulk, origin: 'system', type: 'non_promotional', event: 'system' }
    : { ...bulk, origin: 'bulk', type: 'promotional' }
  const lastUserId = send.lastUserId ?? (await findHighestUserId(tx))
  const message = await insertMessage(tx, newMessage(deps, kind, send, { last_user_id: lastUserId }))
  await enqueueCoordination(deps, tx, message.message_id)
  const audience = await estimateAudience(tx, send.audience)
  return startedFrom(message, audience)
}

export type DirectSend = {
  origin: Exclude<MessageOrigin, 'bulk'>
  userIds: number[]
  content: NewContent
  promotional: boolean
  /** The kind by which people mute pushes. */
  event?: EventKind
  /** For the check just before it is sent (`deps.isStale`). */
  about?: Record<string, unknown> | null
  /** Null: the service itself. */
  senderId: number | null
  rules?: ContentRules
  /** The field whose fault names unknown users; null: they are skipped as deleted, without a fault. */
  userField: string | null
  /** The same send of the same sender within this time is the first one again (decision A8). */
  onceInMs?: number
}

/** Spec: sending rules 1 to 4. A promotional send ignores the users' preference. */
export async function sendToUsers(deps: MessageDeps, tx: Tx, send: DirectSend): Promise<StartedMessage> {
  const lane = laneOf(send)
  const userIds = [...new Set(send.userIds)].toSorted((a, b) => a - b)
  const unknown = new Set(await checkDirectSend(deps, tx, send))
  const now = fromNow(deps.clock)
  const since = send.onceInMs === undefined ? undefined : fromNow(deps.clock, -send.onceInMs)
  const twin = since && (await findTwin(tx, send, userIds[0]!, since))
  if (twin) return startedFrom(twin, userIds.length)
  const type: MessageType = send.promotional ? 'promotional' : 'non_promotional'
  const kind: Kind = {
    origin: send.origin,
    type,
    audience: 'users',
    lane,
    needsOptIn: !send.promotional,
    event: send.event,
  }
  const progress = { status: 'sending', coordinated_at: now, started_at: now } as const
  const known = userIds.filter((userId) => !unknown.has(userId))
  const message = await insertMessage(tx, newMessage(deps, kind, { ...send, userIds: known }, progress))
  const { message_id: messageId } = message
  await insertBatches(tx, [{ messageId, userIds, dueAt: now }], now)
  announceAfter(deps.queue, tx)
  await addCounts(tx, [{ messageId, selected: userIds.length }], messageId)
  return startedFrom(message, userIds.length)
}

function laneOf({ promotional }: Pick<DirectSend, 'promotional'>): Lane {
  return promotional ? 'campaign' : 'transactional'
}

/** Refuses content and users that a send would refuse; gives the users that do not exist, where they are no fault. */
export async function checkDirectSend(
  deps: MessageDeps,
  tx: Tx,
  send: Pick<DirectSend, 'content' | 'promotional' | 'rules' | 'userIds' | 'userField'>,
): Promise<number[]> {
  checkContent(deps, toPushContent(send.content, laneOf(send)), send.rules)
  const unknown = await listUnknownUsers(tx, send.userIds)
  if (send.userField !== null) refuseUnknownUsers(unknown, send.userField)
  return unknown
}

/** Empties messages about purged people, in the purge's transaction (decision C7). */
export async function forgetMessages(tx: Tx, messageIds: number[]): Promise<void> {
  if (messageIds.length > 0) await emptyMessages(tx, messageIds)
}

/** What people wrote to others, and what was written to one of them alone (ADR 031). */
export async function forgetMessagesOfPeople(tx: Tx, userIds: number[]): Promise<void> {
  await emptyMessagesOfPeople(tx, userIds)
}

type Said = Pick<DirectSend, 'content' | 'senderId' | 'about'> & { userIds?: number[] }

type Kind = {
  origin: MessageOrigin
  type: MessageType
  audience: Audience
  lane: Lane
  needsOptIn: boolean
  event?: EventKind | undefined
}

export function newMessage<Progress extends object>(
  deps: Pick<Deps, 'clock' | 'config' | 'tracing'>,
  kind: Kind,
  { content, senderId, about, userIds = [] }: Said,
  progress: Progress,
) {
  const now = fromNow(deps.clock)
  return {
    origin: kind.origin,
    type: kind.type,
    audience: kind.audience,
    lane: kind.lane,
    needs_opt_in: kind.needsOptIn,
    event: kind.event ?? null,
    title: content.title,
    body: content.text,
    data: toJson(content.data),
    about: toJson(about),
    sender_id: senderId,
    // A purge empties messages to one person alone (decision C7).
    recipient_id: userIds.length === 1 ? userIds[0]! : null,
    trace_context: deps.tracing.current(),
    created_at: now,
    updated_at: now,
    expires_at: fromNow(deps.clock, deps.config.MESSAGE_TTL_SECONDS * 1_000),
    ...progress,
  }
}

/** The driver stores text as JSON as it is; the type is the column's. */
function toJson(value: Record<string, unknown> | null | undefined): Record<string, unknown> | null {
  return value ? (JSON.stringify(value) as unknown as Record<string, unknown>) : null
}

function startedFrom({ message_id: messageId, status }: Message, audience: number): StartedMessage {
  return { messageId, status, audience }
}

function refuseUnknownUsers(unknown: number[], field: string): void {
  if (unknown.length === 0) return
  const named = unknown.slice(0, 10).join(', ')
  throw errors.validation({ [field]: [`no such user: ${named}${unknown.length > 10 ? ' and more' : ''}`] })
}
