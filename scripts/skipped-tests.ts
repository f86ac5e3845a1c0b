import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'

/** What tests need besides the packages, and the package of Debian that has it. */
const PROGRAMS: Record<string, string> = {
  chromium: 'chromium',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  curl: 'curl',
  pgbackrest: 'pgbackrest',
  jq: 'jq',
  nginx: 'nginx',
  haproxy: 'haproxy',
  caddy: 'caddy',
}

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

export function describeSkipped(files: { file: string; tests: number }[], missing: string[]): string {
  const some = files.filter(({ tests }) => tests > 0)
  if (some.length === 0) return ''
  const sum = some.reduce((total, { tests }) => total + tests, 0)
  const packages = [...new Set(missing.map((name) => PROGRAMS[name] ?? name))].join(' ')
  const why =
    missing.length === 0
      ? 'Nothing that they need is missing: they say why themselves.'
      : `Missing here: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${packages}`
  const list = indented(some.map(({ file, tests }) => `${file}: ${tests}`))
  return `\nSkipped ${sum} tests:\n${list}\n${why}\n`
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}

function missingPrograms(): string[] {
  return Object.keys(PROGRAMS).filter((name) => !isThere(name))
}

function isThere(program: string): boolean {
  const ownPlace = process.env[program.toUpperCase()]
  if (ownPlace !== undefined && existsSync(ownPlace)) return true
  if (program === 'chromium' && existsSync('/usr/bin/google-chrome')) return true
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
