import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/shared/clock.ts'

// Each of these failures held a place for the whole time limit of a push, unless it came within this part of the limit.
const FAILURES_IN_A_ROW = 5
const SOON = 0.5

/** Caches by origin of a push service hold this many. A further one takes the place of the one unused for longest. */
export const ORIGINS_MOST = 1_000

/** Nothing is sent for this long to a push service that does not answer. Then one push tries it. */
export const REST_MS = 30_000

export type Origins = ReturnType<typeof createOrigins>

/** `since`: how many answers had come when it began to fail. */
type Failing = { failures: number; failedAt: number; restsUntil: number; since: number }

/**
 * Keeps a push service that does not answer, or asks for time, from slowing or stopping the pushes to the others.
 * `timeoutMs`: the time limit of a push.
 */
export function createOrigins(clock: Clock, timeoutMs: number) {
  const failing = new LRUCache<string, Failing>({ max: ORIGINS_MOST })
  const limited = new LRUCache<string, number>({ max: ORIGINS_MOST })
  // The first endpoint that refused our signature since one took it.
  const refusing = new LRUCache<string, string>({ max: ORIGINS_MOST })
  let answers = 0
  const rests = ({ failures, restsUntil }: Failing) => failures >= FAILURES_IN_A_ROW && clock.now() < restsUntil
  return {
    /** Notes that an endpoint refuses our signature; false: another refuses it too, and none took it since. */
    isAloneToRefuse: ({ origin, href }: URL) => {
      const first = refusing.get(origin) ?? href
      refusing.set(origin, first)
      return first === href
    },
    /** Notes that the service asked for time. */
    limit: (origin: string, ms: number) => void limited.set(origin, clock.now() + ms),
    findWait: (origin: string) => Math.max(0, (limited.get(origin) ?? 0) - clock.now()),
    /** Notes that an endpoint took our signature. */
    trust: ({ origin }: URL) => void refusing.delete(origin),
    mayTry: (origin: string) => {
      const state = failing.get(origin)
      if (state === undefined || state.failures < FAILURES_IN_A_ROW) return true
      if (rests(state)) return false
      state.restsUntil = clock.now() + REST_MS
      return true
    },
    /** Pushes that fail soon and were on their way together, as on a connection that ended, count as one failure. */
    report: (origin: string, { isAnswered, beganAt }: { isAnswered: boolean; beganAt: number }) => {
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
    isFailing: (origin: string) => failing.has(origin),
    /** Nothing is sent to it for a while. */
    rests: (origin: string) => {
      const state = failing.get(origin)
      return state !== undefined && rests(state)
    },
    /** Notes that a push service answers, but not how it takes pushes. */
    noteReached: () => void answers++,
    /** Whether another answered since it began to fail: the fault is its own. An own answer ends its failing. */
    failsAlone: (origin: string) => (failing.get(origin)?.since ?? answers) < answers,
  }
}
