import type { Deps } from '../../deps.ts'
import type { Lane } from '../../platform/db/tables.ts'
import type { Bell } from '../../platform/jobs/bell.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import type { Contact } from './contact.ts'
import { findOpenWork, type OpenWork } from './lookout.queries.ts'

/** Who waits for work in a worker process: its lanes, and what is called for jobs by the name of their queue. */
export type Waiting = { lanes: Record<Lane, Bell>; queues: Record<string, () => void> }

export type Lookout = { stop(): Promise<void> }

type LookoutDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'queue'>

const LOOK_EVERY_MS = { woken: 1_000, deaf: 200 }
// However often it is called, it looks no more often than this.
const GAP_MS = 50

/**
 * Looks for work on behalf of everyone in this process who waits for it: once a second, at once when work is announced here
 * or by another process, and at the moment when something becomes due. Where the announcements of others do not arrive
 * (`hears` says so), five times a second. Each look is one statement (ADR 033).
 */
export function startLookout(
  deps: LookoutDeps,
  { waiting, contact, hears }: { waiting: Waiting; contact: Contact; hears: () => boolean },
): Lookout {
  const ending = new AbortController()
  const { announced } = deps.queue
  const look = async () => {
    const everyMs = hears() ? LOOK_EVERY_MS.woken : LOOK_EVERY_MS.deaf
    try {
      const work = await findOpenWork(deps.db, Object.keys(waiting.queues))
      contact.seen()
      const now = fromNow(deps.clock).getTime()
      const starts = startsOf(work, waiting)
      for (const { at, wake } of starts) if (at <= now) wake()
      const next = Math.min(...starts.filter(({ at }) => at > now).map(({ at }) => at - now))
      return Math.min(everyMs, next)
    } catch (error) {
      contact.lost()
      deps.log.warn({ err: error }, 'the worker could not poll for work')
      return LOOK_EVERY_MS.woken
    }
  }
  const watch = async () => {
    while (!ending.signal.aborted) {
      const rings = announced.rings()
      const restMs = await look()
      await sleep(Math.min(GAP_MS, restMs), ending.signal)
      await announced.wait(Math.max(restMs - GAP_MS, 0), ending.signal, rings)
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      ending.abort()
      await watching
    },
  }
}

/** Who may start, and when. The lanes wait for the breaker, which one of them probes when that is due. */
function startsOf(work: OpenWork, { lanes, queues }: Waiting): { at: number; wake: () => void }[] {
  const ofLane = (lane: Lane, due: Date | null) => {
    const at = laneStart(work, due)
    return at === undefined ? [] : [{ at, wake: lanes[lane].ring }]
  }
  const ofQueue = ([name, at]: [string, number]) => {
    const wake = queues[name]
    return wake === undefined ? [] : [{ at, wake }]
  }
  return [
    ...ofLane('transactional', work.transactional_due),
    ...ofLane('campaign', work.campaign_due),
    ...Object.entries(work.jobs).flatMap(ofQueue),
  ]
}

function laneStart({ breaker, retry_at, busy_until }: OpenWork, due: Date | null): number | undefined {
  if (breaker === 'halted') return undefined
  if (breaker !== 'closed') return retry_at?.getTime() ?? 0
  return due === null ? undefined : Math.max(due.getTime(), busy_until.getTime())
}
