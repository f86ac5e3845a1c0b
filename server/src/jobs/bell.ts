/** Wakes those of this process who wait for work, before they would look again by themselves. */
export type Bell = { ring(): void; wait(ms: number, signal: AbortSignal): Promise<void> }

/** Makes a bell. It is a shortcut only: whoever misses it, or works in another process, looks again in time. */
export function createBell(): Bell {
  const waiting = new Set<() => void>()
  const ring = () => {
    for (const wake of waiting) wake()
  }
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, signal.aborted ? 0 : ms)
      signal.addEventListener('abort', wake)
      waiting.add(wake)
    })
  return { ring, wait }
}
