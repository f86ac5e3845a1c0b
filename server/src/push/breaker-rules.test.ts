import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterReport, closed, opened, type BreakerFacts, type RequestReport } from './breaker-rules.ts'

const CALM: BreakerFacts = {
  breaker: 'closed',
  openings: 0,
  failuresInRow: 0,
  windowStartedAt: 0,
  windowRequests: 0,
  windowFailures: 0,
  retryAt: null,
}
const failure: RequestReport = { requests: 1, failures: 1, unreached: 0, misconfigured: false }
const unreached: RequestReport = { ...failure, unreached: 1 }
const success: RequestReport = { requests: 1, failures: 0, unreached: 0, misconfigured: false }

/** The breaker after reports that came a second apart. */
function after(reports: RequestReport[], start = CALM): BreakerFacts {
  return reports.reduce((facts, report, second) => afterReport(facts, report, second * 1_000, 0).facts, start)
}

describe('the breaker', () => {
  test('opens after ten failures in a row, and not after nine', () => {
    expect(after(Array.from({ length: 9 }, () => failure)).breaker).toBe('closed')
    expect(after(Array.from({ length: 10 }, () => failure)).breaker).toBe('open')
    expect(after([...Array.from({ length: 9 }, () => failure), success, failure]).breaker).toBe('closed')
  })

  test('opens after three connections in a row that were not made, and not after two', () => {
    expect(after([unreached, unreached]).breaker).toBe('closed')
    expect(after([unreached, unreached, unreached]).breaker).toBe('open')
    expect(after([unreached, unreached, success, unreached]).breaker).toBe('closed')
    expect(after([{ ...unreached, requests: 4, failures: 3, unreached: 3 }]).breaker).toBe('open')
  })

  test('opens when half of twenty requests within 30 s failed', () => {
    const mixed = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? success : failure))
    expect(after(mixed.slice(0, 19)).breaker).toBe('closed')
    expect(after(mixed).breaker).toBe('open')
  })

  test('closes after one good trial, and opens for longer after a bad one, up to 60 s', () => {
    const open = opened(CALM, 0, 0)
    expect(open.retryAt).toBe(15_000)
    const half: BreakerFacts = { ...open, breaker: 'half_open' }
    expect(afterReport(half, success, 20_000, 0)).toMatchObject({ facts: { breaker: 'closed' }, transition: 'closed' })
    const again = afterReport(half, failure, 20_000, 0)
    expect(again).toMatchObject({ facts: { breaker: 'open', retryAt: 50_000 }, transition: undefined })
    const late = opened(opened(again.facts, 0, 0), 0, 0)
    expect(late.retryAt).toBe(60_000)
  })

  test('is halted by a configuration fault, and by nothing but hand released', () => {
    const halted = afterReport(CALM, { requests: 1, failures: 0, unreached: 0, misconfigured: true }, 0, 0)
    expect(halted).toMatchObject({ facts: { breaker: 'halted' }, transition: 'halted' })
    expect(after([success, failure, success], halted.facts).breaker).toBe('halted')
  })

  test('never opens while fewer than half of the requests fail and none ten times in a row', () => {
    const spaced = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(spaced, (gaps) => {
        const reports = gaps.flatMap((gap) => [...Array.from({ length: gap }, () => success), success, failure])
        expect(after(reports).breaker).toBe('closed')
      }),
    )
  })

  test('waits from 15 to 60 s, whatever happened before', () => {
    const facts = fc.record({
      openings: fc.nat(50),
      now: fc.nat(1_000_000),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(facts, ({ openings, now, jitter }) => {
        const { retryAt } = opened({ ...CALM, openings }, now, jitter)
        expect(retryAt).toBeGreaterThanOrEqual(now + 15_000)
        expect(retryAt).toBeLessThanOrEqual(now + 60_000)
      }),
    )
  })

  test('forgets its failures when it closes', () => {
    expect(
      closed({ ...CALM, openings: 3, failuresInRow: 9, windowFailures: 7, windowRequests: 9, breaker: 'half_open' }, 5),
    ).toEqual({
      ...CALM,
      windowStartedAt: 5,
    })
  })
})
