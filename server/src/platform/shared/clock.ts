import { setTimeout as wait } from 'node:timers/promises'

/** The source of time: tests set one by hand; the service's follows the database (ADR 003). */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number
}

/** The clock's time plus `ms` milliseconds (may be negative), as a Date for a query parameter. */
export function fromNow(clock: Clock, ms = 0): Date {
  return new Date(clock.now() + ms)
}

/** Waits `ms` milliseconds, or until the signal aborts; never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(Math.max(0, ms), undefined, signal ? { signal } : undefined)
  } catch {}
}
