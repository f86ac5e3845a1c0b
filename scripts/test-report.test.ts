import { describe, expect, test } from 'vitest'
import { filesAgain, resultOf, together } from './test-report.ts'

function reportOf(tests: Record<string, 'passed' | 'failed'>, file = 'a.test.ts') {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? ['\n\u001B[31mError: expected 1\u001B[39m\n  at here'] : [],
  }))
  const numPassedTests = assertionResults.filter(({ status }) => status === 'passed').length
  const status = numPassedTests === assertionResults.length ? 'passed' : 'failed'
  return { numPassedTests, testResults: [{ name: file, status, message: 'cannot be loaded', assertionResults }] }
}

describe('a run of the tests', () => {
  test('counts those that passed and names those that failed', () => {
    const { passed, failures } = resultOf(reportOf({ one: 'passed', two: 'failed' }), 1)
    expect(passed).toBe(1)
    expect([...failures]).toEqual([['a.test.ts > two', { path: 'a.test.ts', error: 'Error: expected 1' }]])
  })

  test.each([
    ['wrote no report', undefined, 1],
    ['ended badly though no test failed', reportOf({ one: 'passed' }), 1],
    ['had no tests', { numPassedTests: 0, testResults: [] }, 0],
  ])('that %s has failed, and does not run again', (_, report, code) => {
    const result = resultOf(report, code)
    expect(result.failures.size).toBe(1)
    expect(filesAgain(result)).toEqual([])
  })

  test('with an error outside of its tests has failed, whatever a second run says', () => {
    const result = resultOf(reportOf({ one: 'passed', two: 'failed' }), 1, ['Error: nobody caught this'])
    expect([...result.failures.values()].map(({ error }) => error)).toContain('Error: nobody caught this')
    expect(filesAgain(result)).toEqual([])
    const { failed } = together(result, resultOf(reportOf({ one: 'passed', two: 'passed' }), 0))
    expect([...failed.keys()]).toEqual(['outside of tests: Error: nobody caught this'])
  })

  test('has a file that cannot be loaded as a failure', () => {
    const broken = { ...reportOf({}), numPassedTests: 3 }
    broken.testResults[0]!.status = 'failed'
    expect([...resultOf(broken, 1).failures.keys()]).toEqual(['a.test.ts'])
  })
})

describe('what failed and runs once more', () => {
  const first = resultOf(reportOf({ one: 'passed', two: 'failed', three: 'failed' }), 1)

  test('is a list of files, and none if more than five tests failed', () => {
    expect(filesAgain(first)).toEqual(['a.test.ts'])
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`test ${at}`, 'failed' as const]))
    expect(filesAgain(resultOf(reportOf(many), 1))).toEqual([])
    expect(filesAgain(resultOf(reportOf({ one: 'passed' }), 0))).toEqual([])
  })

  test('has failed when it fails again, and is unstable when it passes', () => {
    const second = resultOf(reportOf({ one: 'passed', two: 'failed', three: 'passed' }), 1)
    const { passed, failed, unstable } = together(first, second)
    expect([passed, [...failed.keys()], [...unstable.keys()]]).toEqual([2, ['a.test.ts > two'], ['a.test.ts > three']])
  })

  test('has failed when it is skipped then, or its file cannot be loaded', () => {
    const { passed, failed } = together(first, resultOf(reportOf({ one: 'passed', two: 'passed' }), 0))
    expect([passed, [...failed.keys()]]).toEqual([2, ['a.test.ts > three']])
    const broken = { ...reportOf({}), numPassedTests: 1 }
    broken.testResults[0]!.status = 'failed'
    expect(together(first, resultOf(broken, 1)).failed.size).toBe(3)
  })

  test('has failed if the second run does not contain it, or fails elsewhere', () => {
    expect(together(first, undefined).failed.size).toBe(2)
    expect(together(first, resultOf(undefined, 137)).failed.size).toBe(2)
    const elsewhere = together(first, resultOf(reportOf({ one: 'failed', two: 'passed', three: 'passed' }), 1))
    expect([elsewhere.passed, elsewhere.failed.size]).toEqual([2, 1])
  })
})
