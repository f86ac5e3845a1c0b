import type { Tx } from '../../platform/db/connect.ts'
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
import { groupByHome } from '../records/home.queries.ts'
import { insertMessages, rewriteMessages } from '../records/messages.queries.ts'
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

/** They are part of the transaction that they tell of (spec: sending rules 1 to 4). Null: the message has no users. */
export async function sendEach(work: Work, sends: AutomaticSend[]): Promise<(number | null)[]> {
  const addressed = sends.filter((send) => send.userIds.length > 0)
  if (addressed.length === 0) return sends.map(() => null)
  const now = work.now()
  const latest = await findLatest(work.tx, addressed)
  const ids = new Map<AutomaticSend, number>()
  const waiting = addressed.flatMap((send) => {
    const { messageId, merges, waits } = latest.get(send) ?? {}
    return messageId === undefined || merges === undefined || !waits ? [] : [{ send, messageId, merges: merges + 1 }]
  })
  for (const { send, messageId } of waiting) ids.set(send, messageId)
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
  const fresh = addressed.filter((send) => !ids.has(send))
  await endEarlier(work, fresh, now)
  const messageIds = await insertAll(
    work,
    fresh.map((send) => ({ send, startsAt: findStart(send, latest.get(send), now) })),
    now,
  )
  for (const [i, send] of fresh.entries()) ids.set(send, must(messageIds[i], 'id of a message'))
  return sends.map((send) => ids.get(send) ?? null)
}

async function findLatest(tx: Tx, sends: AutomaticSend[]): Promise<Map<AutomaticSend, Latest>> {
  const spaced = sends.filter((send) => send.quietMs !== undefined)
  if (spaced.length === 0) return new Map()
  const keys = spaced.map(({ userIds, mergeKey }) => ({
    recipientId: must(userIds[0], 'recipient of a message'),
    mergeKey: must(mergeKey, 'merge key of a message'),
  }))
  const latest = await listLatestOfKeys(tx, keys)
  return new Map(latest.map((found) => [must(spaced[found.place], 'send of a key'), found]))
}

/** Entries of what these replace are in inboxes, until a claim finds that it is stale. A line of a chat has none. */
async function endEarlier(work: Work, sends: AutomaticSend[], now: Date): Promise<void> {
  const keys = sends.flatMap(({ userIds, mergeKey, quietMs }) =>
    mergeKey === null || quietMs !== undefined ? [] : userIds.map((recipientId) => ({ recipientId, mergeKey })),
  )
  for (const [home, own] of groupByHome(work.tx, keys, ({ recipientId }) => recipientId))
    await wakeWork(work, home, await listPutOffOfKeys(work.tx, home, own, now))
}

function findStart({ quietMs }: AutomaticSend, latest: Latest | undefined, now: Date): Date {
  if (quietMs === undefined || latest === undefined) return now
  return new Date(Math.max(now.getTime(), latest.startedAt.getTime() + quietMs))
}

async function insertAll(work: Work, starts: { send: AutomaticSend; startsAt: Date }[], now: Date): Promise<number[]> {
  if (starts.length === 0) return []
  const userIds = starts.map(({ send }) => [...new Set(send.userIds)].toSorted((a, b) => a - b))
  const messageIds = await insertMessages(
    work.tx,
    starts.map(({ send, startsAt }, i) =>
      newMessage(work, { ...send, ...KIND, content: writeContent(work, send, 1) }, {
        ...toRecipient(must(userIds[i], 'users of a message')),
        status: 'sending',
        coordinated_at: now,
        started_at: startsAt,
        sleeps_until: startsAt > now ? startsAt : null,
        merge_key: send.mergeKey,
        is_end: send.isEnd ?? false,
        subject: findSubject(send.place),
        is_chat: send.place.screen === 'swapMessages',
      } as const),
    ),
  )
  const batches = starts.map(({ startsAt: dueAt }, i) => ({
    messageId: must(messageIds[i], 'id of a message'),
    userIds: must(userIds[i], 'users of a message'),
    dueAt,
  }))
  await insertBatches(work.tx, batches, now)
  work.announce()
  const selected = batches.flatMap((batch) =>
    batch.userIds.map((userId) => ({ userId, messageId: batch.messageId, selected: 1 })),
  )
  for (const [home, own] of groupByHome(work.tx, selected, ({ userId }) => userId))
    await addCounts(work.tx, home, own, must(messageIds[0], 'id of a message'))
  return messageIds
}

function writeContent({ config }: Work, { content, place }: AutomaticSend, count: number): NewContent {
  const input = content(count)
  return { ...input, data: { ...input.data, link: deepLink(config, place) } }
}
