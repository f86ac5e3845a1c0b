import { sleep } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'

export type Release = (end: () => Promise<unknown>) => Promise<void>

const EVERY_MS = 500
// Further claims simply expire.
const MOST_WAITING = 1_000

/** Retries without delaying the caller; otherwise a client that must retry would find its key in use. */
export function createRelease(log: Log, forMs: number, signal: AbortSignal): Release {
  let waiting = 0
  const retry = async (end: () => Promise<unknown>) => {
    const giveUpAt = performance.now() + forMs
    let isEnded = false
    while (!isEnded && !signal.aborted && performance.now() < giveUpAt) {
      await sleep(EVERY_MS, signal)
      isEnded = await succeeds(end)
    }
    if (!isEnded) log.warn('an answer was not stored under its Idempotency-Key')
  }
  return async (end) => {
    try {
      await end()
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be stored under its Idempotency-Key yet')
      if (waiting >= MOST_WAITING) return
      waiting++
      void retry(end).finally(() => waiting--)
    }
  }
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  )
}
