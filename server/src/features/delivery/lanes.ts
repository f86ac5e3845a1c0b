import type { Lane } from '../../db/tables.ts'
import { BATCH_QUEUE, failJobs, fetchJobs, returnJobs, type BatchJob } from '../../jobs/queue.ts'
import { askBreaker, reportHealth } from '../../push/breaker.ts'
import { takePace } from '../../push/pace.ts'
import { sleep } from '../../shared/clock.ts'
import { USERS_PER_BATCH } from './batches.queries.ts'
import { applyTransition } from './halt.ts'
import { sendBatches, type SendDeps } from './send-batches.ts'

// With a pace, a fetch is about one full request, so that nothing that is claimed waits and a stop is honoured at once.
// Without one, 32 batches a fetch (measured: docs/benchmarks.md).
const BATCHES_A_FETCH = { paced: 2, free: 32 }
const IDLE_MS = 100
const LONGEST_WAIT_MS = 1_000

/** The lanes of a worker process, running. */
export type Lanes = { stop(): Promise<void> }

/**
 * Runs both lanes until stopped (decision B15: transactional goes first; it has workers of its own). Stopping finishes
 * what is in flight and gives back what is not begun.
 */
export function startLanes(deps: SendDeps): Lanes {
  const ending = new AbortController()
  const campaignWorkers = Math.min(Math.max(Math.ceil(deps.config.PUSH_CONCURRENCY / 8), 3), 6)
  const loops = [
    ...Array.from({ length: 2 }, () => runLane(deps, 'transactional', ending.signal)),
    ...Array.from({ length: campaignWorkers }, () => runLane(deps, 'campaign', ending.signal)),
  ]
  const stop = async () => {
    ending.abort()
    await Promise.all(loops)
  }
  return { stop }
}

async function runLane(deps: SendDeps, lane: Lane, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const idleMs = await runOnce(deps, lane, signal)
      if (idleMs > 0) await sleep(idleMs, signal)
    } catch (error) {
      deps.log.error({ err: error, lane }, 'a lane met an error and goes on')
      await sleep(LONGEST_WAIT_MS, signal)
    }
  }
}

/**
 * One round of a lane: ask the breaker, fetch due batches, wait for the pace, send. Gives how long the lane may rest.
 */
export async function runOnce(deps: SendDeps, lane: Lane, signal: AbortSignal): Promise<number> {
  const admission = await askBreaker(deps)
  if (admission.kind === 'wait') return Math.min(admission.waitMs, LONGEST_WAIT_MS)
  const size = fetchSize(deps, admission.kind)
  const jobs: BatchJob[] = await fetchJobs(deps.queue, BATCH_QUEUE[lane], size)
  if (jobs.length === 0) {
    // The provider answered the probe and there is nothing to try it on.
    if (admission.kind === 'trial') await applyTransition(deps, await reportHealth(deps, [{ kind: 'healthy' }]))
    return IDLE_MS
  }
  await sendOrFail(deps, lane, jobs, signal)
  return 0
}

function fetchSize(deps: Pick<SendDeps, 'config'>, admission: 'go' | 'trial'): number {
  if (admission === 'trial') return 1
  return deps.config.PUSH_RATE_PER_SECOND > 0 ? BATCHES_A_FETCH.paced : BATCHES_A_FETCH.free
}

/** A batch that fails for a reason of our own comes back by the queue, and its job's last failure closes it. */
async function sendOrFail(deps: SendDeps, lane: Lane, jobs: BatchJob[], signal: AbortSignal): Promise<void> {
  const estimate = lane === 'transactional' ? jobs.length : jobs.length * USERS_PER_BATCH
  try {
    if (await takePace(deps, lane, estimate, signal)) await sendBatches(deps, lane, jobs, estimate)
    else await returnJobs(deps.queue, BATCH_QUEUE[lane], jobs)
  } catch (error) {
    deps.log.error({ err: error, lane }, 'a batch failed')
    await failJobs(deps.queue, BATCH_QUEUE[lane], jobs, 'the batch failed')
  }
}
