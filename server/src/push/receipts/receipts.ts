import type { Deps } from '../../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { reportHealth } from '../provider/breaker.ts'
import { isAboutPlatform } from '../provider/platform-guard.ts'
import type { ErrorCode, Provider, Receipt, WithReceipts } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import type { Payloads } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { ReceiptResult } from '../status/push-metrics.ts'
import { earliestOf, type StoredReceipt } from '../records/copies.ts'
import { addCounts } from '../records/counts.queries.ts'
import { isLastingFault, removeDevices, type GoneDevice } from '../devices/devices.ts'
import { announcePauses, applyTransition, raiseAlarm } from '../pipeline/halt.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import type { Ground } from '../../platform/work/work.ts'
import { storeReceipts } from '../records/notifications.queries.ts'
import { countPushes } from '../records/push-counts.ts'
import { nextReceiptAt, RECEIPTS_KEPT_MS } from '../records/receipt-schedule.ts'
import {
  claimDueReceipts,
  findPlatforms,
  listPendingTickets,
  listTracesOfSubmissions,
  scheduleReceipts,
  type DueSubmission,
  type PendingTicket,
} from '../records/submissions.queries.ts'

type ReceiptDeps = Ground & Pick<Deps, 'db' | 'log' | 'metrics' | 'providers'>
type AskDeps = ReceiptDeps & Omit<ProviderInUse, 'provider'> & { provider: Provider & WithReceipts }

const CLAIM_MS = 60_000

/** Spec: sending rule 6. Providers are asked beside one another. Gives how many receipts were asked for. */
export async function fetchReceipts(deps: ReceiptDeps, round: Payloads['fetch-receipts'], signal: AbortSignal) {
  const budget = { left: round.limit }
  const asking = deps.providers.flatMap(({ provider, ...own }) =>
    provider.deliveryKnown === 'by receipt'
      ? [fetchReceiptsOf({ ...deps, ...own, provider }, { ...round, budget }, signal)]
      : [],
  )
  await Promise.all(asking)
  return round.limit - budget.left
}

type Budget = { left: number }

async function fetchReceiptsOf(
  deps: AskDeps,
  { budget, dueOnly }: { budget: Budget; dueOnly: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { name, maxPushes, maxReceipts } = deps.provider
  const roundStart = fromNow(deps.clock)
  while (budget.left > 0 && !signal.aborted) {
    const most = Math.min(budget.left, maxReceipts)
    budget.left -= most
    const claim = {
      provider: name,
      now: fromNow(deps.clock),
      until: fromNow(deps.clock, CLAIM_MS),
      limit: Math.ceil(most / maxPushes),
      dueOnly,
      roundStart,
    }
    const submissions = await claimDueReceipts(deps.db, claim)
    const pending = await listPendingTickets(deps.db, {
      notificationIds: submissions.flatMap((submission) => submission.notification_ids),
      userIds: submissions.flatMap((submission) => submission.user_ids),
      made: earliestOf(submissions.map((submission) => submission.made_first)),
    })
    const tickets = pending.slice(0, most)
    budget.left += most - tickets.length
    if (submissions.length === 0) return
    const beyond = new Set(pending.slice(tickets.length).map((ticket) => ticket.submission_id))
    if (!(await askInTrace(deps, { submissions, tickets, beyond }, signal))) return
  }
}

/** `beyond`: the submissions with tickets beyond the limit, which are due as before. */
type Question = { submissions: DueSubmission[]; tickets: PendingTicket[]; beyond: Set<number> }

/** Continues the trace of the oldest submission, linked to the others. */
async function askInTrace(deps: AskDeps, question: Question, signal: AbortSignal): Promise<boolean> {
  const ids = question.submissions.map((submission) => submission.submission_id)
  const of = deps.tracing.isOn ? await listTracesOfSubmissions(deps.db, ids) : []
  const attributes = { provider: deps.provider.name, submissions: ids.length, tickets: question.tickets.length }
  return traced(deps.tracing, 'fetch receipts', { kind: 'client', of, attributes }, () =>
    askFor(deps, question, signal),
  )
}

/** False when the provider did not answer; then the round ends. */
async function askFor(deps: AskDeps, question: Question, signal: AbortSignal): Promise<boolean> {
  const { tickets } = question
  const ids = [...new Set(tickets.map((ticket) => ticket.ticket_id))]
  const askedAt = fromNow(deps.clock)
  const answer = ids.length > 0 ? await deps.provider.fetchReceipts(ids, signal) : undefined
  const { push } = deps.metrics
  const isAnswered = answer?.health.kind === 'healthy'
  if (answer) push.receiptsAsked(deps.provider.name, isAnswered)
  if (answer) push.receiptsFirstAsked(deps.provider.name, firstAsked(question, askedAt))
  if (answer && answer.health.kind !== 'healthy') {
    // A claimed submission is due again by itself when its claim ends.
    if (answer.health.kind === 'misconfigured')
      await applyTransition(deps, await reportHealth(deps, [answer.health], askedAt))
    deps.log.warn({ provider: deps.provider.name, health: answer.health.kind }, 'the provider gave no receipts')
    return false
  }
  const receipts = answer?.receipts ?? new Map<string, Receipt>()
  // Before they are stored, so that after a crash they are asked for again.
  const gone = await reactTo(deps, question, receipts)
  await store(deps, question, { receipts, gone })
  return true
}

async function store(
  deps: AskDeps,
  { submissions, tickets, beyond }: Question,
  { receipts, gone }: { receipts: Map<string, Receipt>; gone: GoneDevice[] },
): Promise<void> {
  const now = fromNow(deps.clock)
  const next = new Map(
    submissions.map((s) => [
      s.submission_id,
      nextReceiptAt(s.started_at, now, deps.config.RECEIPT_DELAY_SECONDS) ?? null,
    ]),
  )
  const absent = new Set<number>()
  const stored = tickets.flatMap((ticket): StoredReceipt[] => {
    const target = { notificationId: ticket.notification_id, userId: ticket.user_id }
    const receipt = receipts.get(ticket.ticket_id)
    if (receipt)
      return [{ ...target, delivered: receipt.status === 'ok', code: receipt.status === 'ok' ? null : receipt.code }]
    if (next.get(ticket.submission_id) === null) return [{ ...target, delivered: false, code: 'ReceiptExpired' }]
    absent.add(ticket.submission_id)
    return []
  })
  await inPlannedTransaction(deps.db, 'by index', async (tx) => {
    await removeDevices(deps, tx, deps.provider.name, gone)
    const made = earliestOf(tickets.map((ticket) => ticket.message_at))
    const counted = await storeReceipts(tx, stored, { made, now })
    await scheduleReceipts(
      tx,
      submissions.map(({ submission_id: id, due_at }) => ({
        submissionId: id,
        at: beyond.has(id) ? due_at : absent.has(id) ? (next.get(id) ?? null) : null,
      })),
    )
    await addCounts(tx, counted, submissions[0]?.submission_id ?? 0)
    await countPushes(tx, counted, { at: now, seed: submissions[0]?.submission_id ?? 0 })
  })
  const results = Map.groupBy(stored, ({ delivered, code }) => resultOf(delivered, code))
  const countOf = (result: ReceiptResult) => results.get(result)?.length ?? 0
  deps.metrics.push.receiptsStored(deps.provider.name, {
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    expired: countOf('expired'),
  })
  if (gone.length > 0) deps.metrics.push.devicesGone(deps.provider.name, gone.length)
}

function resultOf(delivered: boolean, code: string | null): ReceiptResult {
  if (delivered) return 'delivered'
  return code === 'ReceiptExpired' ? 'expired' : 'failed'
}

/** Asked for the first time: within the time that receipts are kept, or later. */
function firstAsked({ submissions, tickets }: Question, askedAt: Date): { inTime: number; late: number } {
  const asked = new Map(submissions.map((submission) => [submission.submission_id, submission]))
  const first = tickets.flatMap(({ submission_id }) => {
    const submission = asked.get(submission_id)
    return submission?.is_first ? [askedAt.getTime() - submission.started_at.getTime() < RECEIPTS_KEPT_MS] : []
  })
  const inTime = first.filter(Boolean).length
  return { inTime, late: first.length - inTime }
}

/** Gives the gone devices to be removed. */
async function reactTo(
  deps: AskDeps,
  { submissions, tickets }: Question,
  receipts: Map<string, Receipt>,
): Promise<GoneDevice[]> {
  // A device may have registered while its push was on the way: a push left when its submission began.
  const startedAt = new Map(submissions.map((submission) => [submission.submission_id, submission.started_at]))
  const failed = tickets.flatMap(({ ticket_id, device_id, submission_id, sent_at }) => {
    const receipt = receipts.get(ticket_id)
    if (receipt?.status !== 'error') return []
    return [{ code: receipt.code, deviceId: device_id, sentAt: startedAt.get(submission_id) ?? sent_at }]
  })
  const gone = failed.flatMap(toGone)
  const missing = gone.filter(({ reason }) => reason === 'DeviceNotRegistered')
  const report = { results: receipts.size, gone: missing, leftAt: gone.length > 0 ? latest(gone) : fromNow(deps.clock) }
  const verdict = await deps.removalGuard.assess(report)
  if (verdict === 'alarm') await raiseAlarm(deps, report.leftAt)
  const ofPlatforms = failed.filter(({ code }) => isAboutPlatform(code))
  if (ofPlatforms.length > 0) await judgePlatforms(deps, tickets, receipts, latest(ofPlatforms))
  return verdict === 'remove' ? gone : []
}

/**
 * Counts all results of an answer that holds a fault of a platform. An answer without one is not counted: its accepted
 * tickets already are, and looking up the platform of each push made receipts a tenth slower.
 */
async function judgePlatforms(
  deps: AskDeps,
  tickets: PendingTicket[],
  receipts: Map<string, Receipt>,
  leftAt: Date,
): Promise<void> {
  const answered = tickets.filter(({ ticket_id }) => receipts.has(ticket_id))
  const platforms = await findPlatforms(
    deps.db,
    answered.map(({ device_id }) => device_id),
  )
  const results = answered.map(({ ticket_id, device_id, user_id: userId }) => {
    const receipt = receipts.get(ticket_id)
    const code = receipt?.status === 'error' ? receipt.code : undefined
    return { platform: platforms.get(device_id) ?? ('unknown' as const), userId, code }
  })
  await announcePauses(deps, await deps.platformGuard.judge(results, { leftAt, now: fromNow(deps.clock) }))
}

function toGone({ code, deviceId, sentAt }: { code: ErrorCode; deviceId: number; sentAt: Date }): GoneDevice[] {
  return isLastingFault(code) ? [{ deviceId, sentAt, reason: code }] : []
}

function latest(pushes: { sentAt: Date }[]): Date {
  return new Date(Math.max(...pushes.map(({ sentAt }) => sentAt.getTime())))
}
