import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { Deps } from '../../deps.ts'
import type { Principal } from '../../identity/sessions/sessions.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { openEventReader, type EventReader } from '../../platform/streams/event-reader.ts'
import { gather } from '../../platform/shared/gather.ts'
import { listBadges, listNewerBadges, type Badge } from './badges.queries.ts'
import { countBadges } from './counting.queries.ts'

export type StreamLimits = {
  tendEveryMs: number
  /** In so many rounds each session is checked once. */
  sessionRounds: number
  heartbeatMs: number
  /** A reader that takes nothing for so long is disconnected. */
  stalledMs: number
  /** How often all badges are asked for: where announcements arrive, and where they do not. */
  pollMs: { hears: number; deaf: number }
  gapMs: number
  perUser: number
}

const LIMITS: StreamLimits = {
  tendEveryMs: 1_000,
  sessionRounds: 4,
  heartbeatMs: 20_000,
  stalledMs: 30_000,
  pollMs: { hears: 10_000, deaf: 1_000 },
  gapMs: 20,
  perUser: 5,
}

const USERS_A_QUERY = 500
const RETRY_MS = { least: 1_000, most: 5_000 }

type StreamDeps = Pick<Deps, 'db' | 'log' | 'sessions' | 'lifecycle' | 'config'>

type Stream = {
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

export type BadgeStreams = {
  /** Sends the badge, unless `lastVersion` is the present one, then each change; 503 without room or when stopping. */
  open(holder: Principal, lastVersion: number | undefined): Promise<Readable>
  /** Looks for the badges of these users; without ids, of all. */
  wake(userIds?: readonly number[]): void
  size(): number
  close(): Promise<void>
}

/** Announcements only wake; what is sent is read from rows (ADR 043). A slow reader never misses the latest badge. */
export function createBadgeStreams(
  deps: StreamDeps,
  hears: () => boolean,
  limits: StreamLimits = LIMITS,
): BadgeStreams {
  const byUser = new Map<number, Set<Stream>>()
  const all = new Set<Stream>()
  const woken = new Set<number>()
  const closing = new AbortController()
  const loops: { tending?: Promise<void> | undefined; telling?: Promise<void> | undefined } = {}
  const read = gather((userIds: number[]) => readBadges(deps, userIds), USERS_A_QUERY)
  let polledAt = performance.now()

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

  const tellWoken = async () => {
    while (woken.size > 0 && !closing.signal.aborted) {
      const userIds = [...woken].slice(0, USERS_A_QUERY)
      for (const userId of userIds) woken.delete(userId)
      try {
        const known = userIds.flatMap((userId) => {
          const own = [...(byUser.get(userId) ?? [])].filter(({ sent }) => sent !== null)
          return own.length === 0 ? [] : [{ userId, version: Math.min(...own.map(({ sent }) => sent ?? 0)) }]
        })
        for (const badge of await listNewerBadges(deps.db, known))
          for (const stream of byUser.get(badge.userId) ?? []) offer(stream, badge)
      } catch (error) {
        // While the database is unreachable nothing is sent; the next poll asks for all.
        deps.log.debug({ err: error }, 'badges could not be sent')
      }
      if (woken.size === 0) await sleep(limits.gapMs, closing.signal)
      else await nextTurn()
    }
    loops.telling = undefined
  }

  const wake = (userIds: Iterable<number> = byUser.keys()) => {
    for (const userId of userIds) if (byUser.has(userId)) woken.add(userId)
    if (woken.size > 0) loops.telling ??= tellWoken()
  }

  const tend = async () => {
    for (let round = 0; all.size > 0; round++) {
      await sleep(limits.tendEveryMs, closing.signal)
      if (deps.lifecycle.draining || closing.signal.aborted) {
        for (const stream of all) end(stream, 'draining')
        break
      }
      const now = performance.now()
      if (now - polledAt >= (hears() ? limits.pollMs.hears : limits.pollMs.deaf)) {
        polledAt = now
        wake()
      }
      let place = 0
      for (const stream of all) {
        keepAlive(stream, now)
        if (place++ % limits.sessionRounds === round % limits.sessionRounds) void endIfSessionEnded(stream)
        if (place % USERS_A_QUERY === 0) await nextTurn()
      }
    }
    loops.tending = undefined
  }

  const keepAlive = (stream: Stream, now: number) => {
    const isFull = stream.reader.isFull()
    if (isFull && now - stream.lastAt > limits.stalledMs) stream.reader.stream.destroy()
    else if (!isFull && now - stream.lastAt >= limits.heartbeatMs) {
      stream.lastAt = now
      stream.reader.send(': still here\n\n')
    }
  }

  const endIfSessionEnded = async (stream: Stream) => {
    try {
      await deps.sessions.check(stream.holder)
    } catch (error) {
      if (error instanceof AppError && error.status === 401) end(stream, 'session_ended')
    }
  }

  const add = (holder: Principal): Stream => {
    const reader = openEventReader(retryMs(), () => {
      const badge = stream.waiting
      stream.waiting = undefined
      if (badge) offer(stream, badge)
    })
    // Spread, so that streams opened together do not come back together.
    const lifeMs = deps.config.STREAM_SECONDS * 1_000 * (0.9 + Math.random() * 0.2)
    const timer = setTimeout(() => end(stream, 'over'), lifeMs).unref()
    const stream: Stream = { holder, reader, sent: null, waiting: undefined, lastAt: performance.now(), timer }
    const own = byUser.get(holder.userId) ?? new Set()
    const [oldest] = own
    if (oldest && own.size >= limits.perUser) end(oldest, 'replaced')
    byUser.set(holder.userId, own.add(stream))
    all.add(stream)
    reader.stream.once('close', () => remove(stream))
    loops.tending ??= tend()
    return stream
  }

  return {
    open: async (holder, lastVersion) => {
      if (all.size >= deps.config.CONNECTIONS_MAX * 0.9 || deps.lifecycle.draining) throw errors.unavailable()
      const stream = add(holder)
      try {
        const badge = await read(holder.userId)
        stream.sent = lastVersion === badge.version ? badge.version : -1
        offer(stream, badge)
        // A change during the read was announced to nobody.
        wake([holder.userId])
      } catch (error) {
        remove(stream)
        throw error
      }
      return stream.reader.stream
    },
    wake,
    size: () => all.size,
    close: async () => {
      closing.abort()
      for (const stream of all) end(stream, 'draining')
      await Promise.all([loops.tending, loops.telling])
    },
  }
}

/** In the order of `userIds`; a badge that was never counted is counted now, as version 0. */
async function readBadges({ db }: Pick<Deps, 'db'>, userIds: number[]): Promise<Badge[]> {
  const badges = new Map((await listBadges(db, userIds)).map((badge) => [badge.userId, badge]))
  const never = userIds.filter((userId) => !badges.has(userId))
  for (const counts of await countBadges(db, never)) badges.set(counts.userId, { ...counts, version: 0 })
  return userIds.map((userId) => badges.get(userId) ?? { userId, version: 0, notifications: 0, chats: {}, total: 0 })
}

function eventOf({ version, notifications, chats, total }: Badge): string {
  return `id: ${version}\nevent: badge\ndata: ${JSON.stringify({ total, notifications, chats })}\n\n`
}

function retryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))
}
