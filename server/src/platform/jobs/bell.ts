/** Wakes those of this process who wait for work, before they would look again by themselves. */
export type Bell = {
  ring(): void
  /** How often it rang: taken before a look for work, it tells `wait` what the look may have missed. */
  rings(): number
  /** Waits until it rings after `since` rings, for `ms` at most, or until the signal aborts; never rejects. */
  wait(ms: number, signal: AbortSignal, since?: number): Promise<void>
}

/** Makes a bell. It is a shortcut only: whoever misses it, or works in another process, looks again in time. */
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
