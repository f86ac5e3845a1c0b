import type { PushDeps, Sender } from '../deps.ts'
import { atHome } from '../../platform/db/homes.ts'
import type { Payloads } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import type { Work } from '../../platform/work/work.ts'
import { isLastingFault, removeDevices, type GoneDevice } from '../devices/devices.ts'
import { awaitsReceipt, copyAt, receive, type Ledger } from '../ledger/ledger.ts'
import { readLedgers } from '../ledger/ledger.queries.ts'
import { togetherOrAlone } from '../ledger/past-faults.ts'
import { carryOut, inLedgersAtHome, planFor } from '../ledger/plan.ts'
import {
  claimDueReceipts,
  listTracesOfRequests,
  scheduleReceipts,
  type RequestedCopy,
  type DueRequest,
} from '../ledger/requests.queries.ts'
import { reportHealth } from '../provider/breaker.ts'
import { isAboutPlatform, type PlatformResult } from '../provider/platform-guard.ts'
import { eachHome } from '../records/home.queries.ts'
import type { Provider, Receipt, WithReceipts } from '../provider/provider.ts'
import { applyTransition, assessGone, haltForGoneDevices, judgePlatforms } from './halt.ts'

type Asker = Sender & { provider: Provider & WithReceipts }

const CLAIM_MS = 60_000
/** Expo: receipts are kept 24 h. */
export const RECEIPTS_KEPT_MS = 24 * 60 * 60 * 1_000
// A receipt that never came expires two days after the push, a day after the provider has deleted it.
const EXPIRED_AFTER_MS = 2 * RECEIPTS_KEPT_MS

// The usual delay of 15 minutes makes them 15 and 30 minutes, 1, 3, 6, 12, 20 and 23.5 hours after the send.
const STEPS = [1, 2, 4, 12, 24, 48, 80, 94]

/** Spec: sending rule 6. Providers are asked beside one another. Gives how many receipts were asked for. */
export async function fetchReceipts(deps: PushDeps, round: Payloads['fetch-receipts'], signal: AbortSignal) {
  const budget = { left: round.limit }
  await Promise.all(
    deps.providers.map(async ({ provider, ...own }) => {
      if (provider.deliveryKnown === 'at once') return
      await eachHome(deps.db, (home) =>
        fetchProviderReceipts({ ...deps, ...own, provider }, { ...round, home, budget }, signal),
      )
    }),
  )
  return round.limit - budget.left
}

async function fetchProviderReceipts(
  sender: Asker,
  { home, budget, dueOnly }: { home: number; budget: { left: number }; dueOnly: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { name, maxReceipts } = sender.provider
  const roundStart = fromNow(sender.clock)
  while (budget.left > 0 && !signal.aborted) {
    const most = Math.min(budget.left, maxReceipts)
    budget.left -= most
    const [now, until] = [fromNow(sender.clock), fromNow(sender.clock, CLAIM_MS)]
    const claim = { home, provider: name, now, until, tickets: most, dueOnly, roundStart }
    const claiming = atHome(sender.db, home, (db) => claimDueReceipts(db, claim))
    // What a server that is away cannot have is for other homes.
    claiming.catch(() => (budget.left += most))
    const requests = await claiming
    const pending = await pendingTickets(sender, home, requests)
    const tickets = pending.slice(0, most)
    budget.left += most - tickets.length
    if (requests.length === 0) return
    const beyond = new Set(pending.slice(tickets.length).map(({ request }) => request.requestId))
    if (!(await askInTrace(sender, { home, requests, tickets, beyond }, signal))) return
  }
}

/** A copy whose receipt is not stored yet. `asRead`: its batch before the provider was asked. */
type Ticket = RequestedCopy & { request: DueRequest; asRead: Ledger; ticket: string }

/** `beyond`: requests whose tickets are over the limit. They stay scheduled. */
type Question = { home: number; requests: DueRequest[]; tickets: Ticket[]; beyond: Set<number> }

async function pendingTickets({ db }: PushDeps, home: number, requests: DueRequest[]): Promise<Ticket[]> {
  const batchIds = requests.flatMap(({ copies }) => [...new Set(copies.map(({ batchId }) => batchId))])
  const ledgers = await atHome(db, home, (own) => readLedgers(own, home, batchIds))
  return requests.flatMap((request) =>
    request.copies.flatMap((one): Ticket[] => {
      const asRead = ledgers.get(one.batchId)
      if (asRead === undefined || !awaitsReceipt(asRead, one.place, one.round)) return []
      return [{ ...one, request, asRead, ticket: must(asRead.tickets[one.place], 'ticket of a copy') }]
    }),
  )
}

export function firstReceiptAt(sentAt: Date, delaySeconds: number): Date {
  return new Date(sentAt.getTime() + delaySeconds * 1_000)
}

/** The intervals grow, and the last question is after 24 h. Gives undefined after that. */
export function nextReceiptAt(sentAt: Date, now: Date, delaySeconds: number): Date | undefined {
  const age = now.getTime() - sentAt.getTime()
  if (age >= RECEIPTS_KEPT_MS) return undefined
  const steps = STEPS.map((step) => step * delaySeconds * 1_000).filter((step) => step < RECEIPTS_KEPT_MS)
  // Two questions are ten seconds apart at least: a delay near zero would ask in a loop.
  const next = steps.find((step) => step >= age + 10_000) ?? RECEIPTS_KEPT_MS
  return new Date(sentAt.getTime() + next)
}

/** Continues the trace of the oldest request, linked to the others. */
async function askInTrace(sender: Asker, question: Question, signal: AbortSignal): Promise<boolean> {
  const ids = question.requests.map(({ requestId }) => requestId)
  const of = sender.tracing.isOn ? await listTracesOfRequests(sender.db, question.home, ids) : []
  const attributes = { provider: sender.provider.name, requests: ids.length, tickets: question.tickets.length }
  return traced(sender.tracing, 'fetch receipts', { kind: 'client', of, attributes }, () =>
    askFor(sender, question, signal),
  )
}

type Heard = Ticket & { receipt: Receipt | undefined }

/** False when the provider did not answer; then the round ends. */
async function askFor(sender: Asker, question: Question, signal: AbortSignal): Promise<boolean> {
  const { provider, metrics } = sender
  const ids = [...new Set(question.tickets.map(({ ticket }) => ticket))]
  const askedAt = fromNow(sender.clock)
  const answer = ids.length > 0 ? await provider.fetchReceipts(ids, signal) : undefined
  if (answer) {
    const { health } = answer
    metrics.push.receiptsAsked(provider.name, health.kind === 'healthy')
    metrics.push.receiptsFirstAsked(provider.name, countFirstRequests(question, askedAt))
    if (health.kind === 'misconfigured') await applyTransition(sender, await reportHealth(sender, [health], askedAt))
    if (health.kind !== 'healthy') {
      // A claimed request is due again by itself when its claim ends.
      sender.log.warn({ provider: provider.name, health: health.kind }, 'the provider gave no receipts')
      await storeExpired(sender, question)
      return false
    }
  }
  const heard = question.tickets.map((one) => ({ ...one, receipt: answer?.receipts.get(one.ticket) }))
  // This comes before they are stored, so that after a crash they are asked for again.
  const gone = await reactTo(sender, heard, answer?.receipts.size ?? 0)
  await togetherOrAlone(sender.log, question.requests, (requests) => {
    const some = new Set(requests)
    const own = heard.filter(({ request }) => some.has(request))
    const devices = new Set(own.map(({ asRead, place }) => copyAt(asRead, place).deviceId))
    const ownGone = gone.filter(({ deviceId }) => devices.has(deviceId))
    return store(sender, { ...question, requests }, { heard: own, gone: ownGone })
  })
  return true
}

/** Nothing is kept of them any more, so a receipt that is never answered does not stay for ever. */
async function storeExpired(sender: Asker, { home, requests, tickets, beyond }: Question): Promise<void> {
  const before = fromNow(sender.clock, -EXPIRED_AFTER_MS)
  const isExpired = ({ requestId, startedAt }: DueRequest) => startedAt <= before && !beyond.has(requestId)
  const expired = requests.filter(isExpired)
  if (expired.length === 0) return
  const heard = tickets.filter(({ request }) => isExpired(request)).map((one) => ({ ...one, receipt: undefined }))
  await store(sender, { home, requests: expired, tickets: heard, beyond }, { heard, gone: [] })
}

async function store(
  sender: Asker,
  { home, requests, beyond }: Question,
  { heard, gone }: { heard: Heard[]; gone: GoneDevice[] },
): Promise<void> {
  const { provider, metrics, config } = sender
  const now = fromNow(sender.clock)
  const next = new Map(
    requests.map(({ requestId, startedAt }) => [
      requestId,
      nextReceiptAt(startedAt, now, config.RECEIPT_DELAY_SECONDS) ?? null,
    ]),
  )
  const isLast = ({ request }: Heard) => next.get(request.requestId) === null
  const absent = new Set(heard.filter((one) => !one.receipt && !isLast(one)).map(({ request }) => request.requestId))
  const known = heard.filter((one) => one.receipt !== undefined || isLast(one))
  const first = (work: Work) => removeDevices(work, { provider: provider.name, gone })
  const change = async (work: Work) => {
    await scheduleReceipts(
      work.tx,
      home,
      requests.map(({ requestId, dueAt }) => ({
        requestId,
        at: beyond.has(requestId) ? dueAt : absent.has(requestId) ? (next.get(requestId) ?? null) : null,
      })),
    )
    const plan = await planFor(work.tx, home, known, now)
    for (const { batchId, place, round, receipt } of known) {
      const ledger = plan.ledger(batchId)
      if (!awaitsReceipt(ledger, place, round)) continue
      receive(ledger, place, toResult(receipt), now)
      plan.changed.add(batchId)
    }
    await carryOut(work.tx, plan)
  }
  await inLedgersAtHome(sender, { home, isApart: true, first: gone.length > 0 ? first : undefined, change })
  const count = (status: Receipt['status'] | undefined) =>
    known.filter(({ receipt }) => receipt?.status === status).length
  metrics.push.receiptsStored(provider.name, {
    delivered: count('ok'),
    failed: count('error'),
    expired: count(undefined),
  })
  if (gone.length > 0) metrics.push.devicesGone(provider.name, gone.length)
}

function toResult(receipt: Receipt | undefined): { delivered: boolean; code: string | null } {
  if (receipt?.status === 'ok') return { delivered: true, code: null }
  return { delivered: false, code: receipt?.code ?? 'ReceiptExpired' }
}

/** Counts receipts that are asked for the first time, by whether providers still keep them then. */
function countFirstRequests({ tickets }: Question, askedAt: Date): { inTime: number; late: number } {
  const first = tickets.filter(({ request }) => request.isFirst)
  const late = first.filter(({ request }) => askedAt.getTime() - request.startedAt.getTime() >= RECEIPTS_KEPT_MS).length
  return { inTime: first.length - late, late }
}

/** Gives the gone devices to be removed. `results`: how many different receipts the provider gave. */
async function reactTo(sender: Asker, heard: Heard[], results: number): Promise<GoneDevice[]> {
  // A device may have registered while its push was on the way: a push left when its request began.
  const failed = heard.flatMap(({ receipt, asRead, place, request }) => {
    if (receipt?.status !== 'error') return []
    return [{ code: receipt.code, deviceId: copyAt(asRead, place).deviceId, sentAt: request.startedAt }]
  })
  const gone = failed.flatMap(({ code, deviceId, sentAt }) =>
    isLastingFault(code, sender.provider) ? [{ deviceId, sentAt, reason: code }] : [],
  )
  const missing = gone.filter(({ reason }) => reason === 'DeviceNotRegistered')
  const leftAt = gone.length > 0 ? latest(gone) : fromNow(sender.clock)
  const verdict = await assessGone(sender, { results, gone: missing, leftAt })
  if (verdict === 'alert') await haltForGoneDevices(sender, leftAt)
  // Gives all results of an answer that holds a fault of a platform. Other answers count by their accepted tickets
  // already.
  const ofPlatforms = failed.filter(({ code }) => isAboutPlatform(code))
  if (ofPlatforms.length > 0) await judgePlatforms(sender, heard.flatMap(toPlatformResult), latest(ofPlatforms))
  return verdict === 'remove' ? gone : []
}

function toPlatformResult({ receipt, asRead, place }: Heard): PlatformResult[] {
  if (receipt === undefined) return []
  const { platform, userId } = copyAt(asRead, place)
  return [{ platform, userId, code: receipt.status === 'error' ? receipt.code : undefined }]
}

function latest(pushes: { sentAt: Date }[]): Date {
  return new Date(Math.max(...pushes.map(({ sentAt }) => sentAt.getTime())))
}
