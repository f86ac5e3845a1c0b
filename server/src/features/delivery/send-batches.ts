import type { Deps } from '../../deps.ts'
import type { Lane } from '../../db/tables.ts'
import { BATCH_QUEUE, completeJobs, type BatchJob } from '../../jobs/queue.ts'
import { reportHealth } from '../../push/breaker.ts'
import { settlePace } from '../../push/pace.ts'
import { claimBatches, type ClaimedPush } from './claim.ts'
import { completeFinished } from './completion.ts'
import { applyTransition } from './halt.ts'
import { settle, type Answered } from './settle.ts'

export type SendDeps = Pick<
  Deps,
  'db' | 'clock' | 'config' | 'queue' | 'log' | 'provider' | 'removalGuard' | 'slots' | 'lifecycle'
>

/**
 * Sends batches together, so that requests are full: one transaction before the calls and one after. Each batch keeps
 * its own job, attempts and outcome. When the group fails, each batch is sent alone, so that a bad one spoils no other;
 * one that fails alone gives its error. `paceTaken` is what the caller took from the budget for them.
 */
export async function sendBatches(deps: SendDeps, lane: Lane, jobs: BatchJob[], paceTaken = 0): Promise<void> {
  try {
    await sendGroup(deps, lane, jobs, paceTaken)
  } catch (error) {
    if (jobs.length === 1) throw error
    deps.log.warn({ err: error, batches: jobs.length }, 'a group of batches failed; each is sent alone')
    for (const job of jobs) await sendGroup(deps, lane, [job], 0)
  }
}

async function sendGroup(deps: SendDeps, lane: Lane, jobs: BatchJob[], paceTaken: number): Promise<void> {
  const claim = await claimBatches(
    deps,
    jobs.map((job) => job.data.batchId),
  )
  const claimed = new Set(claim.batches.map((batch) => batch.batch_id))
  const [own, passed] = [
    jobs.filter((job) => claimed.has(job.data.batchId)),
    jobs.filter((job) => !claimed.has(job.data.batchId)),
  ]
  await completeJobs(deps.queue, deps.db, BATCH_QUEUE[lane], passed)
  await settlePace(
    deps,
    paceTaken,
    claim.requests.reduce((sum, request) => sum + request.length, 0),
  )
  const answers = await Promise.all(claim.requests.map((request) => call(deps, lane, request, claim.leaseUntil)))
  if (answers.length > 0) await settle(deps, lane, claim, answers, own)
  await applyTransition(
    deps,
    await reportHealth(
      deps,
      answers.map((answer) => answer.health),
      claim.startedAt,
    ),
  )
  await completeFinished(deps, claim)
}

/**
 * One request, within the process's share of connections. Nothing of it begins that could not end within the lease, or
 * once the process is told to stop: a process that stood still sends nothing late, and one that stops does so in time.
 */
async function call(deps: SendDeps, lane: Lane, request: ClaimedPush[], leaseUntil: Date): Promise<Answered> {
  const beginBefore = leaseUntil.getTime() - deps.config.PUSH_TIMEOUT_SECONDS * 1_000
  const mayBegin = () => deps.clock.now() < beginBefore && !deps.lifecycle.draining
  const release = await deps.slots.take(lane)
  try {
    const pushes = request.map(({ push }) => push)
    return { request, ...(await deps.provider.submit(pushes, mayBegin)) }
  } finally {
    release()
  }
}
