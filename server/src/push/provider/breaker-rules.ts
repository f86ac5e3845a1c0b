import type { Platform } from '../../platform/tables/tables.ts'
import type { ProviderState } from './provider-state.queries.ts'
import type { ErrorCode, Health } from './provider.ts'

/** All processes share the one row that holds it. */
export type Breaker = Pick<
  ProviderState,
  'breaker' | 'openings' | 'failures_in_row' | 'window_started_at' | 'window_requests' | 'window_failures' | 'retry_at'
>

/** `unreached`: a failure in which surely nothing was accepted, such as a failed connection. */
export type Answer = 'good' | 'failed' | 'unreached' | 'misconfigured'

/** `refused`: a configuration fault while the breaker is halted, which stays as it is. */
export type Transition = 'opened' | 'closed' | 'halted' | 'refused'

const FAILURES_IN_ROW = 10
// Surely nothing was accepted, and a small send never has ten failures: three are enough.
const UNREACHED_COUNTS_AS = 4
// The most that a request to Expo has.
const PUSHES_A_FAILURE = 100
const WINDOW_MS = 30_000
const WINDOW_REQUESTS = 20
const FIRST_RETRY_MS = 15_000
const LAST_RETRY_MS = 60_000

/**
 * A submission counts as one answer, but one whose outcome is unknown counts as a failure for each hundred pushes.
 * Otherwise ten submissions of 500 pushes to Apple or Google would become unknown before the breaker opens.
 */
export function weigh(health: Health, pushes: number): Health[] {
  const isUnknown = health.kind === 'failing' && health.code !== 'ProviderUnavailable'
  return Array.from({ length: isUnknown ? Math.ceil(pushes / PUSHES_A_FAILURE) : 1 }, () => health)
}

/** The breaker after answers in order (decisions B13, B14). `now`: milliseconds since the epoch; `jitter`: 0 to 1. */
export function afterAnswers(
  facts: Breaker,
  answers: Answer[],
  now: number,
  jitter: number,
): { facts: Breaker; transition: Transition | undefined } {
  const isRefused = answers.includes('misconfigured')
  if (facts.breaker === 'halted') return { facts, transition: isRefused ? 'refused' : undefined }
  if (isRefused) return { facts: { ...facts, breaker: 'halted', retry_at: null }, transition: 'halted' }
  if (facts.breaker === 'open' || answers.length === 0) return { facts, transition: undefined }
  if (facts.breaker === 'half_open') return afterTrial(facts, answers, now, jitter)
  let counted = facts
  for (const answer of answers) {
    counted = count(counted, answer, now)
    if (shouldOpen(counted)) return { facts: opened(counted, now, jitter), transition: 'opened' }
  }
  return { facts: counted, transition: undefined }
}

function afterTrial(facts: Breaker, answers: Answer[], now: number, jitter: number) {
  const counted = answers.reduce((sofar, answer) => count(sofar, answer, now), facts)
  return answers.every((answer) => answer === 'good')
    ? { facts: closed(counted, now), transition: 'closed' as const }
    : { facts: opened(counted, now, jitter), transition: undefined }
}

export function opened(facts: Breaker, now: number, jitter: number): Breaker {
  const openings = facts.openings + 1
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (openings - 1), LAST_RETRY_MS)
  return {
    ...facts,
    breaker: 'open',
    openings,
    retry_at: new Date(now + Math.min(wait * (1 + jitter / 5), LAST_RETRY_MS)),
  }
}

export function closed(facts: Breaker, now: number): Breaker {
  return {
    ...facts,
    breaker: 'closed',
    openings: 0,
    failures_in_row: 0,
    window_started_at: new Date(now),
    window_requests: 0,
    window_failures: 0,
    retry_at: null,
  }
}

function count(facts: Breaker, answer: Answer, now: number): Breaker {
  const isFresh = now - facts.window_started_at.getTime() > WINDOW_MS
  const isGood = answer === 'good'
  return {
    ...facts,
    failures_in_row: isGood ? 0 : facts.failures_in_row + (answer === 'unreached' ? UNREACHED_COUNTS_AS : 1),
    window_started_at: isFresh ? new Date(now) : facts.window_started_at,
    window_requests: (isFresh ? 0 : facts.window_requests) + 1,
    window_failures: (isFresh ? 0 : facts.window_failures) + (isGood ? 0 : 1),
  }
}

function shouldOpen(facts: Breaker): boolean {
  const half = facts.window_requests >= WINDOW_REQUESTS && facts.window_failures * 2 >= facts.window_requests
  return facts.failures_in_row >= FAILURES_IN_ROW || half
}

/** Why a provider takes no push now: it was halted, does not answer, or asked for time. */
export type ProviderWait = { reason: 'halted' | 'away' | 'busy'; until: Date | null }
/** A platform gets no pushes: the provider refuses our credentials for it, or far too many of its tokens. */
export type PlatformWait = { reason: 'platform_paused'; platform: Platform; code: ErrorCode }

/** Null: pushes may leave. The poller starts nothing else; `send-gate.ts` asks once more just before a request. */
export function findWait(
  { breaker, retry_at, busy_until }: Pick<ProviderState, 'breaker' | 'retry_at' | 'busy_until'>,
  now: Date,
): ProviderWait | null {
  if (breaker === 'halted') return { reason: 'halted', until: null }
  if (breaker !== 'closed') return { reason: 'away', until: retry_at }
  return busy_until > now ? { reason: 'busy', until: busy_until } : null
}

/** All that keeps pushes from leaving by a provider, for those who look at its status. */
export function listWaits(
  state: Parameters<typeof findWait>[0],
  paused: readonly { platform: Platform; code: ErrorCode }[],
  now: Date,
): (ProviderWait | PlatformWait)[] {
  const wait = findWait(state, now)
  return [...(wait ? [wait] : []), ...paused.map((one) => ({ reason: 'platform_paused', ...one }) as const)]
}
