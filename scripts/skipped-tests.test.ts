import { expect, test } from 'vitest'
import { describeSkipped } from './skipped-tests.ts'

test('a run ends with what was skipped, what is missing, and the command that installs it', () => {
  const files = [
    { file: 'panel/test/desks.e2e.test.ts', tests: 12 },
    { file: 'server/test/access.test.ts', tests: 0 },
  ]
  expect(
    describeSkipped(files, { programs: ['chromium', 'prometheus', 'promtool'], packages: ['chromium', 'prometheus'] }),
  ).toBe(`
Skipped 12 tests:
  panel/test/desks.e2e.test.ts: 12
Missing here: chromium, prometheus, promtool. On Debian: apt-get install --no-install-recommends chromium prometheus
`)
  expect(describeSkipped(files.slice(1), { programs: ['chromium'], packages: ['chromium'] })).toBe('')
})
