import type { PushDeps } from '../deps.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { openRealtimeDatabase } from './firebase.ts'
import { writeBadges } from './realtime.ts'

const AFTER_ERROR_MS = 1_000
// The poller wakes the loop; this only bounds a missed wake-up.
const LONGEST_REST_MS = 60_000
const ROUND_WITHIN_MS = 60_000

/** Writes changed badges to the realtime database, if there is one; a stop ends the current round first (ADR 6). */
export function startBadges(deps: PushDeps, work: WakeSignal): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const { signal } = ending
  const database = openRealtimeDatabase(deps.config)
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'badges could not be written; the worker tries again')
  const loop =
    database &&
    deps.loops.run({ name: 'badges', work, signal, withinMs: ROUND_WITHIN_MS, failed }, async () => {
      const { due, failed: failures } = await writeBadges(deps, database)
      if (failures > 0) await sleep(AFTER_ERROR_MS, signal)
      return due > 0 ? 0 : LONGEST_REST_MS
    })
  return {
    stop: async () => {
      ending.abort()
      await loop
    },
  }
}
