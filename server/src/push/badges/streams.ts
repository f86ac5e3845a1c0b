import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { Deps } from '../../deps.ts'
import type { Principal } from '../../platform/rights/principal.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import { listBadges, listNewerBadges, type Badge } from './badges.queries.ts'
import { countBadges } from './counting.queries.ts'
import { createStreamSet, type Stream, type StreamSet } from './stream-set.ts'

const LIMITS = {
  roundEveryMs: 1_000,
  /** Each session is checked once in this many rounds. */
  sessionRounds: 4,
  heartbeatMs: 20_000,
  /** A reader that takes nothing for this long is disconnected. */
  stalledMs: 30_000,
  /** How often all badges are read: with announcements, and without. */
  pollMs: { hears: 10_000, deaf: 1_000 },
  gapMs: 20,
  perUser: 5,
}
export type StreamLimits = typeof LIMITS

const USERS_A_QUERY = 500

type StreamDeps = Pick<Deps, 'db' | 'log' | 'sessions' | 'lifecycle' | 'config'>

export type BadgeStreams = {
  /** Sends the badge, unless `lastVersion` is the present one, then each change; 503 without room or when stopping. */
  open(holder: Principal, lastVersion: number | undefined): Promise<Readable>
  /** Reads the badges of these users; without ids, of all. */
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
  const set = createStreamSet(limits.perUser)
  const closing = new AbortController()
  const { signal } = closing
  const { wake, told } = createTeller(deps, set, limits.gapMs, signal)
  const read = gather((userIds: number[]) => readBadges(deps, userIds), USERS_A_QUERY)
  let running: Promise<void> | undefined
  let polledAt = performance.now()

  const runRounds = async () => {
    for (let round = 0; set.all.size > 0; round++) {
      await sleep(limits.roundEveryMs, signal)
      if (deps.lifecycle.draining || signal.aborted) {
        for (const stream of set.all) set.end(stream, 'draining')
        break
      }
      const now = performance.now()
      if (now - polledAt >= (hears() ? limits.pollMs.hears : limits.pollMs.deaf)) {
        polledAt = now
        wake()
      }
      let place = 0
      for (const stream of set.all) {
        keepAlive(stream, now, limits)
        if (place++ % limits.sessionRounds === round % limits.sessionRounds) void endIfSessionEnded(deps, set, stream)
        if (place % USERS_A_QUERY === 0) await nextTurn()
      }
    }
    running = undefined
  }

  return {
    open: async (holder, lastVersion) => {
      if (set.all.size >= deps.config.CONNECTIONS_MAX * 0.9 || deps.lifecycle.draining) throw errors.unavailable()
      // Spread, so that streams opened together do not reconnect together.
      const stream = set.add(holder, deps.config.STREAM_SECONDS * 1_000 * (0.9 + Math.random() * 0.2))
      running ??= runRounds()
      try {
        const badge = await read(holder.userId)
        stream.sent = lastVersion === badge.version ? badge.version : -1
        set.offer(stream, badge)
        // A change during the read was not announced to this stream.
        wake([holder.userId])
      } catch (error) {
        set.remove(stream)
        throw error
      }
      return stream.reader.stream
    },
    wake,
    size: () => set.all.size,
    close: async () => {
      closing.abort()
      for (const stream of set.all) set.end(stream, 'draining')
      await Promise.all([running, told()])
    },
  }
}

/** Sends newer badges to woken users, one query for many; `told` ends with the current round. */
function createTeller({ db, log }: StreamDeps, { byUser, offer }: StreamSet, gapMs: number, signal: AbortSignal) {
  const woken = new Set<number>()
  let telling: Promise<void> | undefined

  const tell = async () => {
    while (woken.size > 0 && !signal.aborted) {
      const userIds = [...woken].slice(0, USERS_A_QUERY)
      for (const userId of userIds) woken.delete(userId)
      try {
        const known = userIds.flatMap((userId) => {
          const own = [...(byUser.get(userId) ?? [])].flatMap(({ sent }) => sent ?? [])
          return own.length === 0 ? [] : [{ userId, version: Math.min(...own) }]
        })
        for (const badge of await listNewerBadges(db, known))
          for (const stream of byUser.get(badge.userId) ?? []) offer(stream, badge)
      } catch (error) {
        // While the database is unreachable nothing is sent; the next poll asks for all.
        log.debug({ err: error }, 'badges could not be sent')
      }
      if (woken.size === 0) await sleep(gapMs, signal)
      else await nextTurn()
    }
    telling = undefined
  }

  const wake = (userIds: Iterable<number> = byUser.keys()) => {
    for (const userId of userIds) if (byUser.has(userId)) woken.add(userId)
    if (woken.size > 0) telling ??= tell()
  }
  return { wake, told: () => telling }
}

function keepAlive(stream: Stream, now: number, limits: StreamLimits): void {
  const isFull = stream.reader.isFull()
  if (isFull && now - stream.lastAt > limits.stalledMs) stream.reader.stream.destroy()
  else if (!isFull && now - stream.lastAt >= limits.heartbeatMs) {
    stream.lastAt = now
    stream.reader.send(': still here\n\n')
  }
}

async function endIfSessionEnded({ sessions }: StreamDeps, set: StreamSet, stream: Stream): Promise<void> {
  try {
    await sessions.check(stream.holder)
  } catch (error) {
    if (error instanceof AppError && error.status === 401) set.end(stream, 'session_ended')
  }
}

/** In the order of `userIds`; a badge that was never counted is counted now, as version 0. */
async function readBadges({ db }: Pick<Deps, 'db'>, userIds: number[]): Promise<Badge[]> {
  const badges = new Map((await listBadges(db, userIds)).map((badge) => [badge.userId, badge]))
  const never = userIds.filter((userId) => !badges.has(userId))
  for (const counts of await countBadges(db, never)) badges.set(counts.userId, { ...counts, version: 0 })
  return userIds.map((userId) => badges.get(userId) ?? { userId, version: 0, notifications: 0, chats: {}, total: 0 })
}
