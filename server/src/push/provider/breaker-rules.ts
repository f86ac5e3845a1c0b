import type { BreakerState } from '../../platform/tables/tables.ts'

/** One row that all processes share. Times are milliseconds since the epoch. */
export type BreakerFacts = {
  breaker: BreakerState
  openings: number
  failuresInRow: number
  windowStartedAt: number
  windowRequests: number
  windowFailures: number
  retryAt: number | null
}

/** `unreached`: a failure in which surely nothing was accepted, such as a failed connection. */
export type Answer = 'good' | 'failed' | 'unreached' | 'misconfigured'

export type Transition = 'opened' | 'closed' | 'halted'

const FAILURES_IN_ROW = 10
// Surely nothing was accepted, and a small send never has ten failures: three are enough.
const UNREACHED_COUNTS_AS = 4
const WINDOW_MS = 30_000
const WINDOW_REQUESTS = 20
const FIRST_RETRY_MS = 15_000
const LAST_RETRY_MS = 60_000

/** The breaker after answers in order (decisions B13, B14). `now`: milliseconds since the epoch; `jitter`: 0 to 1. */
export function afterAnswers(
  facts: BreakerFacts,
  answers: Answer[],
  now: number,
  jitter: number,
): { facts: BreakerFacts; transition: Transition | undefined } {
  if (facts.breaker === 'halted') return { facts, transition: undefined }
  if (answers.includes('misconfigured'))
    return { facts: { ...facts, breaker: 'halted', retryAt: null }, transition: 'halted' }
  if (facts.breaker === 'open' || answers.length === 0) return { facts, transition: undefined }
  if (facts.breaker === 'half_open') return afterTrial(facts, answers, now, jitter)
  let counted = facts
  for (const answer of answers) {
    counted = count(counted, answer, now)
    if (shouldOpen(counted)) return { facts: opened(counted, now, jitter), transition: 'opened' }
  }
  return { facts: counted, transition: undefined }
}

function afterTrial(facts: BreakerFacts, answers: Answer[], now: number, jitter: number) {
  const counted = answers.reduce((sofar, answer) => count(sofar, answer, now), facts)
  return answers.every((answer) => answer === 'good')
    ? { facts: closed(counted, now), transition: 'closed' as const }
    : { facts: opened(counted, now, jitter), transition: undefined }
}

export function opened(facts: BreakerFacts, now: number, jitter: number): BreakerFacts {
  const openings = facts.openings + 1
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (openings - 1), LAST_RETRY_MS)
  return { ...facts, breaker: 'open', openings, retryAt: Math.min(now + wait * (1 + jitter / 5), now + LAST_RETRY_MS) }
}

export function closed(facts: BreakerFacts, now: number): BreakerFacts {
  return {
    ...facts,
    breaker: 'closed',
    openings: 0,
    failuresInRow: 0,
    windowStartedAt: now,
    windowRequests: 0,
    windowFailures: 0,
    retryAt: null,
  }
}

function count(facts: BreakerFacts, answer: Answer, now: number): BreakerFacts {
  const isFresh = now - facts.windowStartedAt > WINDOW_MS
  const isGood = answer === 'good'
  return {
    ...facts,
    failuresInRow: isGood ? 0 : facts.failuresInRow + (answer === 'unreached' ? UNREACHED_COUNTS_AS : 1),
    windowStartedAt: isFresh ? now : facts.windowStartedAt,
    windowRequests: (isFresh ? 0 : facts.windowRequests) + 1,
    windowFailures: (isFresh ? 0 : facts.windowFailures) + (isGood ? 0 : 1),
  }
}

function shouldOpen(facts: BreakerFacts): boolean {
  const half = facts.windowRequests >= WINDOW_REQUESTS && facts.windowFailures * 2 >= facts.windowRequests
  return facts.failuresInRow >= FAILURES_IN_ROW || half
}
