import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { errorReporter } from './scripts/test-report.ts'

/** What `npm run test:fast` leaves out. `npm test` runs all of it. */
const SLOW = [
  // Query plans on tables of up to a million rows.
  'server/**/*plans.test.ts',
  // Torture, the demonstration and the load.
  'tools/**/*.test.ts',
  // The panel and the wall of phones in a browser.
  'panel/test/*.e2e.test.ts',
  // Processes, poolers and a PostgreSQL that are started, stopped, frozen and cut off.
  'local-postgres/**/*.test.ts',
  'scripts/{start,install}.test.ts',
  'server/test/{backup,restore,doctor,manage,manage-accounts,prometheus}.test.ts',
  'server/test/{metrics,tracing,worker-liveness,badges-killed,watchdog,idle,outage,unavailable,connections,front-door,pgbouncer}.test.ts',
  'server/src/platform/{db/connect,db/copy-out,jobs/wake-up,http/host}.test.ts',
  'server/src/push/pipeline/poller.test.ts',
  'server/src/push/campaigns/progress.test.ts',
  // Providers that halt, and databases whose owner is another: several services for one test.
  'server/src/push/pipeline/{providers,provider-halts}.test.ts',
  'server/src/platform/audit/owner.test.ts',
  'server/src/push/badges/streams.test.ts',
  // Many costly requests and long data: the event loop's time, races, password hashes, exports, audit chains.
  'server/test/parameters.test.ts',
  'server/src/administration/accounts/{account,purge}.test.ts',
  'server/src/administration/insights/period.test.ts',
  'server/src/identity/activity/activity.test.ts',
  'server/src/identity/sign-in/auth.test.ts',
  'server/src/marketplace/products/states.test.ts',
  'server/src/platform/shared/buckets.test.ts',
  'server/src/platform/lists/list-counts.test.ts',
  'server/src/push/records/audience-summary.test.ts',
  'server/test/cost.test.ts',
  'server/src/administration/exports/link.test.ts',
  'server/src/identity/passwords/login-budget.test.ts',
  'server/src/marketplace/swaps/races.test.ts',
  'server/src/platform/idempotency/idempotency.test.ts',
  'server/src/administration/{exports/users-export*,insights/truth,audit/verify}.test.ts',
  'server/src/push/pipeline/kept.test.ts',
  'server/src/identity/passwords/password.test.ts',
  'server/src/platform/shared/log.test.ts',
  'simulator/src/wall/{live-events,modes}.test.ts',
  // Every route, called by everybody or in many ways.
  'server/test/{access,openapi,writes,fuzz,wall,addresses}.test.ts',
  // Random histories, and many who do the same at once.
  'server/src/marketplace/swaps/{swaps-model,races-http}.test.ts',
  'server/src/marketplace/{own-products/history,groups/group-numbers,chat/strangers}.test.ts',
  'server/src/push/badges/{histories,realtime}.test.ts',
  'server/src/push/pipeline/{away,late,gone}.test.ts',
  // A service with other settings: without isolation the next file would get it too.
  'server/src/marketplace/subscriptions/webhook.test.ts',
  // A second and more for each test, or five for the file.
  'server/test/{examples,documented-rules,migration-*}.test.ts',
  'client/test/client.test.ts',
  'panel/test/schema.test.ts',
  'scripts/deploy.test.ts',
  'server/src/platform/{db/clock,db/migrate,statements/statements,limits/{quotas,rate-limit},audit/repeats,idempotency/idempotency-release}.test.ts',
  'server/src/identity/{recovery/{password,address},sign-in/{second-factor,own-factor},mails/send-mails}.test.ts',
  'server/src/push/{status/hand-halt,sending/{group-join,budget},inbox/history,checks/preferences,badges/check}.test.ts',
  'server/src/push/campaigns/{user-messages,message-report,progress-hub,controls}.test.ts',
  'server/src/push/{pipeline/{halt,crash,lost,delivery,outcomes},receipts/receipts,receipts/receipts-run}.test.ts',
  'server/src/push/retention/{retention,old-messages,partitions}.test.ts',
  'server/src/push/provider/expo/expo.test.ts',
  'server/src/marketplace/{events/merging,chat/chat,swaps/swaps-strangers}.test.ts',
  'server/src/administration/{approvals/approvals,figures/alarms,reports/swap-summary,own-data/own-data}.test.ts',
  'server/src/administration/{accounts/{own-deletion,create-user,roles},insights/accounts,insights/refresh,products/products-search}.test.ts',
]

for (const pattern of SLOW) if (globSync(pattern).length === 0) throw new Error(`No test is named ${pattern}.`)

// One module graph for each worker, not for each file: imports are half of the time.
const FAST = { isolate: false, exclude: SLOW, env: { FUZZ_REQUESTS: '150' } }

export default defineConfig(({ mode }) => {
  const fast = mode === 'fast' ? FAST : {}
  // CI reads what a run came to from this file.
  const report = process.env['TEST_REPORT']
  return {
    test: {
      ...(report && { reporters: ['default', ['json', { outputFile: report }], errorReporter(report)] }),
      // One more than the cores of a small machine, because many tests wait for processes, browsers and databases.
      maxWorkers: 3,
      projects: [
        {
          test: {
            name: 'server',
            include: ['{client,server,local-postgres,tools,scripts,panel}/**/*.test.ts'],
            globalSetup: ['panel/test/global-setup.ts', 'server/test/support/global-setup.ts'],
            // A busy machine takes a multiple of the usual time; what must be fast is measured by its own test.
            testTimeout: 60_000,
            hookTimeout: 120_000,
            ...fast,
          },
        },
        { test: { name: 'simulator', include: ['simulator/**/*.test.ts'], testTimeout: 20_000, ...fast } },
      ],
    },
  }
})
