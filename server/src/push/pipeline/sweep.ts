import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { announceAfter, isOpenJob } from '../../platform/jobs/queue.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { idsOf, lockAbandonedBatches, lockOpenBatch, type AbandonedBatch } from '../records/batch-locks.queries.ts'
import { finishBatches, returnBatches } from '../records/batches.queries.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { enqueueCoordination } from '../messages/control.ts'
import { addCounts } from '../records/counts.queries.ts'
import { endBatches } from '../records/end-batches.ts'
import { expireOverdue } from './expire.ts'
import { catchUpAlerts } from './halt.ts'
import {
  completeFinishedMessages,
  listUncoordinatedMessages,
  listUnfinishedMessages,
} from '../records/messages.queries.ts'
import { endUnsentOfBatches, markUnknown } from '../records/notifications.queries.ts'
import { markSubmissionsUnknown } from '../records/submissions.queries.ts'

type SweepDeps = Ground & Pick<Deps, 'db' | 'log' | 'providers'>

const BATCHES_A_ROUND = 500

/** Finds work that a crash interrupted, by leases and missing jobs and never by age, so a slow campaign continues. */
export function sweepChores(deps: SweepDeps): Chores {
  return {
    'recover abandoned attempts': async () => {
      while ((await recoverAbandoned(deps)) === BATCHES_A_ROUND);
    },
    'end what is past its time limit': () => expireOverdue(deps),
    'replace vanished jobs': () => replaceVanishedJobs(deps),
    'complete finished messages': () => completeFinished(deps),
    'catch up on alerts': () => catchUpAlerts(deps),
  }
}

/** After failures of our own. Users of a batch that was never claimed count as skipped, with `stopped`. */
export async function closeDeadBatch(deps: Pick<Deps, 'db' | 'clock'>, batchId: number): Promise<void> {
  const now = fromNow(deps.clock)
  const messageId = await inTransaction(deps.db, async (tx) => {
    const batch = await lockOpenBatch(tx, batchId)
    if (batch === undefined) return undefined
    await giveUp(tx, [batchId], now)
    await addCounts(tx, await endBatches(tx, [batch], { code: 'WorkerFailed', reason: 'stopped' }, now), batchId)
    return batch.message_id
  })
  if (messageId !== undefined) await completeFinishedMessages(deps.db, [messageId], now)
}

async function replaceVanishedJobs(deps: SweepDeps): Promise<void> {
  for (const { message_id: messageId, job_id: jobId } of await listUncoordinatedMessages(deps.db)) {
    // There are few such messages at any time, and pg-boss can look up only one job at a time.
    if (jobId !== null && (await isOpenJob(deps.queue, 'coordinate', jobId))) continue
    await inTransaction(deps.db, (tx) => enqueueCoordination(workIn(deps, tx), messageId))
  }
}

async function completeFinished({ db, clock }: SweepDeps): Promise<void> {
  const coordinated = (await listUnfinishedMessages(db)).filter((message) => message.coordinated_at !== null)
  const messageIds = coordinated.map((message) => message.message_id)
  await inPlannedTransaction(db, 'by index', (tx) => completeFinishedMessages(tx, messageIds, fromNow(clock)))
}

async function recoverAbandoned(deps: SweepDeps): Promise<number> {
  const now = fromNow(deps.clock)
  return inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const batches = await lockAbandonedBatches(tx, BATCHES_A_ROUND, now)
    if (batches.length === 0) return 0
    await giveUp(tx, idsOf(batches), now)
    const isOver = (batch: AbandonedBatch) =>
      batch.attempts > deps.config.PUSH_RETRY_LIMIT || batch.message_status === 'stopped'
    await endAbandoned(tx, idsOf(batches.filter(isOver)), now)
    await retryBatches(
      tx,
      deps,
      batches.filter((batch) => !isOver(batch)),
      now,
    )
    deps.log.warn({ batches: batches.length }, 'attempts without an outcome were marked as unknown')
    return batches.length
  })
}

async function giveUp(tx: Tx, batchIds: number[], now: Date): Promise<void> {
  const given = await markSubmissionsUnknown(tx, batchIds, now)
  const copies = given.flatMap(({ submissionId, notificationIds, userIds }) =>
    notificationIds.map((notificationId, index) => ({
      notificationId,
      userId: must(userIds[index], 'user of a copy'),
      submissionId,
    })),
  )
  await markUnknown(tx, copies, now)
}

async function endAbandoned(tx: Tx, ids: number[], now: Date): Promise<void> {
  await addCounts(tx, await endUnsentOfBatches(tx, ids, null, now), ids[0] ?? 0)
  await finishBatches(tx, ids, 'done', now)
}

async function retryBatches(tx: Tx, deps: SweepDeps, batches: AbandonedBatch[], now: Date): Promise<void> {
  const delayMs = deps.config.PUSH_RETRY_DELAY_SECONDS * 1_000
  const leaseMs = deps.config.PUSH_LEASE_SECONDS * 1_000
  const returned = batches.map((batch) => {
    // The attempt began a lease ago, and retries are 60 s apart (decision B4).
    const startedAt = must(batch.lease_until, 'lease of an abandoned batch').getTime() - leaseMs
    const dueAt = new Date(Math.max(now.getTime(), startedAt + delayMs))
    return { batchId: batch.batch_id, dueAt }
  })
  await returnBatches(tx, returned, now)
  announceAfter(deps.queue, tx)
}
