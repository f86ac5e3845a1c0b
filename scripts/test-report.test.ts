import { describe, expect, test } from 'vitest'
import { toResult } from './test-report.ts'

function toReport(tests: Record<string, 'passed' | 'failed'>, file = 'a.test.ts') {
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
    const { passed, failures } = toResult(toReport({ one: 'passed', two: 'failed' }), 1)
    expect(passed).toBe(1)
    expect([...failures]).toEqual([['a.test.ts > two', 'Error: expected 1']])
  })

  test.each([
    ['wrote no report', undefined, 1],
    ['ended badly though no test failed', toReport({ one: 'passed' }), 1],
    ['had no tests', { numPassedTests: 0, testResults: [] }, 0],
  ])('that %s has failed', (_, report, code) => {
    expect(toResult(report, code).failures.size).toBe(1)
  })

  test('with an error outside of its tests has failed', () => {
    const { failures } = toResult(toReport({ one: 'passed' }), 1, ['Error: nobody caught this'])
    expect([...failures]).toEqual([['outside of tests: Error: nobody caught this', 'Error: nobody caught this']])
  })

  test('has a file that cannot be loaded as a failure', () => {
    const broken = { ...toReport({}), numPassedTests: 3 }
    broken.testResults[0]!.status = 'failed'
    expect([...toResult(broken, 1).failures.keys()]).toEqual(['a.test.ts'])
  })
})
