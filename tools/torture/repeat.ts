import { setTimeout as sleep } from 'node:timers/promises'

/** Acts until the signal, with a pause after each act. The act on its way is finished. */
export async function repeat(pauseMs: number, signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await act()
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
