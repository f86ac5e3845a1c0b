import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const RUN = 'a run of the tests'

/** The first line of the error of each that failed, by name. */
type Failures = Map<string, string>
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

/** A reporter of vitest: writes the errors outside of tests beside its report, which leaves them out. */
export function errorReporter(path: string) {
  return {
    onTestRunEnd: (_: unknown, errors: readonly { message: string }[]) =>
      writeFileSync(toErrorsPath(path), JSON.stringify(errors.map(({ message }) => message))),
  }
}

function toErrorsPath(path: string): string {
  return `${path}.errors`
}

/**
 * What a run of vitest came to, by its report (undefined: it wrote none), its exit code and the errors outside of
 * tests. A file that cannot be loaded fails without a failed test in it; a run that fails without a failure, or has no
 * tests, is one failure.
 */
export function toResult(report: Report | undefined, code: number, errors: readonly string[] = []): Result {
  const failures: Failures = new Map(errors.map((error) => [`outside of tests: ${error}`, firstLine(error)]))
  for (const file of report?.testResults ?? []) {
    const path = relative('.', file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of failed) failures.set(`${path} > ${test.fullName}`, firstLine(test.failureMessages?.[0]))
    if (file.status === 'failed' && failed.length === 0) failures.set(path, firstLine(file.message))
  }
  const passed = report?.numPassedTests ?? 0
  if (failures.size === 0 && (code !== 0 || passed === 0))
    failures.set(RUN, `ended with ${code}, with ${passed} passed and no failed test`)
  return { passed, failures }
}

function firstLine(error = ''): string {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim())
  return lines.find((line) => line !== '')?.slice(0, 300) ?? 'no error was told'
}

function read(path: string, code: number): Result {
  try {
    const [report, errors] = [path, toErrorsPath(path)].map((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    return toResult(report as Report, code, errors as string[])
  } catch {
    return toResult(undefined, code)
  }
}

// FAILURES REPORT CODE: how many passed and failed; adds a line for each that failed to a file.
function main([failed = '', report = '', code]: string[]): string {
  const { passed, failures } = read(report, Number(code))
  appendFileSync(failed, [...failures].map(([name, error]) => `  ${name}: ${error}\n`).join(''))
  return `${passed} ${failures.size}`
}

if (import.meta.main) process.stdout.write(`${main(process.argv.slice(2))}\n`)
