import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** What `npm run test:fast` leaves out. `npm test` runs all of it. */
const SLOW = [
  // Query plans on tables of up to a million rows.
  'server/**/*plans.test.ts',
  // Torture, benchmarks, the demonstration and the load.
  'tools/**/*.test.ts',
  // Processes, poolers and a PostgreSQL that are started, stopped, frozen and cut off.
  'local-postgres/**/*.test.ts',
  'scripts/{start,install}.test.ts',
  'server/test/{watchdog,idle,outage,unavailable,connections,front-door,pgbouncer}.test.ts',
  'server/src/platform/{db/connect,db/copy-out,jobs/wake-up,http/host}.test.ts',
  'server/src/push/pipeline/lookout.test.ts',
  'server/src/push/campaigns/progress.test.ts',
  // Many costly requests: the event loop's time, races, password hashes.
  'server/test/cost.test.ts',
  'server/src/administration/exports/link.test.ts',
  'server/src/identity/passwords/login-budget.test.ts',
  'server/src/marketplace/swaps/races.test.ts',
  'server/src/platform/idempotency/idempotency.test.ts',
]

for (const pattern of SLOW) if (globSync(pattern).length === 0) throw new Error(`No test is named ${pattern}.`)

const { projects = [], ...options } = base.test ?? {}

// One module graph for each worker, not for each file: imports were half of the time.
export default defineConfig({
  test: {
    ...options,
    isolate: false,
    maxWorkers: 3,
    env: { FUZZ_REQUESTS: '400' },
    projects: projects.map((project) => {
      if (typeof project !== 'object' || !('test' in project)) throw new Error('A project of tests is written out.')
      return { ...project, test: { ...project.test, exclude: SLOW, isolate: false, env: { FUZZ_REQUESTS: '400' } } }
    }),
  },
})
