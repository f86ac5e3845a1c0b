import { relative } from 'node:path'
import { missingPrograms } from '../server/test/support/programs.ts'

type Missing = ReturnType<typeof missingPrograms>
/** What a file needs that no package has. */
const CITUS = 'CITUS_URL, the address of the coordinator of a Citus with workers'
const NEEDS = new Map(
  [
    'server/test/citus.test.ts',
    'server/test/citus-tasks.test.ts',
    'server/test/divided.test.ts',
    'server/test/two-phases.test.ts',
    'tools/division/division.test.ts',
  ].map((file) => [file, CITUS]),
)

type SkippedFile = { moduleId: string; children: { allTests(state: 'skipped'): Iterable<unknown> } }

/**
 * A reporter of vitest: ends the run with what was skipped, why, and the command that installs what is missing.
 * `forCi`: the files that only CI runs.
 */
export function skippedReporter(forCi: readonly string[]) {
  return {
    onTestRunEnd: (files: readonly SkippedFile[]) => {
      const skipped = files.map(({ moduleId, children }) => ({
        file: relative('.', moduleId),
        tests: [...children.allTests('skipped')].length,
      }))
      process.stdout.write(describeSkipped(skipped, missingPrograms()))
      if (forCi.length > 0)
        process.stdout.write(`\nLeft to CI, because they take long (CI=true npm test runs them):\n${indented(forCi)}\n`)
    },
  }
}

export function describeSkipped(files: { file: string; tests: number }[], missing: Missing): string {
  const some = files.filter(({ tests }) => tests > 0)
  if (some.length === 0) return ''
  const sum = some.reduce((total, { tests }) => total + tests, 0)
  const why =
    missing.programs.length === 0
      ? 'Nothing that they need is missing: they say why themselves.'
      : `Missing here: ${missing.programs.join(', ')}. On Debian: apt-get install --no-install-recommends ${missing.packages.join(' ')}`
  const list = indented(
    some.map(({ file, tests }) => `${file}: ${tests}${NEEDS.has(file) ? ` (they need ${NEEDS.get(file)})` : ''}`),
  )
  return `\nSkipped ${sum} tests:\n${list}\n${why}\n`
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}
