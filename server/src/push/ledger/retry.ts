import type { Config } from '../../platform/config/config.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import type { Health, PushOutcome } from '../provider/provider.ts'

// Before a retry after a failed connection. Short, because only the third such failure opens the breaker.
const UNREACHED_WAIT_MS = { least: 1_000, most: 5_000 }
/** Work that came back so often waits longer each time, and administrators are told. */
export const OFTEN = 3
const MOST_DOUBLINGS = 6

type Refused = {
  outcome: Exclude<PushOutcome, { kind: 'accepted' }>
  health: Health
  status: MessageStatus | undefined
}

/** `isFinal`: all attempts are used up (decision B4), the message is stopped or gone, or the refusal is for good. */
export function decideRetry(config: Config, { tries }: { tries: number }, { outcome, health, status }: Refused) {
  const { PUSH_RETRY_LIMIT: limit, PUSH_RETRY_DELAY_SECONDS: delay } = config
  const isStopped = status === 'stopped' || status === undefined
  const deferredMs = findDeferral(config, outcome, health)
  const isLast = isStopped || (deferredMs === undefined && tries > limit)
  const mayRetry = outcome.kind === 'unknown' || outcome.retry
  return {
    code: isStopped && outcome.kind === 'refused' && outcome.retry ? 'Stopped' : outcome.code,
    isFinal: isLast || !mayRetry,
    isFree: deferredMs !== undefined && mayRetry && !isLast,
    delayMs: Math.max(deferredMs ?? delay * 1_000, outcome.kind === 'refused' ? (outcome.retryAfterMs ?? 0) : 0),
  }
}

/** How long a copy waits, without using an attempt, that surely was not accepted: 429, no connection, credentials. */
function findDeferral(config: Config, outcome: PushOutcome, health: Health): number | undefined {
  if (outcome.kind !== 'refused' || !outcome.retry) return undefined
  if (health.kind === 'busy') return health.retryAfterMs
  const { least, most } = UNREACHED_WAIT_MS
  if (outcome.code === 'ProviderUnavailable' || outcome.isFree)
    return Math.min(Math.max(config.PUSH_RETRY_DELAY_SECONDS * 1_000, least), most)
  return outcome.code === 'Unauthorized' ? 0 : undefined
}

/** For a copy whose request got no outcome, because its worker died (decision B4). `tries` has that attempt. */
export function mayRetryLost(config: Config, { tries, isStopped }: { tries: number; isStopped: boolean }): boolean {
  return tries <= config.PUSH_RETRY_LIMIT && !isStopped
}

/** Milliseconds since the epoch. The wait counts from the beginning of the attempt, when its lease began too. */
export function findRetryOfLost(config: Config, { tries, leaseUntil }: { tries: number; leaseUntil: Date }): number {
  const startedAt = leaseUntil.getTime() - config.PUSH_LEASE_SECONDS * 1_000
  return startedAt + computeDelay(tries, config.PUSH_RETRY_DELAY_SECONDS)
}

/** Work that came back waits as usual, and from the third time on twice as long each time: other work goes first. */
export function computeDelay(times: number, delaySeconds: number): number {
  return delaySeconds * 1_000 * 2 ** Math.min(Math.max(times - OFTEN + 1, 0), MOST_DOUBLINGS)
}
