import type { Deps } from './deps.ts'
import { purgeUsers } from './administration/accounts/purge.ts'
import { reactivateUsers } from './administration/accounts/market-access.ts'
import { watchMails } from './administration/figures/mail-alerts.ts'
import { tellBrowsers } from './administration/browsers/browsers.ts'
import { tendStalledWork } from './administration/stalled/stalled.ts'
import { auditChores } from './administration/audit/audit-chores.ts'
import { runBulk } from './administration/accounts/run-bulk.ts'
import { runExport } from './administration/exports/exports.ts'
import { refreshInsights } from './administration/insights/refresh.ts'
import { keepSwapTallies } from './administration/statistics/swap-summary.ts'
import { forgetChores, oldAgeChores } from './housekeeping.ts'
import { expireSubscriptions } from './marketplace/subscriptions/subscriptions.ts'
import { completeConfirmedSwaps, expireOldProposals } from './marketplace/swaps/due-moves.ts'
import { THE_SERVICE } from './platform/audit/audit.ts'
import type { Payloads, QueueName } from './platform/jobs/queue.ts'
import { runChores, type Chores } from './platform/shared/chores.ts'
import { checkBadges } from './push/badges/check.ts'
import { coordinate } from './push/pipeline/coordinate.ts'
import { sweepChores } from './push/pipeline/sweep.ts'
import { returnFromRollOuts } from './push/roll-outs/roll-outs.ts'
import { watchUnconfigured } from './push/status/unconfigured.ts'
import { inWork } from './platform/work/work.ts'
import { fetchReceipts } from './push/pipeline/receipts.ts'
import { retentionChores } from './push/retention/retention.ts'

const COORDINATE_FOR_MS = 60_000

/** A job may run twice, late, at once with itself, or never. `signal` ends it early, also when it `expired`. */
export type Handlers = {
  [Name in QueueName]: (payload: Payloads[Name], signal: AbortSignal, expired?: AbortSignal) => Promise<void>
}

export function createHandlers(deps: Deps, isSteady = (_home: number) => true): Handlers {
  const { log } = deps
  // The alert SwapbellChoreOverdue expects each of them within half an hour.
  const run = (chores: Chores) => runChores(log, chores, deps.metrics.work.choreRan)
  return counted(deps, {
    coordinate: async ({ messageId }, signal, expired) => {
      const until = AbortSignal.any([signal, AbortSignal.timeout(COORDINATE_FOR_MS)])
      const isDone = await coordinate(deps, messageId, until)
      // One that expired comes again by itself. With another beside it there would be more of them each time.
      if (!isDone && !expired?.aborted)
        await inWork(deps, THE_SERVICE, (work) => work.enqueue('coordinate', { messageId }))
    },
    'fetch-receipts': async (round, signal) => {
      await fetchReceipts(deps, round, signal)
    },
    'run-export': ({ exportId }, signal) => runExport(deps, exportId, signal),
    'run-bulk-change': ({ bulkId }, signal) => runBulk(deps, bulkId, signal),
    sweep: () =>
      run({
        ...sweepChores(deps, isSteady),
        'tell of providers that are not configured': () => watchUnconfigured(deps),
        'return from roll-outs with too many gone': () => returnFromRollOuts(deps),
        ...forgetChores(deps),
        ...auditChores(deps),
        'watch mails': () => watchMails(deps),
        'tend stalled work': () => tendStalledWork(deps),
        'tell browsers': () => tellBrowsers(deps),
      }),
    'account-chores': (_, signal) =>
      run({
        'end suspensions': () => reactivateUsers(deps),
        'purge deleted accounts': () => purgeUsers(deps, signal),
      }),
    'marketplace-chores': () =>
      run({
        'expire proposals': () => expireOldProposals(deps),
        'complete confirmed swaps': () => completeConfirmedSwaps(deps),
        'expire subscriptions': () => expireSubscriptions(deps),
        'fold swap tallies': () => keepSwapTallies(deps),
      }),
    'refresh-insights': (_, signal) => refreshInsights(deps, signal),
    'check-badges': async (_, signal) => {
      await checkBadges(deps, signal)
    },
    retention: (_, signal) => run({ ...retentionChores(deps, signal), ...oldAgeChores(deps) }),
  })
}

function counted({ metrics }: Pick<Deps, 'metrics'>, handlers: Handlers): Handlers {
  const count =
    (name: QueueName, run: (payload: never, ...signals: [AbortSignal, AbortSignal?]) => Promise<void>) =>
    async (payload: never, ...signals: [AbortSignal, AbortSignal?]) => {
      const from = performance.now()
      let hasFailed = true
      try {
        await run(payload, ...signals)
        hasFailed = false
      } finally {
        metrics.work.jobRan(name, (performance.now() - from) / 1_000, hasFailed)
      }
    }
  return Object.fromEntries(
    Object.entries(handlers).map(([name, run]) => [name, count(name as QueueName, run)]),
  ) as Handlers
}
