import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterAnswers, closed, opened, weigh, type Answer, type Breaker } from './breaker-rules.ts'

const CALM: Breaker = {
  breaker: 'closed',
  openings: 0,
  failures_in_row: 0,
  window_started_at: new Date(0),
  window_requests: 0,
  window_failures: 0,
  retry_at: null,
}
const failure: Answer = 'failed'
const unreached: Answer = 'unreached'
const success: Answer = 'good'

/** The breaker after answers that came a second apart. */
function after(answers: Answer[], start = CALM): Breaker {
  return answers.reduce((facts, answer, second) => afterAnswers(facts, [answer], second * 1_000, 0).facts, start)
}

/** The breaker after answers that were reported together. */
function together(answers: Answer[], start = CALM): Breaker {
  return afterAnswers(start, answers, 0, 0).facts
}

describe('the breaker', () => {
  test('opens after ten failures in a row, and not after nine', () => {
    expect(after(Array.from({ length: 9 }, () => failure)).breaker).toBe('closed')
    expect(after(Array.from({ length: 10 }, () => failure)).breaker).toBe('open')
    expect(after([...Array.from({ length: 9 }, () => failure), success, failure]).breaker).toBe('closed')
  })

  test.for<[number, number]>([
    [1, 1],
    [100, 1],
    [101, 2],
    [500, 5],
  ])('an unknown outcome of %i pushes counts %i times, any other answer once', ([pushes, times]) => {
    const unknown = { kind: 'failing', code: 'OutcomeUnknown' } as const
    expect(weigh(unknown, pushes)).toEqual(Array.from({ length: times }, () => unknown))
    for (const once of [
      { kind: 'healthy' },
      { kind: 'failing', code: 'ProviderUnavailable' },
      { kind: 'misconfigured', code: 'Unauthorized' },
      { kind: 'busy', retryAfterMs: 5 },
    ] as const)
      expect(weigh(once, pushes)).toEqual([once])
  })

  test('opens after three connections in a row that were not made, and not after two', () => {
    expect(after([unreached, unreached]).breaker).toBe('closed')
    expect(after([unreached, unreached, unreached]).breaker).toBe('open')
    expect(after([unreached, unreached, success, unreached]).breaker).toBe('closed')
    expect(together([success, unreached, unreached, unreached]).breaker).toBe('open')
  })

  test('does not count failures as in a row when a success came between, also when they are reported together', () => {
    expect(together([unreached, success, unreached, unreached])).toMatchObject({
      breaker: 'closed',
      failures_in_row: 8,
    })
    const nine = Array.from({ length: 9 }, () => failure)
    const many = Array.from({ length: 12 }, () => success)
    expect(together([...many, ...nine, success, ...many, failure]).breaker).toBe('closed')
    expect(together([...many, ...nine, failure, ...many, ...many]).breaker).toBe('open')
  })

  const answers = fc.array(fc.constantFrom<Answer>(failure, unreached, success), { maxLength: 60 })

  test('has the same state for answers that are reported together, in parts, and one by one', () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 6 })
    fc.assert(
      fc.property(answers, cuts, (all, at) => {
        const bounds = [0, ...at.toSorted((a, b) => a - b), all.length]
        const parts = bounds.slice(1).map((end, index) => all.slice(bounds[index], end))
        const oneByOne = all.reduce((facts, answer) => together([answer], facts), CALM)
        expect(together(all)).toEqual(oneByOne)
        expect(parts.reduce((facts, part) => together(part, facts), CALM)).toEqual(oneByOne)
      }),
    )
  })

  test('opens exactly when there was a row of ten, or half of twenty', () => {
    const weightOf = { good: 0, failed: 1, unreached: 4, misconfigured: 0 }
    fc.assert(
      fc.property(answers, (all) => {
        const heaviest = all.reduce(
          ({ row, most }, answer) => {
            const next = answer === success ? 0 : row + weightOf[answer]
            return { row: next, most: Math.max(most, next) }
          },
          { row: 0, most: 0 },
        ).most
        const half = all.some((_, index) => {
          const sofar = all.slice(0, index + 1)
          return sofar.length >= 20 && sofar.filter((answer) => answer !== success).length * 2 >= sofar.length
        })
        expect(together(all).breaker).toBe(heaviest >= 10 || half ? 'open' : 'closed')
      }),
    )
  })

  test('opens when half of twenty requests within 30 s failed', () => {
    const mixed = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? success : failure))
    expect(after(mixed.slice(0, 19)).breaker).toBe('closed')
    expect(after(mixed).breaker).toBe('open')
  })

  test('closes after one good trial, and opens for longer after a bad one, up to 60 s', () => {
    const open = opened(CALM, 0, 0)
    expect(open.retry_at).toEqual(new Date(15_000))
    const half: Breaker = { ...open, breaker: 'half_open' }
    expect(afterAnswers(half, [success], 20_000, 0)).toMatchObject({
      facts: { breaker: 'closed' },
      transition: 'closed',
    })
    const again = afterAnswers(half, [failure], 20_000, 0)
    expect(again).toMatchObject({ facts: { breaker: 'open', retry_at: new Date(50_000) }, transition: undefined })
    const late = opened(opened(again.facts, 0, 0), 0, 0)
    expect(late.retry_at).toEqual(new Date(60_000))
  })

  test('is halted by a configuration fault, and released by hand only', () => {
    const halted = afterAnswers(CALM, [success, 'misconfigured', failure], 0, 0)
    expect(halted).toMatchObject({ facts: { breaker: 'halted' }, transition: 'halted' })
    expect(after([success, failure, success], halted.facts).breaker).toBe('halted')
    expect(afterAnswers(halted.facts, [failure, 'misconfigured'], 0, 0)).toEqual({
      facts: halted.facts,
      transition: 'refused',
    })
  })

  test('never opens while fewer than half of the requests fail and none ten times in a row', () => {
    const spaced = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(spaced, (gaps) => {
        const spread = gaps.flatMap((gap) => [...Array.from({ length: gap }, () => success), success, failure])
        expect(after(spread).breaker).toBe('closed')
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
        const { retry_at } = opened({ ...CALM, openings }, now, jitter)
        expect(retry_at?.getTime()).toBeGreaterThanOrEqual(now + 15_000)
        expect(retry_at?.getTime()).toBeLessThanOrEqual(now + 60_000)
      }),
    )
  })

  test('forgets its failures when it closes', () => {
    expect(
      closed(
        { ...CALM, openings: 3, failures_in_row: 9, window_failures: 7, window_requests: 9, breaker: 'half_open' },
        5,
      ),
    ).toEqual({
      ...CALM,
      window_started_at: new Date(5),
    })
  })
})
