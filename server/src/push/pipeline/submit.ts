import type { Sender } from '../deps.ts'
import { inParts, type Call } from '../../platform/concurrency/in-parts.ts'
import { isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import { USERS_PER_BATCH } from '../ledger/ledger.queries.ts'
import { findDueHome, type DueChoice, type WorkChoice } from '../ledger/due-work.queries.ts'
import { togetherOrAlone } from '../ledger/past-faults.ts'
import { completeMessages } from '../messages/control.ts'
import { askBreaker, createHealthReport, listTaking, reportHealth, type HealthReport } from '../provider/breaker.ts'
import { settlePace, takePace } from '../provider/pace.ts'
import type { Health, PushOutcome } from '../provider/provider.ts'
import { countOutcomes } from '../provider/health.ts'
import { listTraces, wakeMessages } from '../records/messages.queries.ts'
import { claimBatches, requireRequestId, type Answered, type Claim, type ClaimedPush } from './claim.ts'
import type { FailureLog } from './failure-log.ts'
import { applyTransition } from './halt.ts'
import { sortOut, type Keeping, type Ticket } from './kept-tickets.ts'
import { settle, settleTickets } from './settle.ts'
import { inTurn, type Turns } from './turns.ts'
import { putBack, type PlacedWork } from './sweep.ts'

// This is the size where no pace is set, as measured (docs/benchmarks.md). A pace takes about one full request, so that
// nothing claimed waits.
const BATCHES_A_CLAIM = 32
// Pushes that one provider's lane decides and another's sends are claimed twice.
const LEFT_MS = 10_000

/**
 * `failures` absent: what the provider does not accept is not logged. `left`: campaigns that other providers' lanes
 * decide until a moment, because a full claim had phones of these alone.
 */
export type LaneSender = Sender & Keeping & Turns & { failures?: FailureLog; left?: Map<number, number> }

/** `contended`: other workers were faster. */
export type Round = 'worked' | 'contended' | 'idle'

export async function runOnce(sender: LaneSender, lane: Lane, signal: AbortSignal): Promise<Round> {
  const { db, clock, provider, metrics, instance } = sender
  const admission = await askBreaker(sender)
  if (admission === 'wait') return 'idle'
  const full = instance.ratePerSecond > 0 ? Math.ceil(provider.maxPushes / USERS_PER_BATCH) : BATCHES_A_CLAIM
  const limit = admission === 'trial' ? 1 : full
  if (lane === 'transactional') await wakeMessages(db, fromNow(clock))
  const except = listLeft(sender)
  const { home, due } = await findDueHome(db, provider.name, { lane, limit, except }, fromNow(clock))
  if (due === 0) {
    // The provider answered the probe, but there is no batch for the trial.
    if (admission === 'trial') await applyTransition(sender, await reportHealth(sender, [{ kind: 'healthy' }]))
    return 'idle'
  }
  const estimate = lane === 'transactional' ? due : due * USERS_PER_BATCH
  const from = performance.now()
  const isTaken = await takePace(sender, lane, estimate, signal)
  metrics.push.waitedForPace({ provider: provider.name, lane }, (performance.now() - from) / 1_000)
  if (!isTaken) return 'idle'
  let sent = await sendBatches(sender, { home, lane, limit: due, except }, estimate)
  if (lane === 'campaign' && due === BATCHES_A_CLAIM) await leaveToOthers(sender, sent.foreign)
  const round = sent.batches > 0 ? 'worked' : 'contended'
  // A trial goes on until a batch brings a request: others have no device of this provider.
  if (admission === 'trial')
    while (sent.batches > 0 && sent.requests === 0 && !signal.aborted) {
      const next = await findDueHome(db, provider.name, { lane, limit: 1 }, fromNow(clock))
      sent = await sendBatches(sender, { home: next.home, lane, limit: 1 })
    }
  return round
}

/** While none of them takes pushes, their lanes decide nothing, and phones of this provider would wait with them. */
async function leaveToOthers(sender: LaneSender, foreign: readonly Claim[]): Promise<void> {
  const others = foreign.flatMap((claim) => claim.others)
  if (others.length === 0 || (await listTaking(sender, others)).size === 0) return
  const until = sender.clock.now() + LEFT_MS
  for (const messageId of foreign.flatMap((claim) => claim.messageIds)) sender.left?.set(messageId, until)
}

function listLeft({ left, clock }: LaneSender): number[] {
  for (const [messageId, until] of left ?? []) if (until <= clock.now()) left?.delete(messageId)
  return [...(left?.keys() ?? [])]
}

/** A group that fails is sent batch by batch; one that fails alone is retried (decision B4). */
export async function sendBatches(
  sender: LaneSender,
  choice: DueChoice,
  paceTaken = 0,
): Promise<{ batches: number; requests: number; foreign: Claim[] }> {
  const { home, lane } = choice
  let locked: number[] = []
  const sent: Claim[] = []
  try {
    sent.push(await sendGroup(sender, { lane, choice, paceTaken }, (workIds) => (locked = workIds)))
  } catch (error) {
    if (locked.length === 0 || isDatabaseUnavailable(error)) throw error
    sender.log.warn({ err: error, batches: locked.length }, 'a group of batches failed; each is sent alone')
    for (const workId of locked) sent.push(...(await sendAlone(sender, lane, { home, workId })))
  }
  const requests = sent.flatMap((claim) => claim.requests).length
  const foreign = requests === 0 ? sent.filter((claim) => claim.others.length > 0) : []
  return { batches: locked.length, requests, foreign }
}

async function sendAlone(sender: LaneSender, lane: Lane, work: PlacedWork): Promise<Claim[]> {
  try {
    return [await sendGroup(sender, { lane, choice: { home: work.home, workIds: [work.workId] }, paceTaken: 0 })]
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    sender.log.error({ err: error, workId: work.workId }, 'work failed')
    await putBack(sender, work, error)
    return []
  }
}

async function sendGroup(
  sender: LaneSender,
  { lane, choice, paceTaken }: { lane: Lane; choice: WorkChoice; paceTaken: number },
  onLocked?: (workIds: number[]) => void,
): Promise<Claim> {
  const { db, log, tracing, provider } = sender
  sender.isAlive?.()
  const since = Date.now()
  const claim = await inTurn(sender, lane === 'transactional', () => claimBatches(sender, choice, onLocked))
  const { due: batches, possibleDuplicates } = claim
  if (batches > 0) sender.metrics.push.claimed({ provider: provider.name, lane }, { batches, possibleDuplicates })
  // Its copies are asked for from now on: without their requests the sweep would count them as possible duplicates.
  const warn = (error: unknown) => {
    log.warn({ err: error }, 'a claim is sent although a step before its requests failed')
    return []
  }
  // A claim holds batches of many messages: it continues the trace of the oldest one and is linked to the others.
  const of = tracing.isOn ? await listTraces(db, claim.messageIds).catch(warn) : []
  const attributes = { lane, provider: provider.name, batches }
  return traced(tracing, 'send batches', { of, since, attributes }, async () => {
    const pushes = claim.requests.reduce((sum, request) => sum + request.length, 0)
    await settlePace(sender, paceTaken, pushes).catch(warn)
    await sendClaim(sender, lane, claim)
    return claim
  })
}

async function sendClaim(sender: LaneSender, lane: Lane, claim: Claim): Promise<void> {
  const health = createHealthReport(sender, claim.startedAt)
  const calls = claim.requests.map((request): Call<Answered | Ticket> => async (give) => {
    give(await call(sender, { lane, request, claim, give, health }))
  })
  const warn = (err: unknown) =>
    sender.log.warn({ err, claim: claim.number }, 'tickets could not be stored before a slow push is answered')
  await inParts(calls, async (come) => {
    const { answers, tickets } = sortOut(come)
    // The whole answer of their request tells of them once more.
    if (tickets.length > 0) await settleTickets(sender, claim, tickets).catch(warn)
    if (answers.length === 0) return
    // One request that cannot be settled must not keep the others unsettled: their pushes would be sent once more.
    const known = {}
    const settleSome = (some: Answered[]) => settle(sender, claim, some, known)
    await traced(sender.tracing, 'settle', {}, () => togetherOrAlone(sender.log, answers, settleSome))
    sender.failures?.count(answers)
  })
  await applyTransition(sender, await health.report())
  await completeMessages(sender, claim.messageIds)
}

type Requested = {
  lane: Lane
  request: ClaimedPush[]
  claim: Claim
  give: (ticket: Ticket) => void
  health: HealthReport
}

/**
 * No request begins that could not end within the lease, after the process was told to stop, while the provider is
 * halted, is away or asked for time, or with a push to a paused platform (ADR 4).
 */
async function call(sender: LaneSender, { lane, request, claim, give, health }: Requested): Promise<Answered> {
  const { provider, clock, config, lifecycle } = sender
  const beginBefore = claim.leaseUntil.getTime() - config.PUSH_TIMEOUT_SECONDS * 1_000
  const onOutcome = (place: number, outcome: PushOutcome) => {
    if (outcome.kind === 'accepted')
      give({ push: must(request[place], 'push of an outcome'), ticketId: outcome.ticketId })
  }
  // Some providers ask for each push.
  const platforms = new Set(request.map(({ platform }) => platform))
  const mayBegin = async () => {
    const { isOpen, busyUntil, paused } = await sender.gate(sender.log)
    const now = clock.now()
    return (
      isOpen &&
      platforms.isDisjointFrom(paused) &&
      busyUntil.getTime() <= now &&
      now < beginBefore &&
      !lifecycle.draining
    )
  }
  const attributes = { provider: provider.name, pushes: request.length, request_id: requireRequestId(request) }
  const ask = () =>
    traced(sender.tracing, 'submit', { kind: 'client', attributes }, async (span) => {
      const from = performance.now()
      const answer = await provider.submit(request, mayBegin, onOutcome)
      const seconds = (performance.now() - from) / 1_000
      health.add(answer.health, request.length)
      if (isNews(answer.health)) await reportAtOnce(sender, health)
      sender.metrics.push.answered({ provider: provider.name, lane }, { outcomes: answer.outcomes, seconds })
      span.set({ health: answer.health.kind, ...countOutcomes(answer) })
      return { request, ...answer }
    })
  return sender.permits.run(ask, { isUrgent: lane === 'transactional' })
}

function isNews(health: Health): boolean {
  return health.kind === 'busy' ? health.retryAfterMs > 0 : health.kind !== 'healthy'
}

/**
 * Reports a provider that fails, asks for time or refuses our configuration before the claim ends: then its other
 * requests do not begin. What could not be stored is reported at the end of the claim.
 */
async function reportAtOnce(sender: Sender, health: HealthReport): Promise<void> {
  const warn = (err: unknown) => sender.log.warn({ err }, 'a failing provider was not reported at once')
  const transition = await health.report().catch(warn)
  await sender.gate(sender.log, 'anew')
  // The sweep raises an alert that could not be raised.
  await applyTransition(sender, transition ?? undefined).catch(warn)
}
