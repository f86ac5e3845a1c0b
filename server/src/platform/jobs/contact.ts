import { sleep } from '../shared/clock.ts'

export type Contact = ReturnType<typeof createContact>

// If nothing was called for this long, the process or the machine was stopped.
const GAP_MS = 5_000
const LOOK_MS = 100

/** `now`: milliseconds of a clock that never jumps. */
export function createContact(now: () => number = () => performance.now()) {
  let since: number | undefined
  let last = 0
  const lostAt = new Map<number, number>()
  const noteContact = () => {
    if (since === undefined || now() - last > GAP_MS) since = now()
    last = now()
  }
  const isSteady = (ms: number) => since !== undefined && now() - since >= ms && now() - last <= GAP_MS
  return {
    noteContact,
    lost: () => void (since = undefined),
    /** Where a database is divided, the servers of these homes did not answer. */
    lostHomes: (homes: Iterable<number>) => {
      for (const home of homes) lostAt.set(home, now())
    },
    hasHomeFor: (ms: number, home: number) => now() - (lostAt.get(home) ?? -Infinity) >= ms,
    /** False when the signal aborted. */
    steadyFor: async (ms: number, signal: AbortSignal) => {
      while (!isSteady(ms) && !signal.aborted) await sleep(LOOK_MS, signal)
      return !signal.aborted
    },
  }
}
