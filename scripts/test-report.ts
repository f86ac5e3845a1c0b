import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

// More than these are no chance of a busy machine.
const UNSTABLE_MAX = 5

type Failures = Map<string, { path?: string; error: string }>
type Result = { passed: number; failures: Failures }

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

/**
 * What a run of vitest came to, by its report (undefined: it wrote none) and its exit code. A file that cannot be loaded fails without
 * a failed test in it; a run that fails without a failure, or has no tests, is one failure that no second run explains.
 */
export function resultOf(report: Report | undefined, code: number): Result {
  const failures: Failures = new Map()
  for (const file of report?.testResults ?? []) {
    const path = relative('.', file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of failed)
      failures.set(`${path} > ${test.fullName}`, { path, error: lineOf(test.failureMessages?.[0]) })
    if (file.status === 'failed' && failed.length === 0) failures.set(path, { path, error: lineOf(file.message) })
  }
  const passed = report?.numPassedTests ?? 0
  if (failures.size === 0 && (code !== 0 || passed === 0))
    failures.set('a run of the tests', { error: `ended with ${code}, with ${passed} passed and no failed test` })
  return { passed, failures }
}

/** The files to run once more, alone; none when too much failed, or what no test explains. */
export function filesAgain({ failures }: Result): string[] {
  const paths = [...failures.values()].flatMap(({ path }) => path ?? [])
  return failures.size > UNSTABLE_MAX ? [] : [...new Set(paths)]
}

/** Both runs together: what fails alone too has failed, what passes alone is unstable. */
export function together(first: Result, second?: Result) {
  if (second === undefined) return { passed: first.passed, failed: first.failures, unstable: new Map() }
  const ended = second.failures.has('a run of the tests') ? first.failures : second.failures
  const unstable = new Map([...first.failures].filter(([name]) => !ended.has(name)))
  const worse = [...ended.keys()].filter((name) => !first.failures.has(name)).length
  return { passed: first.passed + unstable.size - worse, failed: ended, unstable }
}

function lineOf(error = ''): string {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim())
  return lines.find((line) => line !== '')?.slice(0, 300) ?? 'no error was told'
}

function read([path, code]: string[]): Result {
  try {
    return resultOf(JSON.parse(readFileSync(path!, 'utf8')) as Report, Number(code))
  } catch {
    return resultOf(undefined, Number(code))
  }
}

function linesOf(failures: Failures): string {
  return [...failures].map(([name, { error }]) => `  ${name}: ${error}\n`).join('')
}

// again REPORT CODE: the files to run once more, a line each.
// count FAILURES UNSTABLE REPORT CODE [REPORT CODE]: how many passed and failed; names those that failed and those that are unstable in
// two files.
function main([command, ...given]: string[]): string {
  if (command === 'again') return filesAgain(read(given)).join('\n')
  const [failures, unstable, ...runs] = given
  const result = together(read(runs.slice(0, 2)), runs.length > 2 ? read(runs.slice(2)) : undefined)
  appendFileSync(failures!, linesOf(result.failed))
  appendFileSync(unstable!, linesOf(result.unstable))
  return `${result.passed} ${result.failed.size}`
}

if (import.meta.main) process.stdout.write(`${main(process.argv.slice(2))}\n`)
