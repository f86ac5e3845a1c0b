import type { Deps } from '../../deps.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import { announceBadges } from '../../platform/jobs/queue.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { countMarked } from './badges.ts'
import { openRealtimeDatabase } from './firebase.ts'
import { writeBadges } from './realtime.ts'

const AFTER_ERROR_MS = 1_000
// The poller wakes the loops; this only bounds a missed wake-up.
const LONGEST_REST_MS = 60_000
const ROUND_WITHIN_MS = 60_000
// With 100 ms, a campaign without a pace lost a tenth of its speed.
const BULK_GAP_MS = 400

export type BadgeSignals = Record<'urgent' | 'bulk' | 'writes', WakeSignal>

type WorkerDeps = Pick<Deps, 'db' | 'queue' | 'clock' | 'config' | 'log' | 'loops'>

/** Counts marked badges and writes them to the realtime database; a stop ends the current round first (ADR 043). */
export function startBadges(deps: WorkerDeps, signals: BadgeSignals): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const { signal } = ending
  const database = openRealtimeDatabase(deps.config)
  const tellOf = (error: unknown) =>
    deps.log.warn({ err: error }, 'badges could not be counted or written; the worker tries again')
  const rounds = (work: WakeSignal, round: () => Promise<boolean>) =>
    deps.loops.run({ name: 'badges', work, signal, withinMs: ROUND_WITHIN_MS, failed: tellOf }, async () =>
      (await round()) ? 0 : LONGEST_REST_MS,
    )
  const loops = [
    rounds(signals.urgent, () => countRound(deps, signals, true)),
    rounds(signals.bulk, async () => {
      const hasWorked = await countRound(deps, signals, false)
      if (hasWorked) await sleep(BULK_GAP_MS, signal)
      return hasWorked
    }),
    ...(database === undefined
      ? []
      : [
          rounds(signals.writes, async () => {
            const { due, failed } = await writeBadges(deps, database)
            if (failed > 0) await sleep(AFTER_ERROR_MS, signal)
            return due > 0
          }),
        ]),
  ]
  return {
    stop: async () => {
      ending.abort()
      await Promise.all(loops)
    },
  }
}

async function countRound(deps: WorkerDeps, signals: BadgeSignals, isUrgent: boolean): Promise<boolean> {
  const { users, changed } = await countMarked(deps, isUrgent)
  if (changed.length > 0) signals.writes.wake()
  // A lost announcement only delays, because a process with streams also polls.
  await announceBadges(deps.queue, changed).catch((error: unknown) =>
    deps.log.debug({ err: error }, 'the change of badges could not be announced'),
  )
  return users > 0
}
