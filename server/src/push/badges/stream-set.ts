import type { Principal } from '../../platform/rights/principal.ts'
import { openEventReader, type EventReader } from '../../platform/streams/event-reader.ts'
import type { Badge } from './badges.queries.ts'

const RETRY_MS = { least: 1_000, most: 5_000 }

export type Stream = {
  holder: Principal
  reader: EventReader
  /** The version sent last; null until the first badge was read. */
  sent: number | null
  /** The newest badge, while the reader has not taken the one before. */
  waiting: Badge | undefined
  lastAt: number
  timer: NodeJS.Timeout
}

/** `draining` and `over`: open another. `replaced`: the user opened too many. */
type End = 'session_ended' | 'replaced' | 'over' | 'draining'

export type StreamSet = {
  all: ReadonlySet<Stream>
  byUser: ReadonlyMap<number, ReadonlySet<Stream>>
  /** Opens a stream that ends after `lifeMs`, and ends the user's oldest where there are too many. */
  add(holder: Principal, lifeMs: number): Stream
  /** Sends a badge that is newer than the one sent last, as soon as the reader takes it. */
  offer(stream: Stream, badge: Badge): void
  remove(stream: Stream): void
  end(stream: Stream, reason: End): void
}

export function createStreamSet(perUser: number): StreamSet {
  const byUser = new Map<number, Set<Stream>>()
  const all = new Set<Stream>()

  const offer = (stream: Stream, badge: Badge) => {
    if (!all.has(stream) || stream.sent === null || badge.version <= stream.sent) return
    if (stream.reader.isFull()) stream.waiting = badge
    else {
      stream.sent = badge.version
      stream.lastAt = performance.now()
      stream.reader.send(eventOf(badge))
    }
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

  const add = (holder: Principal, lifeMs: number): Stream => {
    const reader = openEventReader(retryMs(), () => {
      const badge = stream.waiting
      stream.waiting = undefined
      if (badge) offer(stream, badge)
    })
    const timer = setTimeout(() => end(stream, 'over'), lifeMs).unref()
    const stream: Stream = { holder, reader, sent: null, waiting: undefined, lastAt: performance.now(), timer }
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

function eventOf({ version, notifications, chats, total }: Badge): string {
  return `id: ${version}\nevent: badge\ndata: ${JSON.stringify({ total, notifications, chats })}\n\n`
}

function retryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))
}
