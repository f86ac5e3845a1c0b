export type WakeSignal = {
  wake(): void
  /** Read it before a poll, and `wait` returns at once if it woke since. */
  wakes(): number
  wait(ms: number, signal: AbortSignal, since?: number): Promise<void>
}

/** It only shortens waits; a loop that misses it, or is in another process, polls in time. */
export function createWakeSignal(): WakeSignal {
  const waiting = new Set<() => void>()
  let wakes = 0
  const wake = () => {
    wakes++
    for (const end of waiting) end()
  }
  const wait = (ms: number, signal: AbortSignal, since = wakes) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, signal.aborted || wakes !== since ? 0 : ms)
      signal.addEventListener('abort', end)
      waiting.add(end)
    })
  return { wake, wakes: () => wakes, wait }
}
