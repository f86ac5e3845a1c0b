import type { Deps } from './deps.ts'
import { inTransaction } from './db/transaction.ts'
import { enqueueCoordination } from './features/delivery/control.ts'
import { coordinate } from './features/delivery/coordinate.ts'
import { runExport } from './features/exports/exports.ts'
import { tendAudit } from './features/audit/tend.ts'
import { forgetExpired } from './housekeeping.ts'
import { refreshInsights } from './features/insights/refresh.ts'
import { startLanes } from './features/delivery/lanes.ts'
import { fetchReceipts } from './features/delivery/receipts.ts'
import { sweep } from './features/delivery/sweep.ts'
import { keepSwapTallies } from './features/reports/swap-summary.ts'
import { expireSubscriptions } from './features/subscriptions/subscriptions.ts'
import { moveSwapsByTime } from './features/swaps/by-time.ts'
import { purgeUsers } from './features/users/purge.ts'
import { reactivateUsers } from './features/users/standing.ts'
import { createBell } from './jobs/bell.ts'
import { workAtOnce, workOn } from './jobs/work.ts'

const COORDINATE_FOR_MS = 60_000
const RECEIPTS_A_RUN = 200_000
const EVERY_MINUTE = '* * * * *'

/**
 * Starts the worker: the one list of all jobs and what each does. Stopping finishes what is in flight; it takes as long as a request to the provider may.
 */
export async function startWorker(deps: Deps): Promise<{ stop: () => Promise<void> }> {
  const { queue, db } = deps
  const ending = new AbortController()
  const bell = createBell()

  const coordinating = workAtOnce(
    deps,
    'coordinate',
    async ({ messageId }, signal) => {
      const isDone = await coordinate(
        deps,
        messageId,
        AbortSignal.any([signal, AbortSignal.timeout(COORDINATE_FOR_MS)]),
        bell.ring,
      )
      if (!isDone) await inTransaction(db, (tx) => enqueueCoordination(deps, tx, messageId))
    },
    ending.signal,
  )
  await workOn(queue, 'fetch-receipts', async (round, signal) => {
    await fetchReceipts(deps, round, AbortSignal.any([signal, ending.signal]))
  })
  await workOn(queue, 'run-export', ({ exportId }, signal) =>
    runExport(deps, exportId, AbortSignal.any([signal, ending.signal])),
  )
  await workOn(queue, 'sweep', async () => {
    await sweep(deps)
    await forgetExpired(deps)
    await tendAudit(deps)
  })
  await workOn(queue, 'tend-accounts', async (_, signal) => {
    await reactivateUsers(deps)
    await purgeUsers(deps, AbortSignal.any([signal, ending.signal]))
  })
  await workOn(queue, 'by-time', async () => {
    await moveSwapsByTime(deps)
    await expireSubscriptions(deps)
    await keepSwapTallies(deps)
  })
  await workOn(queue, 'refresh-insights', (_, signal) =>
    refreshInsights(deps, AbortSignal.any([signal, ending.signal])),
  )
  await queue.boss.schedule(
    'fetch-receipts',
    EVERY_MINUTE,
    { limit: RECEIPTS_A_RUN, dueOnly: true },
    { singletonKey: 'schedule' },
  )
  await queue.boss.schedule('sweep', EVERY_MINUTE, {})
  await queue.boss.schedule('by-time', EVERY_MINUTE, {})
  await queue.boss.schedule('tend-accounts', EVERY_MINUTE, {})
  await queue.boss.schedule('refresh-insights', EVERY_MINUTE, {})
  const lanes = startLanes(deps, bell)

  const stop = async () => {
    ending.abort()
    await Promise.all([lanes.stop(), coordinating])
    await queue.boss.stop({ graceful: true, close: false, timeout: 20_000 })
  }
  return { stop }
}
