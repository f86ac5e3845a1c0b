import { globSync, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { longFirst } from './scripts/long-first.ts'
import { skippedReporter } from './scripts/skipped-tests.ts'
import { errorReporter } from './scripts/test-report.ts'

const TESTS = '{client,server,local-postgres,tools,scripts,panel}/**/*.test.ts'

// The first line of a file says that it is slow, which `npm run test:fast` leaves out, or for CI, which runs all, and
// why.
const FILES = globSync([TESTS, 'simulator/**/*.test.ts'], { exclude: ['**/node_modules/**'] })
const FOR_CI = filesThatBegin('// For CI: ')
const SLOW = [...filesThatBegin('// Slow: '), ...FOR_CI]
const LEFT_OUT = process.env['CI'] ? [] : FOR_CI

// Each service under test has a copy of a database, of 850 files: 16 ms in memory, 300 to 700 ms on a disk. Where there
// is less memory than this, they stay on the disk.
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 6 * 2 ** 30
if (process.env['TMPDIR'] === undefined && freeBytes(MEMORY) > ENOUGH_BYTES && freemem() > ENOUGH_BYTES)
  process.env['TMPDIR'] = MEMORY

const FAST = { exclude: [...configDefaults.exclude, ...SLOW] }

// One module graph for each worker, not for each file: imports and the compilation of schemas are half of the time. The
// limits only end what hangs: a busy machine takes a multiple of the usual time, and `npm run bench` measures speed.
const COMMON = {
  // The list is set only where there is something to leave out: an `exclude` of a project puts that of the command line
  // out of force.
  ...(LEFT_OUT.length > 0 && { exclude: [...configDefaults.exclude, ...LEFT_OUT] }),
  isolate: false,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
}

export default defineConfig(({ mode }) => {
  const fast = mode === 'fast' ? FAST : {}
  // CI reads what a run came to from this file.
  const report = process.env['TEST_REPORT']
  return {
    test: {
      reporters: [
        'default',
        skippedReporter(LEFT_OUT),
        ...(report
          ? [['json', { outputFile: report }] as ['json', { outputFile: string }], errorReporter(report)]
          : []),
      ],
      // One more than the cores of a small machine, because many tests wait for processes, browsers and databases.
      maxWorkers: 3,
      sequence: { sequencer: longFirst },
      projects: [
        {
          test: {
            name: 'server',
            include: [TESTS],
            globalSetup: ['panel/test/global-setup.ts', 'server/test/support/global-setup.ts'],
            ...COMMON,
            ...fast,
          },
        },
        { test: { name: 'simulator', include: ['simulator/**/*.test.ts'], ...COMMON, ...fast } },
      ],
    },
  }
})

function filesThatBegin(first: string): string[] {
  const found = FILES.filter((file) => readFileSync(file, 'utf8').startsWith(first))
  if (found.length === 0) throw new Error(`No test begins with "${first}".`)
  return found
}

/** 0 where there is no such folder. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
