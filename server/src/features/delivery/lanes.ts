import type { Lane } from '../../db/tables.ts'
import type { Bell } from '../../jobs/bell.ts'
import { askBreaker, reportHealth } from '../../push/breaker.ts'
import { takePace } from '../../push/pace.ts'
import { fromNow, sleep } from '../../shared/clock.ts'
import { countDueBatches, USERS_PER_BATCH } from './batches.queries.ts'
import { applyTransition } from './halt.ts'
import { sendBatches, type SendDeps } from './send-batches.ts'

// With a pace, a claim is about one full request, so that nothing that is claimed waits and a stop is honoured at once.
// Without one, 32 batches a claim (measured: docs/benchmarks.md).
const BATCHES_A_CLAIM = { paced: 2, free: 32 }
const IDLE_MS = 100
const LONGEST_WAIT_MS = 1_000

/** The lanes of a worker process, running. */
export type Lanes = { stop(): Promise<void> }

/**
 * Runs both lanes until stopped, looking ten times a second or when the bell rings (decision B15: transactional goes first; it has workers of its own). Stopping finishes
 * what is in flight.
 */
export function startLanes(deps: SendDeps, bell: Bell): Lanes {
  const ending = new AbortController()
  const campaignWorkers = Math.min(Math.max(Math.ceil(deps.config.PUSH_CONCURRENCY / 8), 3), 6)
  const loops = [
    ...Array.from({ length: 2 }, () => runLane(deps, bell, 'transactional', ending.signal)),
    ...Array.from({ length: campaignWorkers }, () => runLane(deps, bell, 'campaign', ending.signal)),
  ]
  const stop = async () => {
    ending.abort()
    await Promise.all(loops)
  }
  return { stop }
}

async function runLane(deps: SendDeps, bell: Bell, lane: Lane, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const idleMs = await runOnce(deps, lane, signal)
      if (idleMs > 0) await bell.wait(idleMs, signal)
    } catch (error) {
      deps.log.error({ err: error, lane }, 'a lane met an error and goes on')
      await sleep(LONGEST_WAIT_MS, signal)
    }
  }
}

/**
 * One round of a lane: ask the breaker, look for due batches, wait for the pace, send. Gives how long the lane may rest.
 */
export async function runOnce(deps: SendDeps, lane: Lane, signal: AbortSignal): Promise<number> {
  const admission = await askBreaker(deps)
  if (admission.kind === 'wait') return Math.min(admission.waitMs, LONGEST_WAIT_MS)
  const due = await countDueBatches(deps.db, { lane, limit: mostBatches(deps, admission.kind) }, fromNow(deps.clock))
  if (due === 0) {
    // The provider answered the probe and there is nothing to try it on.
    if (admission.kind === 'trial') await applyTransition(deps, await reportHealth(deps, [{ kind: 'healthy' }]))
    return IDLE_MS
  }
  const estimate = lane === 'transactional' ? due : due * USERS_PER_BATCH
  if (!(await takePace(deps, lane, estimate, signal))) return 0
  return (await sendBatches(deps, { lane, limit: due }, estimate)) > 0 ? 0 : IDLE_MS
}

function mostBatches(deps: Pick<SendDeps, 'config'>, admission: 'go' | 'trial'): number {
  if (admission === 'trial') return 1
  return deps.config.PUSH_RATE_PER_SECOND > 0 ? BATCHES_A_CLAIM.paced : BATCHES_A_CLAIM.free
}
