import type { Deps } from '../../deps.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import type { Contact } from './contact.ts'
import type { LaneBells } from './lanes.ts'
import { findOpenWork, type OpenWork, type OpenLanes } from './lookout.queries.ts'

/**
 * Who waits for work in a worker process: the lanes of each provider, and what is called for jobs, by the name of their
 * queue.
 */
export type Waiting = { lanes: Map<string, LaneBells>; queues: Record<string, () => void> }

export type Lookout = { stop(): Promise<void> }

type LookoutDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'queue'>

const LOOK_EVERY_MS = { woken: 1_000, deaf: 200 }
// However often it is called, it looks no more often than this.
const GAP_MS = 50

/**
 * Looks for work on behalf of everyone in this process who waits for it: once a second, at once when work is announced
 * here or by another process, and at the moment when something becomes due. Where the announcements of others do not
 * arrive (`hears` says so), five times a second. Each look is one statement (ADR 033).
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
      const work = await findOpenWork(deps.db, [...waiting.lanes.keys()], Object.keys(waiting.queues))
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

/** Who may start, and when. The lanes of a provider wait for its breaker, which one of them probes when that is due. */
function startsOf(work: OpenWork, { lanes, queues }: Waiting): { at: number; wake: () => void }[] {
  const ofLane = (open: OpenLanes, lane: Lane, due: number | null) => {
    const at = laneStart(open, due)
    const bells = lanes.get(open.provider)
    return at === undefined || bells === undefined ? [] : [{ at, wake: bells[lane].ring }]
  }
  const ofQueue = ([name, at]: [string, number]) => {
    const wake = queues[name]
    return wake === undefined ? [] : [{ at, wake }]
  }
  return [
    ...work.lanes.flatMap((open) => [
      ...ofLane(open, 'transactional', open.transactional_due),
      ...ofLane(open, 'campaign', open.campaign_due),
    ]),
    ...Object.entries(work.jobs).flatMap(ofQueue),
  ]
}

function laneStart({ breaker, retry_at, busy_until }: OpenLanes, due: number | null): number | undefined {
  if (breaker === 'halted') return undefined
  if (breaker !== 'closed') return retry_at ?? 0
  return due === null ? undefined : Math.max(due, busy_until)
}
