import type { PushDeps } from '../../push/deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { enqueue, hasOpenJob } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { keepAlert } from '../../push/status/alerts.ts'
import { endBulk } from '../accounts/run-bulk.ts'
import { endExport } from '../exports/exports.ts'
import { listOpenWork, type OpenWork } from './stalled.queries.ts'

type Stalled = Pick<PushDeps, 'db' | 'clock' | 'queue' | 'log'>

const NOTICED_AFTER_MS = 10 * 60_000
const ENDED_AFTER_MS = 20 * 60_000
const ATTEMPTS_MAX = 4

const ALERT = {
  code: 'WorkStalled',
  detail:
    'An export or a change of many accounts has made no progress for ten minutes. Without any in twenty it is ended.',
}

/**
 * Takes up exports and bulk changes that nobody works on any more, and ends those that stand still or were begun too
 * often (ADR 3). Raises an alert while one has made no progress for ten minutes.
 */
export async function tendStalledWork(deps: Stalled): Promise<void> {
  const open = await listOpenWork(deps.db)
  const isLate = open[0] !== undefined && open[0].since < fromNow(deps.clock, -NOTICED_AFTER_MS)
  const noticedAt = await keepAlert(deps, ALERT, isLate)
  // All work looks as if it stood still after an outage, so it has the time since the alert to go on.
  const mayEnd = noticedAt !== undefined && noticedAt <= fromNow(deps.clock, NOTICED_AFTER_MS - ENDED_AFTER_MS)
  // There are few at any time, and pg-boss tells of one at a time.
  for (const work of open) await tend(deps, work, mayEnd)
}

async function tend({ db, clock, queue, log }: Stalled, work: OpenWork, mayEnd: boolean): Promise<void> {
  const { kind, id, attempts, progress_at } = work
  const isWorkedOn =
    kind === 'export'
      ? await hasOpenJob(queue, 'run-export', { exportId: id })
      : await hasOpenJob(queue, 'run-bulk-change', { bulkId: id })
  const standsStill = mayEnd && progress_at !== null && progress_at < fromNow(clock, -ENDED_AFTER_MS)
  if (isWorkedOn && !standsStill) return
  if (standsStill || attempts >= ATTEMPTS_MAX) {
    log.error({ ...work }, 'work in the background made no progress; it is ended')
    return kind === 'export' ? endExport(db, id, fromNow(clock)) : endBulk(db, id, fromNow(clock))
  }
  log.warn({ ...work }, 'work in the background lost its job; it gets a new one')
  await inTransaction(db, (tx) =>
    kind === 'export'
      ? enqueue({ queue, tx }, 'run-export', { exportId: id })
      : enqueue({ queue, tx }, 'run-bulk-change', { bulkId: id }),
  )
}
