import type { PushDeps } from '../deps.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import { accept, isOpenIn, refuse, waits } from '../ledger/ledger.ts'
import type { Health, PushOutcome, SubmitAnswer } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { firstReceiptAt } from '../records/receipt-schedule.ts'
import { requestOf, type ClaimedPush } from './claim.ts'
import type { Plan } from '../ledger/plan.ts'
import type { RequestResult } from '../ledger/requests.queries.ts'

export type Answered = SubmitAnswer & { request: ClaimedPush[] }

type FateDeps = Pick<PushDeps, 'config'> & Pick<ProviderInUse, 'provider'>

// The wait after no connection is within these bounds: the breaker needs three of them to open.
const UNREACHED_WAIT_MS = { least: 1_000, most: 5_000 }

/** Writes what the provider answered into the ledger, each copy by itself; what may be tried again waits. */
export function storeAnswer(
  deps: FateDeps,
  plan: Plan,
  { request, outcomes, left, health }: Answered,
  statuses: ReadonlyMap<number, MessageStatus>,
): void {
  const again: { push: ClaimedPush; dueAt: Date }[] = []
  for (const [n, push] of request.entries()) {
    const outcome = outcomes[n]
    const ledger = plan.ledger(push.batchId)
    if (outcome === undefined || !isOpenIn(ledger, push.place, push.round)) continue
    plan.changed.push(push.batchId)
    if (outcome.kind === 'accepted') {
      accept(ledger, push.place, outcome.ticketId, {
        at: plan.now,
        isDelivered: deps.provider.deliveryKnown === 'at once',
      })
      continue
    }
    const hasWork = waits(ledger, push.place)
    const fate = fateOf(deps, push, { outcome, health, status: statuses.get(push.messageId) })
    const isUnsent = left[n] === false
    refuse(ledger, push.place, { code: fate.code, isFree: fate.isFree, isUnsent, isFinal: fate.isFinal }, plan.now)
    // An answer that comes late finds the work of a copy that was given up.
    if (!fate.isFinal && !hasWork) again.push({ push, dueAt: new Date(plan.now.getTime() + fate.delayMs) })
  }
  for (const waiting of Map.groupBy(again, ({ push, dueAt }) => `${push.batchId} ${dueAt.getTime()}`).values()) {
    const [{ push, dueAt }] = waiting as [(typeof waiting)[number]]
    const { batchId, messageId } = push
    const places = waiting.map((one) => one.push.place)
    plan.later.push({ batchId, messageId, provider: deps.provider.name, places, dueAt })
  }
}

type Fate = { code: string; isFinal: boolean; isFree: boolean; delayMs: number }

/**
 * No further attempt: all are used up (decision B4), the message was stopped or deleted, or the refusal is for
 * good.
 */
function fateOf(
  deps: FateDeps,
  { tries }: ClaimedPush,
  {
    outcome,
    health,
    status,
  }: { outcome: Exclude<PushOutcome, { kind: 'accepted' }>; health: Health; status: MessageStatus | undefined },
): Fate {
  const { PUSH_RETRY_LIMIT: limit, PUSH_RETRY_DELAY_SECONDS: delay } = deps.config
  const isStopped = status === 'stopped' || status === undefined
  const deferredMs = deferralOf(deps, outcome, health)
  const isLast = isStopped || (deferredMs === undefined && tries > limit)
  const mayRetry = outcome.kind === 'unknown' || outcome.retry
  return {
    code: isStopped && outcome.kind === 'refused' && outcome.retry ? 'Stopped' : outcome.code,
    isFinal: isLast || !mayRetry,
    isFree: deferredMs !== undefined && mayRetry && !isLast,
    delayMs: deferredMs ?? delay * 1_000,
  }
}

/**
 * How long a copy that was surely not accepted (429, no connection, bad credentials) waits without using an
 * attempt.
 */
function deferralOf({ config }: FateDeps, outcome: PushOutcome, health: Health): number | undefined {
  if (outcome.kind !== 'refused' || !outcome.retry) return undefined
  if (health.kind === 'busy') return health.retryAfterMs
  const { least, most } = UNREACHED_WAIT_MS
  if (outcome.code === 'ProviderUnavailable')
    return Math.min(Math.max(config.PUSH_RETRY_DELAY_SECONDS * 1_000, least), most)
  return outcome.code === 'Unauthorized' ? 0 : undefined
}

export function toRequestResult({ request, outcomes }: Answered, now: Date, deps: FateDeps): RequestResult {
  const accepted = outcomes.some((outcome) => outcome.kind === 'accepted')
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown')
  const refused = outcomes.find((outcome) => outcome.kind === 'refused')
  return {
    requestId: requestOf(request),
    outcome: accepted ? 'accepted' : unknown ? 'unknown' : 'refused',
    code: unknown?.code ?? refused?.code ?? null,
    nextReceiptAt:
      accepted && deps.provider.deliveryKnown === 'by receipt'
        ? firstReceiptAt(now, deps.config.RECEIPT_DELAY_SECONDS)
        : null,
  }
}
