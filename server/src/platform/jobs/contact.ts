import { sleep } from '../shared/clock.ts'

export type Contact = {
  noteContact(): void
  lost(): void
  /** Where a database is divided, the servers of these homes did not answer. */
  lostHomes(homes: Iterable<number>): void
  hasHomeFor(ms: number, home: number): boolean
  /** False when the signal aborted. */
  steadyFor(ms: number, signal: AbortSignal): Promise<boolean>
}

// If nothing was called for this long, the process or the machine was stopped.
const GAP_MS = 5_000
const LOOK_MS = 100

/** `now`: milliseconds of a clock that never jumps. */
export function createContact(now: () => number = () => performance.now()): Contact {
  let since: number | undefined
  let last = 0
  const lostAt = new Map<number, number>()
  const noteContact = () => {
    if (since === undefined || now() - last > GAP_MS) since = now()
    last = now()
  }
  const isSteady = (ms: number) => since !== undefined && now() - since >= ms && now() - last <= GAP_MS
  const steadyFor = async (ms: number, signal: AbortSignal) => {
    while (!isSteady(ms) && !signal.aborted) await sleep(LOOK_MS, signal)
    return !signal.aborted
  }
  return {
    noteContact,
    lost: () => void (since = undefined),
    lostHomes: (homes) => {
      for (const home of homes) lostAt.set(home, now())
    },
    hasHomeFor: (ms, home) => now() - (lostAt.get(home) ?? -Infinity) >= ms,
    steadyFor,
  }
}
