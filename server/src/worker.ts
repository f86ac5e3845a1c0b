import type { Deps } from './deps.ts'
import { inTransaction } from './platform/db/transaction.ts'
import { listenForWork } from './platform/jobs/wake-up.ts'
import { auditChores } from './administration/audit/audit-chores.ts'
import { createContact } from './push/pipeline/contact.ts'
import { enqueueCoordination } from './push/messages/control.ts'
import { coordinate } from './push/pipeline/coordinate.ts'
import { startLanes } from './push/pipeline/lanes.ts'
import { startLookout } from './push/pipeline/lookout.ts'
import { fetchReceipts } from './push/receipts/receipts.ts'
import { sweepChores } from './push/pipeline/sweep.ts'
import { runExport } from './administration/exports/exports.ts'
import { refreshInsights } from './administration/insights/refresh.ts'
import { keepSwapTallies } from './administration/reports/swap-summary.ts'
import { expireSubscriptions } from './marketplace/subscriptions/subscriptions.ts'
import { completeConfirmedSwaps, expireOldProposals } from './marketplace/swaps/by-time.ts'
import { purgeUsers } from './administration/accounts/purge.ts'
import { reactivateUsers } from './administration/accounts/standing.ts'
import { forgetChores } from './housekeeping.ts'
import { createBell } from './platform/jobs/bell.ts'
import { workOn, workWhenRung } from './platform/jobs/work.ts'
import { runChores } from './platform/shared/chores.ts'

const COORDINATE_FOR_MS = 60_000
const RECEIPTS_A_RUN = 200_000
const RECEIPT_RUNS_AT_ONCE = 4
const EVERY_MINUTE = '* * * * *'
// After an outage whoever has answers in hand stores them first: they try every half second.
const SWEEP_AFTER_MS = 15_000

/**
 * Starts the worker: the one list of all jobs and what each does. Stopping finishes what is in flight; it takes as long as a
 * request to the provider may.
 */
export async function startWorker(deps: Deps): Promise<{ stop: () => Promise<void> }> {
  const { queue, db, log } = deps
  const ending = new AbortController()
  const contact = createContact()
  const bells = { transactional: createBell(), campaign: createBell(), coordinate: createBell() }

  const coordinating = workWhenRung(
    { ...deps, bell: bells.coordinate },
    'coordinate',
    async ({ messageId }, signal) => {
      const until = AbortSignal.any([signal, AbortSignal.timeout(COORDINATE_FOR_MS)])
      const isDone = await coordinate(deps, messageId, until)
      if (!isDone) await inTransaction(db, (tx) => enqueueCoordination(deps, tx, messageId))
    },
    ending.signal,
  )
  const queues = {
    coordinate: bells.coordinate.ring,
    'fetch-receipts': await workOn(
      queue,
      'fetch-receipts',
      async (round, signal) => {
        await fetchReceipts(deps, round, AbortSignal.any([signal, ending.signal]))
      },
      RECEIPT_RUNS_AT_ONCE,
    ),
    'run-export': await workOn(queue, 'run-export', ({ exportId }, signal) =>
      runExport(deps, exportId, AbortSignal.any([signal, ending.signal])),
    ),
    sweep: await workOn(queue, 'sweep', async (_, signal) => {
      const steadyMs = Math.min(SWEEP_AFTER_MS, deps.config.PUSH_LEASE_SECONDS * 250)
      if (!(await contact.steadyFor(steadyMs, AbortSignal.any([signal, ending.signal])))) return
      await runChores(log, {
        ...sweepChores(deps),
        ...forgetChores(deps),
        ...auditChores(deps),
      })
    }),
    'tend-accounts': await workOn(queue, 'tend-accounts', async (_, signal) => {
      await runChores(log, {
        'end suspensions': () => reactivateUsers(deps),
        'purge deleted accounts': () => purgeUsers(deps, AbortSignal.any([signal, ending.signal])),
      })
    }),
    'by-time': await workOn(queue, 'by-time', async () => {
      await runChores(log, {
        'expire proposals': () => expireOldProposals(deps),
        'complete confirmed swaps': () => completeConfirmedSwaps(deps),
        'expire subscriptions': () => expireSubscriptions(deps),
        'fold swap tallies': () => keepSwapTallies(deps),
      })
    }),
    'refresh-insights': await workOn(queue, 'refresh-insights', (_, signal) =>
      refreshInsights(deps, AbortSignal.any([signal, ending.signal])),
    ),
  }
  await queue.boss.schedule(
    'fetch-receipts',
    EVERY_MINUTE,
    { limit: RECEIPTS_A_RUN, dueOnly: true },
    { singletonKey: 'schedule' },
  )
  for (const name of ['sweep', 'by-time', 'tend-accounts', 'refresh-insights'])
    await queue.boss.schedule(name, EVERY_MINUTE, {})

  const lanes = startLanes(deps, bells)
  const listener = listenForWork({ url: deps.config.DATABASE_URL, pool: deps.pool, log }, queue.announced.ring)
  const lookout = startLookout(deps, { waiting: { lanes: bells, queues }, contact, hears: listener.hears })

  const stop = async () => {
    ending.abort()
    await Promise.all([listener.stop(), lookout.stop(), lanes.stop(), coordinating])
    await queue.boss.stop({ graceful: true, close: false, timeout: 20_000 })
  }
  return { stop }
}
