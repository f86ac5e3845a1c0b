import type { PushDeps } from '../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { reportHealth } from '../provider/breaker.ts'
import { isAboutPlatform } from '../provider/platform-guard.ts'
import type { ErrorCode, Provider, Receipt, WithReceipts } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import type { Payloads } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { ReceiptResult } from '../status/push-metrics.ts'
import { isLastingFault, removeDevices, type GoneDevice } from '../devices/devices.ts'
import { announcePauses, applyTransition, raiseAlarm } from '../pipeline/halt.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import type { Ground } from '../../platform/work/work.ts'
import { countPushes } from '../records/push-counts.ts'
import { nextReceiptAt, RECEIPTS_KEPT_MS } from '../records/receipt-schedule.ts'
import { awaitsReceipt, copyAt, receive } from '../ledger/ledger.ts'
import { readLedgers } from '../ledger/ledger.queries.ts'
import { carryOut, planFor } from '../ledger/plan.ts'
import {
  claimDueReceipts,
  listTracesOfRequests,
  scheduleReceipts,
  type Asked,
  type DueRequest,
} from '../ledger/requests.queries.ts'
import type { Platform } from '../../platform/tables/tables.ts'

type ReceiptDeps = Ground & Pick<PushDeps, 'db' | 'log' | 'metrics' | 'providers'>
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
    const requests = await claimDueReceipts(deps.db, claim)
    const pending = await pendingTickets(deps, requests)
    const tickets = pending.slice(0, most)
    budget.left += most - tickets.length
    if (requests.length === 0) return
    const beyond = new Set(pending.slice(tickets.length).map(({ request }) => request.requestId))
    if (!(await askInTrace(deps, { requests, tickets, beyond }, signal))) return
  }
}

/** A copy whose receipt is not stored yet. */
type Ticket = Asked & { request: DueRequest; ticket: string; deviceId: number; userId: number; platform: Platform }

/** `beyond`: requests whose tickets are over the limit. They stay scheduled. */
type Question = { requests: DueRequest[]; tickets: Ticket[]; beyond: Set<number> }

async function pendingTickets({ db }: Pick<PushDeps, 'db'>, requests: DueRequest[]): Promise<Ticket[]> {
  const ledgers = await readLedgers(
    db,
    requests.flatMap(({ asked }) => [...new Set(asked.map(({ batchId }) => batchId))]),
  )
  return requests.flatMap((request) =>
    request.asked.flatMap((one): Ticket[] => {
      const ledger = ledgers.get(one.batchId)
      if (ledger === undefined || !awaitsReceipt(ledger, one.place, one.round)) return []
      const { ticket, deviceId, userId, platform } = copyAt(ledger, one.place)
      return [{ ...one, request, ticket, deviceId, userId, platform }]
    }),
  )
}

/** Continues the trace of the oldest request, linked to the others. */
async function askInTrace(deps: AskDeps, question: Question, signal: AbortSignal): Promise<boolean> {
  const ids = question.requests.map(({ requestId }) => requestId)
  const of = deps.tracing.isOn ? await listTracesOfRequests(deps.db, ids) : []
  const attributes = { provider: deps.provider.name, requests: ids.length, tickets: question.tickets.length }
  return traced(deps.tracing, 'fetch receipts', { kind: 'client', of, attributes }, () =>
    askFor(deps, question, signal),
  )
}

/** False when the provider did not answer; then the round ends. */
async function askFor(deps: AskDeps, question: Question, signal: AbortSignal): Promise<boolean> {
  const { tickets } = question
  const ids = [...new Set(tickets.map(({ ticket }) => ticket))]
  const askedAt = fromNow(deps.clock)
  const answer = ids.length > 0 ? await deps.provider.fetchReceipts(ids, signal) : undefined
  const { push } = deps.metrics
  const isAnswered = answer?.health.kind === 'healthy'
  if (answer) push.receiptsAsked(deps.provider.name, isAnswered)
  if (answer) push.receiptsFirstAsked(deps.provider.name, firstAsked(question, askedAt))
  if (answer && answer.health.kind !== 'healthy') {
    // A claimed request is due again by itself when its claim ends.
    if (answer.health.kind === 'misconfigured')
      await applyTransition(deps, await reportHealth(deps, [answer.health], askedAt))
    deps.log.warn({ provider: deps.provider.name, health: answer.health.kind }, 'the provider gave no receipts')
    return false
  }
  const receipts = answer?.receipts ?? new Map<string, Receipt>()
  // This comes before they are stored, so that after a crash they are asked for again.
  const gone = await reactTo(deps, question, receipts)
  await store(deps, question, { receipts, gone })
  return true
}

type Result = Ticket & { delivered: boolean; code: string | null }

async function store(
  deps: AskDeps,
  { requests, tickets, beyond }: Question,
  { receipts, gone }: { receipts: Map<string, Receipt>; gone: GoneDevice[] },
): Promise<void> {
  const now = fromNow(deps.clock)
  const next = new Map(
    requests.map(({ requestId, startedAt }) => [
      requestId,
      nextReceiptAt(startedAt, now, deps.config.RECEIPT_DELAY_SECONDS) ?? null,
    ]),
  )
  const absent = new Set<number>()
  const results = tickets.flatMap((ticket): Result[] => {
    const receipt = receipts.get(ticket.ticket)
    if (receipt)
      return [{ ...ticket, delivered: receipt.status === 'ok', code: receipt.status === 'ok' ? null : receipt.code }]
    const { requestId } = ticket.request
    if (next.get(requestId) === null) return [{ ...ticket, delivered: false, code: 'ReceiptExpired' }]
    absent.add(requestId)
    return []
  })
  const seed = requests[0]?.requestId ?? 0
  await inPlannedTransaction(deps.db, 'by index', async (tx) => {
    await removeDevices(deps, tx, deps.provider.name, gone)
    await scheduleReceipts(
      tx,
      requests.map(({ requestId, dueAt }) => ({
        requestId,
        at: beyond.has(requestId) ? dueAt : absent.has(requestId) ? (next.get(requestId) ?? null) : null,
      })),
    )
    const plan = await planFor(
      tx,
      results.map(({ batchId }) => batchId),
      now,
    )
    for (const { batchId, place, round, ...result } of results) {
      const ledger = plan.ledger(batchId)
      if (!awaitsReceipt(ledger, place, round)) continue
      receive(ledger, place, result, now)
      plan.changed.push(batchId)
    }
    const counted = await carryOut(tx, plan, seed)
    await countPushes(tx, counted, { at: now, seed })
  })
  const byResult = Map.groupBy(results, ({ delivered, code }) => resultOf(delivered, code))
  const countOf = (result: ReceiptResult) => byResult.get(result)?.length ?? 0
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

/** Counts receipts that are asked for the first time, by whether providers still keep them then. */
function firstAsked({ tickets }: Question, askedAt: Date): { inTime: number; late: number } {
  const first = tickets.filter(({ request }) => request.isFirst)
  const inTime = first.filter(
    ({ request }) => askedAt.getTime() - request.startedAt.getTime() < RECEIPTS_KEPT_MS,
  ).length
  return { inTime, late: first.length - inTime }
}

/** Gives the gone devices to be removed. */
async function reactTo(deps: AskDeps, { tickets }: Question, receipts: Map<string, Receipt>): Promise<GoneDevice[]> {
  // A device may have registered while its push was on the way: a push left when its request began.
  const failed = tickets.flatMap(({ ticket, deviceId, request }) => {
    const receipt = receipts.get(ticket)
    return receipt?.status === 'error' ? [{ code: receipt.code, deviceId, sentAt: request.startedAt }] : []
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

/** Counts all results of an answer that holds a fault of a platform; of others the accepted tickets already are. */
async function judgePlatforms(
  deps: AskDeps,
  tickets: Ticket[],
  receipts: Map<string, Receipt>,
  leftAt: Date,
): Promise<void> {
  const results = tickets.flatMap(({ ticket, platform, userId }) => {
    const receipt = receipts.get(ticket)
    if (receipt === undefined) return []
    return [{ platform, userId, code: receipt.status === 'error' ? receipt.code : undefined }]
  })
  await announcePauses(deps, await deps.platformGuard.judge(results, { leftAt, now: fromNow(deps.clock) }))
}

function toGone({ code, deviceId, sentAt }: { code: ErrorCode; deviceId: number; sentAt: Date }): GoneDevice[] {
  return isLastingFault(code) ? [{ deviceId, sentAt, reason: code }] : []
}

function latest(pushes: { sentAt: Date }[]): Date {
  return new Date(Math.max(...pushes.map(({ sentAt }) => sentAt.getTime())))
}
