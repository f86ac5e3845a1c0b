import type { Sender } from '../deps.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { together } from '../../platform/db/transaction.ts'
import type { Work } from '../../platform/work/work.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import { isLastingFault, listRegisteredSince, noteProven, removeDevices, type GoneDevice } from '../devices/devices.ts'
import { accept, isOpenIn, refuse, takesTicketIn, waits } from '../ledger/ledger.ts'
import { carryOut, inLedgersAtHome, planFor, type Plan } from '../ledger/plan.ts'
import { settleRequests, type RequestResult } from '../ledger/requests.queries.ts'
import { decideRetry } from '../ledger/retry.ts'
import { listTaking } from '../provider/breaker.ts'
import type { Verdict } from '../provider/gone-guard.ts'
import type { PlatformResult } from '../provider/platform-guard.ts'
import { isAboutOnePush, isAboutToken, type Provider, type PushOutcome } from '../provider/provider.ts'
import { listMessageStatuses } from '../records/messages.queries.ts'
import { requireRequestId, type Answered, type Claim, type ClaimedPush } from './claim.ts'
import { assessGone, haltForGoneDevices, judgePlatforms } from './halt.ts'
import {
  countLooks,
  countLost,
  keepTickets,
  logLostClaim,
  NOT_THERE_YET,
  toParts,
  type Keeping,
  type Looks,
  type LostWork,
  type Ticket,
} from './kept-tickets.ts'
import { firstReceiptAt } from './receipts.ts'
import { inTurn, type Turns } from './turns.ts'

type Settler = Sender & Keeping & Turns
/** The verdict about gone phones is kept for a repeat, because each assessment counts them. */
type Known = { verdict?: Verdict }

/** Transaction 2 of batches, all or nothing. Tickets wait for the database in memory, so that no push is doubled. */
export async function settle(sender: Settler, claim: Claim, answers: Answered[], known: Known = {}): Promise<void> {
  const { provider, settled } = sender
  const report = readGone(provider, claim, answers)
  const takes = settled?.takes()
  const looks = countLooks(sender)
  const { verdict, gone, lost } = await keepTickets(sender, claim, answers, async () => {
    const judged = (known.verdict ??= await assess(sender, claim, report))
    const toRemove = judged === 'remove' ? report.gone : []
    // No copy is moved to a provider for which it would wait.
    const others = await listTaking(sender, listOthers(answers))
    // Settling answers comes before beginning claims.
    const missing = await inTurn(sender, true, () =>
      storeAtHome({ sender, claim, answers, gone: toRemove, others, looks }),
    )
    return { verdict: judged, gone: toRemove, lost: missing }
  })
  if (lost) logLostClaim(sender, claim, lost)
  else {
    if (gone.length > 0) sender.metrics.push.devicesGone(provider.name, gone.length)
    settled?.add({ claim, answers })
  }
  // After a failover the worker stores its recent claims on the new server once more. If it did so while this claim was
  // being stored, this one was not among them.
  if (settled?.takes() !== takes) await retrySettling(sender)
  if (verdict === 'alert') await haltForGoneDevices(sender, claim.startedAt)
  await judgePlatforms(sender, toResults(provider, answers), claim.startedAt)
}

/**
 * Stores tickets of requests that are not wholly answered, so that a slow push keeps no other ticket in memory alone.
 */
export async function settleTickets(sender: Settler, claim: Claim, tickets: readonly Ticket[]): Promise<void> {
  const answers = toParts(tickets)
  const settling = { sender, claim, answers, gone: [], others: new Set<string>(), looks: countLooks(sender) }
  await keepTickets(sender, claim, answers, () => inTurn(sender, true, () => storeAtHome(settling)))
}

/** Stores tickets once more that a new server lost in a failover, and counts claims that it lost. */
export async function retrySettling(sender: Sender & Keeping): Promise<void> {
  for (const { claim, answers } of sender.settled?.take() ?? []) {
    const settling = { sender, claim, answers, gone: [], others: new Set<string>(), looks: countLooks(sender) }
    const storing = keepTickets(sender, claim, answers, () => storeAtHome(settling))
    // They are taken out of memory first, so one that fails keeps no other from being stored.
    const lost = await storing.catch((error: unknown) => {
      sender.log.error({ err: error, claim: claim.number }, 'a settled claim could not be stored once more')
    })
    if (lost) logLostClaim(sender, claim, lost)
  }
}

type Settling = { sender: Sender; claim: Claim; answers: Answered[]; looks: Looks } & {
  gone: GoneDevice[]
  others: ReadonlySet<string>
  statuses?: Map<number, MessageStatus> | undefined
}

/** Providers of the other addresses of phones of whose pushes nothing is known. */
function listOthers(answers: readonly Answered[]): Set<string> {
  const others = answers.flatMap(({ request, outcomes }) =>
    request.flatMap(({ other }, n) => (other !== undefined && outcomes[n]?.kind === 'unknown' ? [other] : [])),
  )
  return new Set(others)
}

async function storeAtHome(settling: Settling): Promise<LostWork | undefined> {
  const { sender, claim, answers, gone } = settling
  const { name: provider, needsProven } = sender.provider
  const devices = needsProven ? answers.flatMap(listProven) : []
  // Locks devices before batches, as registering a device does.
  const first = async (work: Work) => {
    await removeDevices(work, { provider, gone })
    await noteProven(work, { provider, devices })
  }
  // The coordinator is asked before, so that a transaction of a home waits for none of its connections.
  const statuses = countHomes(sender.db) > 1 ? await listMessageStatuses(sender.db, claim.messageIds) : undefined
  return inLedgersAtHome(sender, {
    home: claim.home,
    isApart: claim.isOfCampaigns,
    first: gone.length + devices.length > 0 ? first : undefined,
    change: (work) => store(work, { ...settling, statuses }),
  })
}

/** Returns what the database lost of their claim, if anything. */
async function store(work: Work, settling: Settling): Promise<LostWork | undefined> {
  const { sender, claim, answers, others, looks } = settling
  const { tx } = work
  const now = work.now()
  const results = answers.map((answer) => toRequestResult(sender, answer, now))
  const pushes = answers.flatMap(({ request }) => request)
  const [statuses, found, plan] = await together(tx, (runner) =>
    Promise.all([
      settling.statuses ?? listMessageStatuses(runner, claim.messageIds),
      settleRequests(runner, claim, results, now),
      planFor(runner, claim.home, pushes, now),
    ]),
  )
  const isFound = ({ request }: Answered) => found.has(requireRequestId(request))
  const lost = answers.filter((answer) => !answer.isPart && !isFound(answer))
  if (lost.length > 0 && looks.left-- > 0) throw NOT_THERE_YET
  for (const answer of answers.filter(isFound)) storeAnswer({ ...sender, others }, plan, answer, statuses)
  await carryOut(tx, plan)
  return lost.length > 0 ? countLost(work, { claim, lost, statuses }) : undefined
}

/**
 * Writes what the provider answered into the ledger, each copy by itself; what may be tried again waits. A copy of
 * which nothing is known leaves by the other way of its phone: both name the same banner (B6).
 */
function storeAnswer(
  { provider, config, others }: Sender & Pick<Settling, 'others'>,
  plan: Plan,
  { request, outcomes, wasSent, health }: Answered,
  statuses: ReadonlyMap<number, MessageStatus>,
): void {
  const retries: { push: ClaimedPush; by: string; dueAt: Date }[] = []
  for (const [n, push] of request.entries()) {
    const outcome = outcomes[n]
    const ledger = plan.ledger(push.batchId)
    const isHeardIn = outcome?.kind === 'accepted' ? takesTicketIn : isOpenIn
    if (outcome === undefined || !isHeardIn(ledger, push.place, push.round)) continue
    plan.changed.add(push.batchId)
    if (outcome.kind === 'accepted') {
      accept(ledger, push.place, outcome.ticketId, {
        at: plan.now,
        isDelivered: provider.deliveryKnown === 'at once',
      })
      continue
    }
    const hasWork = waits(ledger, push.place)
    const retry = decideRetry(config, push, { outcome, health, status: statuses.get(push.messageId) })
    refuse(ledger, push.place, { ...retry, isUnsent: wasSent[n] === false }, plan.now)
    // The sweep has made work for the copy already where the answer comes late.
    const other = outcome.kind === 'unknown' ? push.other : undefined
    const by = other !== undefined && others.has(other) ? other : provider.name
    if (!retry.isFinal && !hasWork) retries.push({ push, by, dueAt: new Date(plan.now.getTime() + retry.delayMs) })
  }
  const toKey = ({ push, by, dueAt }: (typeof retries)[number]) => `${push.batchId} ${by} ${dueAt.getTime()}`
  for (const waiting of Map.groupBy(retries, toKey).values()) {
    const [{ push, by, dueAt }] = waiting as [(typeof waiting)[number]]
    const { batchId, messageId } = push
    const places = waiting.map((one) => one.push.place)
    plan.later.push({ batchId, messageId, provider: by, places, dueAt })
  }
}

function toRequestResult({ provider, config }: Sender, answer: Answered, now: Date): RequestResult {
  const { request, outcomes, isPart } = answer
  if (isPart) return { requestId: requireRequestId(request), outcome: null, code: null, nextReceiptAt: null }
  const accepted = outcomes.some((outcome) => outcome.kind === 'accepted')
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown')
  const refused = outcomes.find((outcome) => outcome.kind === 'refused')
  return {
    requestId: requireRequestId(request),
    outcome: accepted ? 'accepted' : unknown ? 'unknown' : 'refused',
    code: unknown?.code ?? refused?.code ?? null,
    nextReceiptAt:
      accepted && provider.deliveryKnown === 'by receipt' ? firstReceiptAt(now, config.RECEIPT_DELAY_SECONDS) : null,
  }
}

/** The devices whose token was accepted for the first time, or is refused now. */
function listProven({ request, outcomes }: Answered): { deviceId: number; isProven: boolean }[] {
  return request.flatMap(({ deviceId, isProven: wasProven }, index) => {
    const outcome = outcomes[index]
    const isProven = outcome?.kind === 'accepted' || (wasProven && !isRefusedToken(outcome))
    return isProven === wasProven ? [] : [{ deviceId, isProven }]
  })
}

function isRefusedToken(outcome: PushOutcome | undefined): boolean {
  return outcome?.kind === 'refused' && isAboutToken(outcome.code)
}

/** A device that registered since it was gone is not removed, so it does not count either. */
async function assess(sender: Sender, { startedAt }: Claim, { results, gone }: Report): Promise<Verdict> {
  const missing = gone.filter(({ reason }) => reason === 'DeviceNotRegistered')
  const later = await listRegisteredSince(sender.db, missing)
  const counted = missing.filter(({ deviceId }) => !later.has(deviceId))
  return assessGone(sender, { results: results + counted.length, gone: counted, leftAt: startedAt })
}

/** `results`: the accepted. */
type Report = { results: number; gone: (GoneDevice & { isUnproven: boolean })[] }

/** The accepted, and the devices that tickets report gone. */
function readGone(provider: Provider, { startedAt }: Claim, answers: Answered[]): Report {
  let results = 0
  const gone = answers.flatMap(({ request, outcomes }) =>
    request.flatMap((push, index) => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') results++
      if (outcome?.kind !== 'refused' || !isLastingFault(outcome.code, provider)) return []
      const { goneSince: since } = outcome
      const isUnproven = provider.needsProven === true && !push.isProven
      return [{ deviceId: push.deviceId, isUnproven, sentAt: startedAt, since, reason: outcome.code }]
    }),
  )
  return { results, gone }
}

/** What the provider said of pushes one by one. A token that is gone was of our app, but says no more of it. */
function toResults({ needsProven }: Provider, answers: Answered[]): PlatformResult[] {
  return answers.flatMap(({ request, outcomes }) =>
    request.flatMap(({ platform, isProven, userId }, index): PlatformResult[] => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'accepted') return [{ platform, userId }]
      if (outcome?.kind !== 'refused' || !isAboutOnePush(outcome.code)) return []
      if (needsProven && outcome.code === 'DeviceNotRegistered') return []
      return [{ platform, userId, code: outcome.code, isUnproven: needsProven === true && !isProven }]
    }),
  )
}
