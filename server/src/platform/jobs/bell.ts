/** Wakes the waiting loops of this process before their next poll. */
export type Bell = {
  ring(): void
  /** The number of rings. Read it before a poll, and `wait` returns at once if a ring came since. */
  rings(): number
  /** Waits until it rings after `since` rings, for at most `ms`, or until the signal aborts; never rejects. */
  wait(ms: number, signal: AbortSignal, since?: number): Promise<void>
}

/** It only shortens waits: a loop that misses a ring, or is in another process, polls in time. */
export function createBell(): Bell {
  const waiting = new Set<() => void>()
  let rings = 0
  const ring = () => {
    rings++
    for (const wake of waiting) wake()
  }
  const wait = (ms: number, signal: AbortSignal, since = rings) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, signal.aborted || rings !== since ? 0 : ms)
      signal.addEventListener('abort', wake)
      waiting.add(wake)
    })
  return { ring, rings: () => rings, wait }
}
