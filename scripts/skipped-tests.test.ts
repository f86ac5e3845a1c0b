import { expect, test } from 'vitest'
import { describeSkipped } from './skipped-tests.ts'

test('a run ends with what was skipped, what is missing, and the command that installs it', () => {
  const files = [
    { file: 'panel/test/desks.e2e.test.ts', tests: 12 },
    { file: 'server/test/access.test.ts', tests: 0 },
    { file: 'server/test/citus.test.ts', tests: 5 },
  ]
  expect(
    describeSkipped(files, { programs: ['chromium', 'prometheus', 'promtool'], packages: ['chromium', 'prometheus'] }),
  ).toBe(`
Skipped 17 tests:
  panel/test/desks.e2e.test.ts: 12
  server/test/citus.test.ts: 5 (they need CITUS_URL, the address of the coordinator of a Citus with workers)
Missing here: chromium, prometheus, promtool. On Debian: apt-get install --no-install-recommends chromium prometheus
`)
  expect(describeSkipped(files.slice(1, 2), { programs: ['chromium'], packages: ['chromium'] })).toBe('')
})
