import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import type { MessageStatus } from '../../db/tables.ts'
import { goByIndex, inTransaction, isDatabaseAway } from '../../db/transaction.ts'
import { isConfigurationFault, type Health, type PushOutcome } from '../../push/provider.ts'
import type { Verdict } from '../../push/removal-guard.ts'
import { fromNow, sleep } from '../../shared/clock.ts'
import { closeAttempt, type AttemptResult, type LockedBatch } from './batches.queries.ts'
import type { Claim, ClaimedPush } from './claim.ts'
import type { StoredOutcome } from './copies.ts'
import { addCounts } from './counts.queries.ts'
import { judgeGone, raiseAlarm, removeGoneDevices, type GoneDevice, type GoneReport } from './gone-devices.ts'
import { listMessageStatuses } from './messages.queries.ts'
import { storeOutcomes } from './notifications.queries.ts'
import { countPushes } from './push-counts.ts'
import { firstReceiptAt } from './receipt-schedule.ts'
import { settleSubmissions, type SubmissionResult } from './submissions.queries.ts'

/** A request and what came of it. */
export type Answered = { request: ClaimedPush[]; outcomes: PushOutcome[]; health: Health }

type SettleDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'log' | 'removalGuard'>

const STORE_FOR_MS = 120_000
const RETRY_STORE_MS = 500
// A batch that met no connection waits as for a retry, within these bounds: the breaker needs three of them to open.
const UNREACHED_WAIT_MS = { least: 1_000, most: 5_000 }
// Serialization failure, deadlock, lock not available, statement cancelled: another transaction stood in the way.
const IN_THE_WAY = new Set(['40001', '40P01', '55P03', '57014'])

/**
 * Transaction 2 of batches: tickets, codes and ends of their notifications, the outcome of the requests, what happens
 * to each batch next, and the removal of devices that are gone, all or nothing. Tickets in hand are kept while the
 * database is away, or while a process that stands still holds a row, so that neither doubles a push.
 */
export async function settle(deps: SettleDeps, claim: Claim, answers: Answered[]): Promise<void> {
  const giveUpAt = performance.now() + STORE_FOR_MS
  const report = readGone(claim, answers)
  let verdict: Verdict | undefined
  for (;;) {
    try {
      verdict ??= await judgeGone(deps, report)
      const gone = verdict === 'remove' ? report.gone : []
      await inTransaction(deps.db, (tx) => store(tx, deps, { claim, answers, gone }))
      break
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!(isDatabaseAway(error) || IN_THE_WAY.has(code)) || performance.now() > giveUpAt) throw error
      deps.log.warn({ claim: claim.claim, code }, 'the tickets cannot be stored yet; they are kept')
      await sleep(RETRY_STORE_MS)
    }
  }
  if (verdict === 'alarm') await raiseAlarm(deps, claim.startedAt)
}

type Settling = { claim: Claim; answers: Answered[]; gone: GoneDevice[] }

async function store(tx: Tx, deps: SettleDeps, { claim, answers, gone }: Settling): Promise<void> {
  await goByIndex(tx)
  // First, as registering a device does: devices, then notifications.
  await removeGoneDevices(tx, deps, gone)
  const now = fromNow(deps.clock)
  const statuses = await listMessageStatuses(tx, [...new Set(claim.batches.map((batch) => batch.message_id))])
  const retries = retriesByBatch(deps, answers)
  const fates = new Map<number, Fate>()
  for (const batch of claim.batches) {
    const left = retries.get(batch.batch_id) ?? []
    fates.set(batch.batch_id, fateOf(deps, batch, left, statuses.get(batch.message_id)))
  }
  const outcomes = answers.flatMap(({ request, outcomes: results }) =>
    request.flatMap((push, index) => toStored(push, results[index], fates.get(push.batchId))),
  )
  const counted = await storeOutcomes(tx, outcomes, now)
  await settleSubmissions(
    tx,
    answers.map((answer) => toSubmissionResult(answer, now, deps)),
    now,
  )
  const results = Array.from(fates.values(), (fate) => toAttemptResult(fate, now, deps))
  await closeAttempt(tx, claim.claim, results, now)
  await addCounts(tx, counted, claim.claim)
  await countPushes(tx, counted, { at: now, seed: claim.claim })
}

/** The devices that tickets call gone. One that registered after its push was claimed stays. */
function readGone({ startedAt }: Claim, answers: Answered[]): GoneReport {
  let results = 0
  const gone = answers.flatMap(({ request, outcomes }) =>
    request.flatMap((push, index) => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') results++
      if (outcome?.kind !== 'refused' || outcome.code !== 'DeviceNotRegistered') return []
      results++
      return [{ deviceId: push.deviceId, sentAt: startedAt }]
    }),
  )
  return { results, gone, leftAt: startedAt }
}

/** For each push that may be sent again, how long it waits without losing an attempt; by batch. */
function retriesByBatch(deps: SettleDeps, answers: Answered[]): Map<number, (number | undefined)[]> {
  const unreachedMs = clamp(deps.config.PUSH_RETRY_DELAY_SECONDS * 1_000, UNREACHED_WAIT_MS)
  const retries = new Map<number, (number | undefined)[]>()
  for (const { request, outcomes, health } of answers) {
    for (const [index, { batchId }] of request.entries()) {
      if (!mayRetry(outcomes[index])) continue
      const deferredMs = deferralOf(outcomes[index], health, unreachedMs)
      const left = retries.get(batchId)
      if (left) left.push(deferredMs)
      else retries.set(batchId, [deferredMs])
    }
  }
  return retries
}

/** What the answers mean for a batch as a whole. */
type Fate = {
  batch: LockedBatch
  /** Every remaining copy met a closed door (429, no connection, refused credentials): the attempt is given back. */
  deferredMs: number | undefined
  /** No further attempt: the budget is spent (decision B4), or the message was stopped. */
  last: boolean
  stopped: boolean
  remaining: number
}

function fateOf(
  deps: SettleDeps,
  batch: LockedBatch,
  left: (number | undefined)[],
  status: MessageStatus | undefined,
): Fate {
  const stopped = status === 'stopped' || status === undefined
  const deferrals = left.filter((ms) => ms !== undefined)
  const deferredMs = left.length > 0 && deferrals.length === left.length ? Math.max(...deferrals) : undefined
  const last = stopped || (deferredMs === undefined && batch.attempts >= deps.config.PUSH_RETRY_LIMIT)
  return { batch, deferredMs, last, stopped, remaining: last ? 0 : left.length }
}

function mayRetry(outcome: PushOutcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.retry)
}

/** How long a surely refused push waits without losing an attempt; undefined: this attempt counts. */
function deferralOf(outcome: PushOutcome | undefined, health: Health, unreachedMs: number): number | undefined {
  if (outcome?.kind !== 'refused') return undefined
  if (health.kind === 'busy') return health.retryAfterMs
  if (outcome.code === 'ProviderUnavailable') return unreachedMs
  return isConfigurationFault(outcome.code) ? 0 : undefined
}

function toStored(
  { push, userId, submissionId }: ClaimedPush,
  outcome: PushOutcome | undefined,
  fate: Fate | undefined,
): StoredOutcome[] {
  if (outcome === undefined || fate === undefined) return []
  const base = { notificationId: push.notificationId, userId, submissionId }
  if (outcome.kind === 'accepted') return [{ ...base, ticketId: outcome.ticketId, code: null, final: false }]
  const final = fate.last || !mayRetry(outcome)
  const code = fate.stopped && outcome.kind === 'refused' && outcome.retry ? 'Stopped' : outcome.code
  return [{ ...base, ticketId: null, code, final }]
}

function toSubmissionResult({ request, outcomes }: Answered, now: Date, deps: SettleDeps): SubmissionResult {
  const accepted = outcomes.some((outcome) => outcome.kind === 'accepted')
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown')
  const refusedOne = outcomes.find((outcome) => outcome.kind === 'refused')
  return {
    submissionId: request[0]?.submissionId ?? 0,
    outcome: accepted ? 'accepted' : unknown ? 'unknown' : 'refused',
    code: unknown?.code ?? refusedOne?.code ?? null,
    nextReceiptAt: accepted ? firstReceiptAt(now, deps.config.RECEIPT_DELAY_SECONDS) : null,
  }
}

function toAttemptResult(fate: Fate, now: Date, deps: SettleDeps): AttemptResult {
  const delayMs = fate.deferredMs ?? deps.config.PUSH_RETRY_DELAY_SECONDS * 1_000
  const waits = fate.remaining > 0
  return {
    batchId: fate.batch.batch_id,
    status: waits ? 'waiting' : 'done',
    givenBack: waits && fate.deferredMs !== undefined,
    dueAt: new Date(now.getTime() + delayMs),
  }
}

function clamp(value: number, { least, most }: { least: number; most: number }): number {
  return Math.min(Math.max(value, least), most)
}
