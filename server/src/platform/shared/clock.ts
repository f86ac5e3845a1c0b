import { setTimeout as wait } from 'node:timers/promises'

/** Tests set it by hand; the service's follows the database (ADR 1). */
export type Clock = {
  now(): number
}

export function fromNow(clock: Clock, ms = 0): Date {
  return new Date(clock.now() + ms)
}

/** Never rejects; an abort ends the sleep. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(Math.max(0, ms), undefined, signal ? { signal } : undefined)
  } catch {}
}
