import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/shared/clock.ts'

// Each of them cost a place for the whole time limit of a request.
const FAILURES_IN_A_ROW = 5
const ORIGINS_MOST = 1_000

/** How long nothing is sent to a push service that does not answer, but for one push after it. */
export const REST_MS = 30_000

/** Keeps a push service that does not answer from slowing the pushes to the others. */
export type Origins = {
  mayTry(origin: string): boolean
  report(origin: string, isAnswered: boolean): void
  /** Notes that an endpoint refuses our signature; false: another refuses it too, and none took it since. */
  isAloneToRefuse(endpoint: URL): boolean
  /** Notes that an endpoint took our signature. */
  trust(endpoint: URL): void
}

export function createOrigins(clock: Clock): Origins {
  const failing = new LRUCache<string, { failures: number; restsUntil: number }>({ max: ORIGINS_MOST })
  // The first endpoint that refused our signature since one took it.
  const refusing = new LRUCache<string, string>({ max: ORIGINS_MOST })
  return {
    isAloneToRefuse: ({ origin, href }) => {
      const first = refusing.get(origin) ?? href
      refusing.set(origin, first)
      return first === href
    },
    trust: ({ origin }) => void refusing.delete(origin),
    mayTry: (origin) => {
      const state = failing.get(origin)
      if (state === undefined || state.failures < FAILURES_IN_A_ROW) return true
      if (clock.now() < state.restsUntil) return false
      state.restsUntil = clock.now() + REST_MS
      return true
    },
    report: (origin, isAnswered) => {
      const { failures } = failing.get(origin) ?? { failures: 0 }
      if (isAnswered) failing.delete(origin)
      else failing.set(origin, { failures: failures + 1, restsUntil: clock.now() + REST_MS })
    },
  }
}
