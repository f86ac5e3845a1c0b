import type { PushDeps, Sender } from '../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Work } from '../../platform/work/work.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import {
  afterAnswers,
  closed,
  findWait,
  listWaits,
  opened,
  weigh,
  type Answer,
  type Breaker,
  type Transition,
} from './breaker-rules.ts'
import { listPausedPlatforms } from './platforms.queries.ts'
import {
  claimTrial,
  findProviderState,
  lockProviderState,
  postponeSending,
  updateProviderState,
  type ProviderState,
} from './provider-state.queries.ts'
import type { ErrorCode, Health } from './provider.ts'

const TRIAL_LEASE_MS = 30_000
const SLOW_AFTER_BUSY_MS = 60_000
const MOST_OF_ADVICE = 500
const NO_HALT = { breaker_code: null, halted_by: null, halt_reason: null }

/** When an open breaker is due, one process gets the trial after a probe, so an outage uses no attempts. */
export async function askBreaker(sender: Sender): Promise<'go' | 'trial' | 'wait'> {
  const now = fromNow(sender.clock)
  const wait = findWait(await findProviderState(sender.db, sender.provider.name), now)
  if (wait === null) return 'go'
  if (wait.reason !== 'away' || (wait.until !== null && wait.until > now)) return 'wait'
  if (!(await claimTrial(sender.db, sender.provider.name, now, fromNow(sender.clock, TRIAL_LEASE_MS)))) return 'wait'
  const health = await sender.provider.probe()
  if (health.kind === 'healthy') return 'trial'
  await reopen(sender)
  return 'wait'
}

/** Gives the names whose provider is in use, and takes pushes to every platform now. */
export async function listTaking({ db, clock, providers }: PushDeps, names: Iterable<string>): Promise<Set<string>> {
  const taking = new Set<string>()
  for (const name of names) {
    if (!providers.some(({ provider }) => provider.name === name)) continue
    const state = await findProviderState(db, name)
    const waits = listWaits(state, await listPausedPlatforms(db, name), fromNow(clock))
    if (waits.length === 0) taking.add(name)
  }
  return taking
}

export type HealthReport = {
  add(health: Health, pushes: number): void
  report(): Promise<Transition | undefined>
}

/** Tells the breaker what it has not heard of pushes that left at `leftAt`. What cannot be stored is told again. */
export function createHealthReport(sender: Sender, leftAt: Date): HealthReport {
  const unheard: Health[] = []
  return {
    add: (health, pushes) => void unheard.push(...weigh(health, pushes)),
    report: async () => {
      const answers = unheard.splice(0)
      try {
        return await reportHealth(sender, answers, leftAt)
      } catch (error) {
        unheard.unshift(...answers)
        throw error
      }
    },
  }
}

/** `answers` in order, none sent before `leftAt`: answers to requests from before a resume do not count. */
export async function reportHealth(
  sender: Sender,
  answers: Health[],
  leftAt = fromNow(sender.clock),
): Promise<Transition | undefined> {
  const counted = answers.flatMap(toAnswer)
  const busyMs = Math.max(0, ...answers.map((health) => (health.kind === 'busy' ? health.retryAfterMs : 0)))
  if (busyMs > 0) await slowDown(sender, busyMs)
  if (counted.length === 0) return undefined
  if (counted.every((answer) => answer === 'good') && (await isCalm(sender))) return undefined
  return inTransaction(sender.db, async (tx) => {
    const state = await lockProviderState(tx, sender.provider.name)
    if (leftAt < state.resumed_at) return undefined
    // Requests from before the outage do not decide a trial, but refused credentials count whenever they are heard of.
    const isEarlier = state.breaker === 'half_open' && state.breaker_since !== null && leftAt < state.breaker_since
    const heard = isEarlier ? counted.filter((answer) => answer === 'misconfigured') : counted
    if (heard.length === 0) return undefined
    const { facts, transition } = afterAnswers(toBreaker(state), heard, sender.clock.now(), Math.random())
    if (transition === 'refused') return transition
    await updateProviderState(tx, sender.provider.name, {
      ...facts,
      ...(transition && { breaker_since: fromNow(sender.clock) }),
      ...(transition === 'closed' && { ramp_from: fromNow(sender.clock) }),
      ...(transition !== undefined && { breaker_code: findCode(answers) ?? null }),
      ...(transition === 'halted' && { halt_reason: findAdvice(answers) ?? null }),
    })
    return transition
  })
}

/** `state` is locked. The pace climbs again from a tenth. */
export async function closeBreaker(work: Work, state: ProviderState): Promise<void> {
  const now = work.now()
  const breaker = closed(toBreaker(state), now.getTime())
  const fresh = { results: 0, results_gone: 0, earlier_results: 0, earlier_gone: 0 }
  const times = { breaker_since: now, resumed_at: now, ramp_from: now }
  await updateProviderState(work.tx, state.provider, { ...breaker, ...fresh, ...times, ...NO_HALT })
}

async function isCalm(sender: Sender): Promise<boolean> {
  const state = await findProviderState(sender.db, sender.provider.name)
  return state.breaker === 'closed' && state.failures_in_row === 0 && state.window_failures === 0
}

async function reopen(sender: Sender): Promise<void> {
  await inTransaction(sender.db, async (tx) => {
    const state = await lockProviderState(tx, sender.provider.name)
    if (state.breaker === 'half_open')
      await updateProviderState(tx, state.provider, opened(toBreaker(state), sender.clock.now(), Math.random()))
  })
}

async function slowDown(sender: Sender, busyMs: number): Promise<void> {
  await postponeSending(sender.db, sender.provider.name, {
    busyUntil: fromNow(sender.clock, busyMs),
    slowUntil: fromNow(sender.clock, busyMs + SLOW_AFTER_BUSY_MS),
  })
}

/** A busy answer is not counted: the provider is up and says when to come back. */
function toAnswer(health: Health): Answer[] {
  if (health.kind === 'busy') return []
  if (health.kind === 'healthy') return ['good']
  if (health.kind === 'misconfigured') return ['misconfigured']
  return [health.code === 'ProviderUnavailable' ? 'unreached' : 'failed']
}

function findCode(answers: Health[]): ErrorCode | undefined {
  for (const health of answers) if (health.kind === 'misconfigured' || health.kind === 'failing') return health.code
  return undefined
}

/** A provider's own words may be of any length, and PostgreSQL stores no NUL. */
function findAdvice(answers: Health[]): string | undefined {
  for (const health of answers)
    if (health.kind === 'misconfigured' && health.advice)
      return health.advice.replaceAll('\0', '').slice(0, MOST_OF_ADVICE)
  return undefined
}

function toBreaker(state: ProviderState): Breaker {
  const { breaker, openings, failures_in_row, window_started_at, window_requests, window_failures, retry_at } = state
  return { breaker, openings, failures_in_row, window_started_at, window_requests, window_failures, retry_at }
}
