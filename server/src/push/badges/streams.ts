import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { PushDeps } from '../deps.ts'
import type { Principal } from '../../platform/rights/permissions.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { AppError, errors } from '../../platform/shared/errors.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import { listNewItems, type NewItem } from '../inbox/inbox-items.ts'
import { findBadge } from './badges.ts'
import { listBadges, listNewerBadges } from './badges.queries.ts'
import { createStreamSet, type Stream, type StreamSet } from './stream-set.ts'
import { listHomes, toBlock } from '../records/home.queries.ts'

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
// A reader that was away for more reads the inbox.
const ENTRIES_A_READER = 50

/** Announcements only wake; what is sent is read from rows (ADR 6). A slow reader never misses the latest badge. */
export function createBadgeStreams(
  deps: Pick<PushDeps, 'db' | 'log' | 'sessions' | 'lifecycle' | 'config'>,
  hears: () => boolean,
  limits: StreamLimits = LIMITS,
) {
  const set = createStreamSet(limits.perUser, (userId) => teller.wake([userId]))
  const closing = new AbortController()
  const { signal } = closing
  const teller = createTeller(deps, set, limits.gapMs, signal)
  const readTogether = gather((userIds: number[]) => listBadges(deps.db, userIds), USERS_A_QUERY)
  const read = async (userId: number) => {
    const badge = readTogether(userId)
    if (listHomes(deps.db).length === 1) return badge
    // It may have failed because the server of another person is away.
    return badge.catch(async () => findBadge(deps.db, userId))
  }
  let running: Promise<void> | undefined
  let polledAt = performance.now()

  const runRounds = async () => {
    for (let round = 0; set.all.size > 0; round++) {
      await sleep(limits.roundEveryMs, signal)
      if (deps.lifecycle.draining || signal.aborted) {
        for (const stream of set.all) set.end(stream, 'draining')
        break
      }
      if (performance.now() - polledAt >= (hears() ? limits.pollMs.hears : limits.pollMs.deaf)) {
        polledAt = performance.now()
        teller.wake()
      }
      let place = 0
      for (const stream of set.all) {
        stream.reader.keepAlive(limits)
        if (place++ % limits.sessionRounds === round % limits.sessionRounds) void endIfSessionEnded(deps, set, stream)
        if (place % USERS_A_QUERY === 0) await nextTurn()
      }
    }
    running = undefined
  }

  return {
    /** Sends the badge unless it is `lastVersion`, then what changes and comes; 503 without room or when stopping. */
    open: async (holder: Principal, lastVersion: number | undefined): Promise<Readable> => {
      if (set.all.size >= deps.config.CONNECTIONS_MAX * 0.9 || deps.lifecycle.draining) throw errors.unavailable()
      // Spread, so that streams opened together do not reconnect together.
      const stream = set.add(holder, deps.config.STREAM_SECONDS * 1_000 * (0.9 + Math.random() * 0.2))
      running ??= runRounds()
      try {
        const badge = await read(holder.userId)
        // What came after its last event is read with the badge; of a version that does not exist nothing is known.
        stream.sent = lastVersion !== undefined && lastVersion <= badge.version ? lastVersion : -1
        if (stream.sent === -1) set.offer(stream, badge, [])
        // A change during the read was not announced to this stream.
        teller.wake([holder.userId])
      } catch (error) {
        set.remove(stream)
        throw error
      }
      return stream.reader.stream
    },
    /** Reads the badges of the users in these blocks; without blocks, of all. */
    wake: (blocks?: readonly number[]) => teller.wake(blocks && usersIn(set, new Set(blocks))),
    size: () => set.all.size,
    close: async () => {
      closing.abort()
      for (const stream of set.all) set.end(stream, 'draining')
      await Promise.all([running, teller.done()])
    },
  }
}

/** Sends newer badges to woken users, one query for many; `told` ends with the current round. */
function createTeller(
  { db, log }: Pick<PushDeps, 'db' | 'log'>,
  { byUser, offer }: StreamSet,
  gapMs: number,
  signal: AbortSignal,
) {
  const woken = new Set<number>()
  let telling: Promise<void> | undefined

  const tell = async () => {
    while (woken.size > 0 && !signal.aborted) {
      const userIds = [...woken].slice(0, USERS_A_QUERY)
      for (const userId of userIds) woken.delete(userId)
      try {
        const known = userIds.flatMap((userId) => sentLeast(byUser.get(userId), userId, () => true))
        const badges = await listNewerBadges(db, known)
        // A stream that has sent no badge tells no entries: its app reads the inbox.
        const behind = badges.flatMap(({ userId }) => sentLeast(byUser.get(userId), userId, (sent) => sent >= 0))
        const entries = Map.groupBy(await listNewItems(db, behind, ENTRIES_A_READER), ({ userId }) => userId)
        for (const badge of badges)
          for (const stream of byUser.get(badge.userId) ?? []) {
            const since = stream.sent ?? -1
            const own = since < 0 ? [] : (entries.get(badge.userId) ?? [])
            // What came after the badge was read comes with the next.
            const isNew = ({ at }: NewItem) => at > since * 1_000 && at <= badge.version * 1_000
            offer(stream, badge, own.filter(isNew))
          }
      } catch (error) {
        // Nothing is sent while the database is unreachable; the next poll asks for all.
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
  return { wake, done: () => telling }
}

async function endIfSessionEnded(
  { sessions }: Pick<PushDeps, 'sessions'>,
  set: StreamSet,
  stream: Stream,
): Promise<void> {
  try {
    await sessions.check(stream.holder)
  } catch (error) {
    if (error instanceof AppError && error.status === 401) set.end(stream, 'session_ended')
  }
}

/** Gives the least version that a stream of the user has sent among those for which `isRequested`; `[]`: none. */
function sentLeast(streams: ReadonlySet<Stream> | undefined, userId: number, isRequested: (sent: number) => boolean) {
  const sent = [...(streams ?? [])].flatMap((stream) =>
    stream.sent !== null && isRequested(stream.sent) ? [stream.sent] : [],
  )
  return sent.length === 0 ? [] : [{ userId, version: Math.min(...sent) }]
}

function usersIn({ byUser }: StreamSet, blocks: ReadonlySet<number>): number[] {
  return [...byUser.keys()].filter((userId) => blocks.has(toBlock(userId)))
}
