import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { errorReporter } from './scripts/test-report.ts'

const TESTS = '{client,server,local-postgres,tools,scripts,panel}/**/*.test.ts'

/** `npm run test:fast` leaves out the files whose first line says that they are slow, and why. `npm test` runs all. */
const SLOW = globSync([TESTS, 'simulator/**/*.test.ts'], { exclude: ['**/node_modules/**'] }).filter((file) =>
  readFileSync(file, 'utf8').startsWith('// Slow: '),
)
if (SLOW.length === 0) throw new Error('No test says that it is slow.')

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
            include: [TESTS],
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
