import type { Principal } from '../../platform/rights/permissions.ts'
import { openEventReader, type EventReader } from '../../platform/streams/event-reader.ts'
import type { NewItem } from '../inbox/inbox-items.ts'
import type { Badge } from './badges.queries.ts'

const RETRY_MS = { least: 1_000, most: 5_000 }

export type Stream = {
  holder: Principal
  reader: EventReader
  /** The version sent last, -1 for none; null until the first badge was read. */
  sent: number | null
  lastSent: string | undefined
  timer: NodeJS.Timeout
}

/** The app opens another stream after `draining` and `over`. After `replaced` it does not: the user opened too many. */
type End = 'session_ended' | 'replaced' | 'over' | 'draining'

export type StreamSet = ReturnType<typeof createStreamSet>

/** `drained`: a reader that was full takes more; what it missed is to be offered again. */
export function createStreamSet(perUser: number, drained: (userId: number) => void) {
  const byUser = new Map<number, Set<Stream>>()
  const all = new Set<Stream>()

  /** Sends entries and a badge that is newer than the one sent last, if the reader takes it. */
  const offer = (stream: Stream, badge: Badge, entries: readonly NewItem[]) => {
    if (!all.has(stream) || stream.sent === null || badge.version <= stream.sent || stream.reader.isFull()) return
    const numbers = writeNumbers(badge)
    // The version is also that of neighbours: it may have changed for nothing.
    const events = [
      ...entries.map(eventOfEntry),
      ...(numbers === stream.lastSent && entries.length === 0 ? [] : [writeEvent(badge, numbers)]),
    ]
    stream.sent = badge.version
    stream.lastSent = numbers
    if (events.length === 0) return
    stream.reader.send(events.join(''))
  }

  const remove = (stream: Stream) => {
    clearTimeout(stream.timer)
    if (!all.delete(stream)) return
    const own = byUser.get(stream.holder.userId)
    own?.delete(stream)
    if (own?.size === 0) byUser.delete(stream.holder.userId)
  }

  const end = (stream: Stream, reason: End) => {
    remove(stream)
    stream.reader.end(reason)
  }

  /** Opens a stream that ends after `lifeMs`, and ends the user's oldest where there are too many. */
  const add = (holder: Principal, lifeMs: number): Stream => {
    const reader = openEventReader(retryMs(), () => drained(holder.userId))
    const timer = setTimeout(() => end(stream, 'over'), lifeMs).unref()
    const stream: Stream = { holder, reader, sent: null, lastSent: undefined, timer }
    const own = byUser.get(holder.userId) ?? new Set()
    const [oldest] = own
    if (oldest && own.size >= perUser) end(oldest, 'replaced')
    byUser.set(holder.userId, own.add(stream))
    all.add(stream)
    reader.stream.once('close', () => remove(stream))
    return stream
  }

  return { all, byUser, add, offer, remove, end }
}

function writeNumbers({ notifications, chats, total }: Badge): string {
  return JSON.stringify({ total, notifications, chats })
}

function writeEvent({ version }: Badge, numbers: string): string {
  return `id: ${version}\nevent: badge\ndata: ${numbers}\n\n`
}

/** It has no id, because the badge after it has one: if the stream breaks in between, the entries are sent again. */
function eventOfEntry({ item }: NewItem): string {
  return `event: entry\ndata: ${JSON.stringify(item)}\n\n`
}

function retryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))
}
