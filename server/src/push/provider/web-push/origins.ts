import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/shared/clock.ts'

// Each of these failures held a place for the whole time limit of a push, unless it came within this part of the limit.
const FAILURES_IN_A_ROW = 5
const SOON = 0.5

/** Caches by origin of a push service hold this many. A further one takes the place of the one unused for longest. */
export const ORIGINS_MOST = 1_000

/** Nothing is sent for this long to a push service that does not answer. Then one push tries it. */
export const REST_MS = 30_000

/** Keeps a push service that does not answer, or asks for time, from slowing or stopping the pushes to the others. */
export type Origins = {
  mayTry(origin: string): boolean
  /** Notes that the service asked for time. */
  limit(origin: string, ms: number): void
  findWait(origin: string): number
  /** Pushes that fail soon and were on their way together, as on a connection that ended, count as one failure. */
  report(origin: string, push: { isAnswered: boolean; beganAt: number }): void
  isFailing(origin: string): boolean
  /** Nothing is sent to it for a while. */
  rests(origin: string): boolean
  /** Notes that a push service answers, but not how it takes pushes. */
  noteReached(): void
  /** Whether another answered since this one began to fail, so that the fault is its own. */
  failsAlone(origin: string): boolean
  /** Notes that an endpoint refuses our signature; false: another refuses it too, and none took it since. */
  isAloneToRefuse(endpoint: URL): boolean
  /** Notes that an endpoint took our signature. */
  trust(endpoint: URL): void
}

/** `since`: how many answers had come when it began to fail. */
type Failing = { failures: number; failedAt: number; restsUntil: number; since: number }

/** `timeoutMs`: the time limit of a push. */
export function createOrigins(clock: Clock, timeoutMs: number): Origins {
  const failing = new LRUCache<string, Failing>({ max: ORIGINS_MOST })
  const limited = new LRUCache<string, number>({ max: ORIGINS_MOST })
  // The first endpoint that refused our signature since one took it.
  const refusing = new LRUCache<string, string>({ max: ORIGINS_MOST })
  let answers = 0
  const rests = ({ failures, restsUntil }: Failing) => failures >= FAILURES_IN_A_ROW && clock.now() < restsUntil
  return {
    isAloneToRefuse: ({ origin, href }) => {
      const first = refusing.get(origin) ?? href
      refusing.set(origin, first)
      return first === href
    },
    limit: (origin, ms) => void limited.set(origin, clock.now() + ms),
    findWait: (origin) => Math.max(0, (limited.get(origin) ?? 0) - clock.now()),
    trust: ({ origin }) => void refusing.delete(origin),
    mayTry: (origin) => {
      const state = failing.get(origin)
      if (state === undefined || state.failures < FAILURES_IN_A_ROW) return true
      if (rests(state)) return false
      state.restsUntil = clock.now() + REST_MS
      return true
    },
    report: (origin, { isAnswered, beganAt }) => {
      if (isAnswered) {
        failing.delete(origin)
        answers++
        return
      }
      const now = clock.now()
      const { failures, failedAt, since } = failing.get(origin) ?? { failures: 0, failedAt: -Infinity, since: answers }
      const isSameFailure = beganAt < failedAt && now - beganAt < timeoutMs * SOON
      const counted = isSameFailure ? failures : failures + 1
      failing.set(origin, { failures: counted, failedAt: now, restsUntil: now + REST_MS, since })
    },
    isFailing: (origin) => failing.has(origin),
    rests: (origin) => {
      const state = failing.get(origin)
      return state !== undefined && rests(state)
    },
    noteReached: () => void answers++,
    // Its own answer would have ended its failing.
    failsAlone: (origin) => (failing.get(origin)?.since ?? answers) < answers,
  }
}
