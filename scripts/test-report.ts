import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

// More than these are no chance of a busy machine.
const UNSTABLE_MAX = 5
const RUN = 'a run of the tests'

/** `path`: the file to run again; absent: no second run explains it. */
type Failures = Map<string, { path?: string; error: string }>
/** `proven`: the names of tests and files that passed. */
type Result = { passed: number; failures: Failures; proven: Set<string> }

/** What is read of vitest's JSON report. */
type Report = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

/** A reporter of vitest: writes the errors outside of tests beside its report, which leaves them out. */
export function errorReporter(path: string) {
  return {
    onTestRunEnd: (_: unknown, errors: readonly { message: string }[]) =>
      writeFileSync(errorsOf(path), JSON.stringify(errors.map(({ message }) => message))),
  }
}

function errorsOf(path: string): string {
  return `${path}.errors`
}

/**
 * What a run of vitest came to, by its report (undefined: it wrote none), its exit code and the errors outside of
 * tests. A file that cannot be loaded fails without a failed test in it; a run that fails without a failure, or has no
 * tests, is one failure.
 */
export function resultOf(report: Report | undefined, code: number, errors: readonly string[] = []): Result {
  const failures: Failures = new Map(errors.map((error) => [`outside of tests: ${error}`, { error: lineOf(error) }]))
  const proven = new Set<string>()
  for (const file of report?.testResults ?? []) {
    const path = relative('.', file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of failed)
      failures.set(`${path} > ${test.fullName}`, { path, error: lineOf(test.failureMessages?.[0]) })
    if (file.status === 'failed' && failed.length === 0) failures.set(path, { path, error: lineOf(file.message) })
    if (file.status === 'passed') proven.add(path)
    for (const test of file.assertionResults) if (test.status === 'passed') proven.add(`${path} > ${test.fullName}`)
  }
  const passed = report?.numPassedTests ?? 0
  if (failures.size === 0 && (code !== 0 || passed === 0))
    failures.set(RUN, { error: `ended with ${code}, with ${passed} passed and no failed test` })
  return { passed, failures, proven }
}

/** The files to run once more, alone; none when too much failed, or what no second run explains. */
export function filesAgain({ failures }: Result): string[] {
  const paths = [...failures.values()].flatMap(({ path }) => path ?? [])
  return failures.size > UNSTABLE_MAX || paths.length < failures.size ? [] : [...new Set(paths)]
}

/** Both runs together: what passes alone is unstable; all else that failed in one of them has failed. */
export function together(first: Result, second?: Result) {
  if (second === undefined || second.failures.has(RUN))
    return { passed: first.passed, failed: first.failures, unstable: new Map() }
  const isUnstable = (name: string) => second.proven.has(name) && !second.failures.has(name)
  const unstable = new Map([...first.failures].filter(([name]) => isUnstable(name)))
  const failed = new Map([...first.failures, ...second.failures].filter(([name]) => !unstable.has(name)))
  const worse = [...second.failures.keys()].filter((name) => !first.failures.has(name)).length
  return { passed: first.passed + unstable.size - worse, failed, unstable }
}

function lineOf(error = ''): string {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim())
  return lines.find((line) => line !== '')?.slice(0, 300) ?? 'no error was told'
}

function read([path = '', code]: string[]): Result {
  try {
    const [report, errors] = [path, errorsOf(path)].map((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    return resultOf(report as Report, Number(code), errors as string[])
  } catch {
    return resultOf(undefined, Number(code))
  }
}

function linesOf(failures: Failures): string {
  return [...failures].map(([name, { error }]) => `  ${name}: ${error}\n`).join('')
}

// again REPORT CODE: the files to run once more, a line each.
// count FAILURES UNSTABLE REPORT CODE [REPORT CODE]: how many passed and failed; names those that failed and those that
// are unstable in two files.
function main([command, ...given]: string[]): string {
  if (command === 'again') return filesAgain(read(given)).join('\n')
  const [failures, unstable, ...runs] = given
  const result = together(read(runs.slice(0, 2)), runs.length > 2 ? read(runs.slice(2)) : undefined)
  appendFileSync(failures!, linesOf(result.failed))
  appendFileSync(unstable!, linesOf(result.unstable))
  return `${result.passed} ${result.failed.size}`
}

if (import.meta.main) process.stdout.write(`${main(process.argv.slice(2))}\n`)
