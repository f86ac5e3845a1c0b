import type { Config } from '../../platform/config/config.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import type { Health, PushOutcome } from '../provider/provider.ts'

// The wait after no connection is within these bounds: the breaker needs three of them to open.
const UNREACHED_WAIT_MS = { least: 1_000, most: 5_000 }

type Refused = {
  outcome: Exclude<PushOutcome, { kind: 'accepted' }>
  health: Health
  status: MessageStatus | undefined
}
type Fate = { code: string; isFinal: boolean; isFree: boolean; delayMs: number }

/** No further attempt: all are used up (decision B4), the message is stopped or gone, or the refusal is for good. */
export function decideFate(config: Config, { tries }: { tries: number }, { outcome, health, status }: Refused): Fate {
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
