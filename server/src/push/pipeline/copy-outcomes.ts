import type { Deps } from '../../deps.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import type { Health, PushOutcome, SubmitAnswer } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import type { LockedBatch } from '../records/batch-locks.queries.ts'
import type { AttemptResult } from '../records/batches.queries.ts'
import { submissionOf, type Claim, type ClaimedPush } from './claim.ts'
import type { StoredOutcome } from '../records/copies.ts'
import { firstReceiptAt } from '../records/receipt-schedule.ts'
import type { SubmissionResult } from '../records/submissions.queries.ts'

export type Answered = SubmitAnswer & { request: ClaimedPush[] }

export type Fate = {
  batch: LockedBatch
  /** Every remaining copy was surely not accepted (429, no connection, bad credentials): the attempt does not count. */
  deferredMs: number | undefined
  /** No further attempt: all are used up (decision B4), or the message was stopped. */
  last: boolean
  stopped: boolean
  remaining: number
}

type FateDeps = Pick<Deps, 'config'>

// The wait after no connection is within these bounds: the breaker needs three of them to open.
// A copy of a paused platform waits so long, without using an attempt.
const PAUSED_WAIT_MS = 5 * 60_000
const UNREACHED_WAIT_MS = { least: 1_000, most: 5_000 }

/** By batch id. A message without a status was deleted. */
export function copyOutcomesOf(
  deps: FateDeps,
  { claim, answers, statuses }: { claim: Claim; answers: Answered[]; statuses: Map<number, MessageStatus> },
): Map<number, Fate> {
  const retries = retriesByBatch(deps, answers)
  return new Map(
    claim.batches.map((batch) => [
      batch.batch_id,
      fateOf(deps, batch, retries.get(batch.batch_id) ?? [], statuses.get(batch.message_id)),
    ]),
  )
}

/** How long a push that may be sent again waits without using up an attempt; undefined: it uses one. */
type Retry = { batchId: number; deferredMs: number | undefined }

function retriesByBatch(deps: FateDeps, answers: Answered[]): Map<number, Retry[]> {
  const { least, most } = UNREACHED_WAIT_MS
  const unreachedMs = Math.min(Math.max(deps.config.PUSH_RETRY_DELAY_SECONDS * 1_000, least), most)
  const retries = answers.flatMap(({ request, outcomes, health }) =>
    request.flatMap(({ batchId }, index): Retry[] => {
      const outcome = outcomes[index]
      return mayRetry(outcome) ? [{ batchId, deferredMs: deferralOf(outcome, health, unreachedMs) }] : []
    }),
  )
  return Map.groupBy(retries, ({ batchId }) => batchId)
}

function fateOf(deps: FateDeps, batch: LockedBatch, left: Retry[], status: MessageStatus | undefined): Fate {
  const stopped = status === 'stopped' || status === undefined
  const deferrals = left.flatMap(({ deferredMs: ms }) => ms ?? [])
  const deferredMs = left.length > 0 && deferrals.length === left.length ? Math.max(...deferrals) : undefined
  const last = stopped || (deferredMs === undefined && batch.attempts >= deps.config.PUSH_RETRY_LIMIT)
  const staying = last ? left.filter(({ deferredMs: ms }) => !stopped && ms === PAUSED_WAIT_MS) : left
  return { batch, deferredMs, last, stopped, remaining: staying.length }
}

function mayRetry(outcome: PushOutcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.retry)
}

function isHeld(outcome: PushOutcome): boolean {
  return outcome.kind === 'refused' && outcome.code === 'PlatformPaused'
}

function deferralOf(outcome: PushOutcome | undefined, health: Health, unreachedMs: number): number | undefined {
  if (outcome?.kind !== 'refused') return undefined
  if (isHeld(outcome)) return PAUSED_WAIT_MS
  if (health.kind === 'busy') return health.retryAfterMs
  if (outcome.code === 'ProviderUnavailable') return unreachedMs
  return outcome.code === 'Unauthorized' ? 0 : undefined
}

export function toStored({ request, outcomes, left }: Answered, fates: Map<number, Fate>): StoredOutcome[] {
  return request.flatMap(({ push, userId, submissionId, batchId }, index): StoredOutcome[] => {
    const outcome = outcomes[index]
    const fate = fates.get(batchId)
    if (outcome === undefined || fate === undefined) return []
    const base = { notificationId: push.notificationId, userId, submissionId, unsent: left[index] === false }
    if (outcome.kind === 'accepted') return [{ ...base, ticketId: outcome.ticketId, code: null, final: false }]
    const final = fate.stopped || (fate.last && !isHeld(outcome)) || !mayRetry(outcome)
    const code = fate.stopped && outcome.kind === 'refused' && outcome.retry ? 'Stopped' : outcome.code
    return [{ ...base, ticketId: null, code, final }]
  })
}

export function toSubmissionResult(
  { request, outcomes }: Answered,
  now: Date,
  deps: FateDeps & Pick<ProviderInUse, 'provider'>,
): SubmissionResult {
  const accepted = outcomes.some((outcome) => outcome.kind === 'accepted')
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown')
  const refusedOne = outcomes.find((outcome) => outcome.kind === 'refused')
  return {
    submissionId: submissionOf(request),
    outcome: accepted ? 'accepted' : unknown ? 'unknown' : 'refused',
    code: unknown?.code ?? refusedOne?.code ?? null,
    nextReceiptAt:
      accepted && deps.provider.deliveryKnown === 'by receipt'
        ? firstReceiptAt(now, deps.config.RECEIPT_DELAY_SECONDS)
        : null,
  }
}

export function toAttemptResult(fate: Fate, now: Date, deps: FateDeps): AttemptResult {
  const delayMs = fate.deferredMs ?? deps.config.PUSH_RETRY_DELAY_SECONDS * 1_000
  const waits = fate.remaining > 0
  return {
    batchId: fate.batch.batch_id,
    status: waits ? 'waiting' : 'done',
    givenBack: waits && fate.deferredMs !== undefined,
    dueAt: new Date(now.getTime() + delayMs),
  }
}
