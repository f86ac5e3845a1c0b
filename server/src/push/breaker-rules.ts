import type { BreakerState } from '../db/tables.ts'

/** What the breaker goes by; one row that all processes share. Times are milliseconds since the epoch. */
export type BreakerFacts = {
  breaker: BreakerState
  openings: number
  failuresInRow: number
  windowStartedAt: number
  windowRequests: number
  windowFailures: number
  retryAt: number | null
}

/** What a group of requests met. `unreached`: those of the failures that surely took nothing. */
export type RequestReport = { requests: number; failures: number; unreached: number; misconfigured: boolean }

export type Transition = 'opened' | 'closed' | 'halted'

const FAILURES_IN_ROW = 10
// A connection that is refused, or a wrong address, leaves no doubt, and a small send does not make ten: three are enough.
const UNREACHED_COUNTS_AS = 4
const WINDOW_MS = 30_000
const WINDOW_REQUESTS = 20
const FIRST_RETRY_MS = 15_000
const LAST_RETRY_MS = 60_000

/**
 * The breaker after a report (decision B14): it opens after 10 failures in a row, after 3 in a row that surely took
 * nothing, or when half of 20 requests or more within 30 s failed; one trial closes it or opens it for longer (15 to 60 s). A configuration fault halts it until an
 * administrator resumes (decision B13). `jitter` is from 0 to 1.
 */
export function afterReport(
  facts: BreakerFacts,
  report: RequestReport,
  now: number,
  jitter: number,
): { facts: BreakerFacts; transition: Transition | undefined } {
  if (facts.breaker === 'halted') return { facts, transition: undefined }
  if (report.misconfigured) return { facts: { ...facts, breaker: 'halted', retryAt: null }, transition: 'halted' }
  if (facts.breaker === 'open') return { facts, transition: undefined }
  const counted = count(facts, report, now)
  if (facts.breaker === 'half_open')
    return report.failures > 0
      ? { facts: opened(counted, now, jitter), transition: undefined }
      : { facts: closed(counted, now), transition: 'closed' }
  return shouldOpen(counted)
    ? { facts: opened(counted, now, jitter), transition: 'opened' }
    : { facts: counted, transition: undefined }
}

/** Opens the breaker once more, for longer than the last time. */
export function opened(facts: BreakerFacts, now: number, jitter: number): BreakerFacts {
  const openings = facts.openings + 1
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (openings - 1), LAST_RETRY_MS)
  return { ...facts, breaker: 'open', openings, retryAt: Math.min(now + wait * (1 + jitter / 5), now + LAST_RETRY_MS) }
}

/** The closed breaker, its memory of failures gone. */
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

function count(facts: BreakerFacts, report: RequestReport, now: number): BreakerFacts {
  const fresh = now - facts.windowStartedAt > WINDOW_MS
  const weight = report.failures + report.unreached * (UNREACHED_COUNTS_AS - 1)
  return {
    ...facts,
    failuresInRow: report.failures < report.requests ? weight : facts.failuresInRow + weight,
    windowStartedAt: fresh ? now : facts.windowStartedAt,
    windowRequests: (fresh ? 0 : facts.windowRequests) + report.requests,
    windowFailures: (fresh ? 0 : facts.windowFailures) + report.failures,
  }
}

function shouldOpen(facts: BreakerFacts): boolean {
  const half = facts.windowRequests >= WINDOW_REQUESTS && facts.windowFailures * 2 >= facts.windowRequests
  return facts.failuresInRow >= FAILURES_IN_ROW || half
}
