import type { About } from '../../platform/tables/about.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { deepLink, findSubject, type Place } from '../../platform/events/deep-links.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { wakeWork } from '../checks/checks.ts'
import { insertBatches } from '../ledger/ledger.queries.ts'
import type { NewContent } from './content.ts'
import { addCounts } from '../records/counts.queries.ts'
import { newMessage, toRecipient } from './send.ts'
import { groupByHome, isPersonAway } from '../records/home.queries.ts'
import { insertMessages, rewriteMessages } from '../records/messages.queries.ts'
import { HELD } from '../records/statuses.queries.ts'
import { listLatestOfKeys, listPutOffOfKeys, type Latest } from './earlier.queries.ts'

/** A message that the service wrote. A tap opens `place`. */
export type AutomaticSend = {
  userIds: number[]
  event: EventKind
  /** The person whom its text may name. */
  senderId: number | null
  /** Its text for `count` events: one, unless `quietMs` merges them. */
  content: (count: number) => NewContent
  place: Place
  /** The record and state in which it is worth sending, for the check before it leaves; null: it always is. */
  about: About | null
  /** A later message with the same key to the same person takes its place. */
  mergeKey: string | null
  /** It ends what earlier messages with the key began: who was told of none of them is not told of it. */
  isEnd?: boolean
  /** Least time between messages of the key. To one user only; the caller's lock lets one send happen at a time. */
  quietMs?: number
}

const KIND = {
  origin: 'automatic',
  audience: { kind: 'users' },
  lane: 'transactional',
} as const

// A statement takes 65,535 values, and thousands of texts at once would hold the event loop.
const MESSAGES_AT_ONCE = 500

/**
 * They are part of the transaction that they tell of (spec: sending rules 1 to 4). Null: the message has no users.
 * People whose home is away get a message of their own, which is held on the coordinator (`giveHeld`).
 */
export async function sendEach(work: Work, sends: AutomaticSend[]): Promise<(number | null)[]> {
  const parts = sends.flatMap((send) => splitByHome(work, send))
  const ids = new Map<AutomaticSend, number>()
  for (let from = 0; from < parts.length; from += MESSAGES_AT_ONCE) {
    const some = parts.slice(from, from + MESSAGES_AT_ONCE)
    for (const [i, messageId] of (await sendParts(work, some)).entries())
      ids.set(must(some[i], 'part of a send').of, messageId)
  }
  return sends.map((send) => ids.get(send) ?? null)
}

/** `of`: what it is a part of. `isHeld`: it waits for the home of its only user. */
type Part = { of: AutomaticSend; send: AutomaticSend; isHeld: boolean }

function splitByHome(work: Work, of: AutomaticSend): Part[] {
  const held = new Set(of.userIds.filter((userId) => isPersonAway(work, userId)))
  const heard = of.userIds.filter((userId) => !held.has(userId))
  const parts = [...held].map((userId) => ({ of, send: { ...of, userIds: [userId] }, isHeld: true }))
  return heard.length > 0 ? [...parts, { of, send: { ...of, userIds: heard }, isHeld: false }] : parts
}

async function sendParts(work: Work, parts: Part[]): Promise<number[]> {
  const now = work.now()
  const latest = await findLatest(work, parts)
  const ids = new Map<Part, number>()
  const waiting = parts.flatMap((part) => {
    const { messageId, merges, waits } = latest.get(part) ?? {}
    return messageId === undefined || merges === undefined || !waits
      ? []
      : [{ ...part, part, messageId, merges: merges + 1 }]
  })
  for (const { part, messageId } of waiting) ids.set(part, messageId)
  await rewriteMessages(
    work.tx,
    waiting.map(({ send, messageId, merges }) => ({
      messageId,
      merges,
      about: send.about,
      ...writeContent(work, send, merges),
    })),
    now,
  )
  const fresh = parts.filter((part) => !ids.has(part))
  const told = fresh.filter(({ send, isHeld }) => !isHeld && send.quietMs === undefined)
  await endEarlier(
    work,
    told.flatMap(({ send: { userIds, mergeKey } }) => userIds.map((recipientId) => ({ recipientId, mergeKey }))),
    now,
  )
  const messageIds = await insertAll(
    work,
    fresh.map((part) => ({ ...part, startsAt: findStart(part.send, latest.get(part), now) })),
    now,
  )
  for (const [i, part] of fresh.entries()) ids.set(part, must(messageIds[i], 'id of a message'))
  return parts.map((part) => must(ids.get(part), 'id of a message'))
}

async function findLatest(work: Work, parts: Part[]): Promise<Map<Part, Latest>> {
  const spaced = parts.filter(({ send }) => send.quietMs !== undefined)
  if (spaced.length === 0) return new Map()
  const keys = spaced.map(({ send: { userIds, mergeKey } }) => ({
    recipientId: must(userIds[0], 'recipient of a message'),
    mergeKey: must(mergeKey, 'merge key of a message'),
  }))
  const latest = await listLatestOfKeys(work, keys)
  return new Map(latest.map((found) => [must(spaced[found.place], 'send of a key'), found]))
}

/** Entries of what these replace are in inboxes, until a claim finds that it is stale. A line of a chat has none. */
export async function endEarlier(
  work: Work,
  keys: { recipientId: number; mergeKey: string | null }[],
  now: Date,
): Promise<void> {
  const own = keys.flatMap(({ recipientId, mergeKey }) => (mergeKey === null ? [] : [{ recipientId, mergeKey }]))
  for (const [home, ofHome] of groupByHome(work.tx, own, ({ recipientId }) => recipientId))
    await wakeWork(work, home, await listPutOffOfKeys(work.tx, home, ofHome, now))
}

function findStart({ quietMs }: AutomaticSend, latest: Latest | undefined, now: Date): Date {
  if (quietMs === undefined || latest === undefined) return now
  return new Date(Math.max(now.getTime(), latest.startedAt.getTime() + quietMs))
}

async function insertAll(work: Work, starts: (Part & { startsAt: Date })[], now: Date): Promise<number[]> {
  if (starts.length === 0) return []
  const userIds = starts.map(({ send }) => [...new Set(send.userIds)].toSorted((a, b) => a - b))
  const messageIds = await insertMessages(
    work.tx,
    starts.map(({ send, startsAt, isHeld }, i) =>
      newMessage(work, { ...send, ...KIND, content: writeContent(work, send, 1) }, {
        ...toRecipient(must(userIds[i], 'users of a message')),
        status: 'sending',
        coordinated_at: now,
        started_at: startsAt,
        sleeps_until: isHeld ? HELD : startsAt > now ? startsAt : null,
        merge_key: send.mergeKey,
        is_end: send.isEnd ?? false,
        subject: findSubject(send.place),
        is_chat: send.place.screen === 'swapMessages',
      } as const),
    ),
  )
  const selected = starts.flatMap(({ startsAt: dueAt, isHeld }, i) => {
    const messageId = must(messageIds[i], 'id of a message')
    return isHeld ? [] : [{ messageId, userIds: must(userIds[i], 'users of a message'), dueAt }]
  })
  await selectUsers(work, selected, now)
  return messageIds
}

type Selected = { messageId: number; userIds: number[]; dueAt: Date }

/** Gives the users of messages their batches, and counts them. */
export async function selectUsers(work: Work, messages: Selected[], now: Date): Promise<void> {
  const [first] = messages
  if (first === undefined) return
  await insertBatches(work.tx, messages, now)
  work.announce()
  const selected = messages.flatMap(({ messageId, userIds }) =>
    userIds.map((userId) => ({ userId, messageId, selected: 1 })),
  )
  for (const [home, own] of groupByHome(work.tx, selected, ({ userId }) => userId))
    await addCounts(work.tx, home, own, first.messageId)
}

function writeContent({ config }: Work, { content, place }: AutomaticSend, count: number): NewContent {
  const input = content(count)
  return { ...input, data: { ...input.data, link: deepLink(config, place) } }
}
