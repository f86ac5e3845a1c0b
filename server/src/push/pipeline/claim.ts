import type { Sender } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { togetherWithPeople } from '../../platform/db/transaction.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { ask, copyAt, PLACES, waits } from '../ledger/ledger.ts'
import { listRead } from '../ledger/reactions.queries.ts'
import { readTotals } from '../ledger/badge-counts.queries.ts'
import { toPushContent } from '../messages/content.ts'
import type { Provider, Push, SubmitAnswer } from '../provider/provider.ts'
import { endStale, readWishes } from '../checks/checks.ts'
import type { IsStale } from '../checks/checks.queries.ts'
import { decide, recheck, type Known, type Ready, type SendingWay } from './decide.ts'
import { findPeople, type Phone } from './reachable-phones.queries.ts'
import { carryOutDecisions, endWork, inLedgersAtHome, planFor, type Plan } from '../ledger/plan.ts'
import { insertRequests, type RequestedCopy } from '../ledger/requests.queries.ts'
import { lockDueWork, type WorkChoice } from '../ledger/due-work.queries.ts'
import type { DueWork } from '../ledger/work.queries.ts'

export type ClaimedPush = RequestedCopy & {
  push: Push
  userId: number
  deviceId: number
  messageId: number
  tries: number
  requestId: number
  /** The provider of the phone's other address. */
  other?: string | undefined
}

/** `isPart`: these are only the tickets so far; the whole answer has them once more. */
export type Answered = SubmitAnswer & { request: ClaimedPush[]; isPart?: true }

export type Claim = {
  home: number
  isOfCampaigns: boolean
  /** The first request; null when nothing was claimed. */
  number: number | null
  startedAt: Date
  /** No request may begin after this, because another attempt may hold its copies then. */
  leaseUntil: Date
  due: number
  requests: ClaimedPush[][]
  /** Some of its copies are left to other providers. */
  isForOthers: boolean
  /** Copies that are sent again after a request with an unknown outcome. */
  possibleDuplicates: number
  messageIds: number[]
}

/**
 * Locks due work, decides whom it reaches, and stores the requests before they are made (ADR 1): holds no connection
 * afterwards. `onLocked` gets the work before a step can fail.
 */
export async function claimBatches(
  sender: Sender,
  choice: WorkChoice,
  onLocked?: (workIds: number[]) => void,
): Promise<Claim> {
  const { provider, isStale, config } = sender
  const { home } = choice
  const { paused } = await sender.gate(sender.log)
  const isOfCampaigns = 'lane' in choice && choice.lane === 'campaign'
  const change = async (work: Work): Promise<Claim> => {
    const due = await lockDueWork(work.tx, provider.name, choice, work.now())
    onLocked?.(due.map(({ workId }) => workId))
    const { plan, ready } = await decideDue(work, home, due, { way: { provider: provider.name, paused }, isStale })
    const leaseUntil = new Date(plan.now.getTime() + config.PUSH_LEASE_SECONDS * 1_000)
    const requested = await askFor(work.tx, plan, { ready, provider, leaseUntil })
    if (plan.later.length > 0) work.announce()
    const { counts, totals } = await carryOutDecisions(work, plan)
    const pushes = toPushes(plan, requested, await totalsFor(work.tx, home, requested, totals))
    return {
      home,
      isOfCampaigns,
      number: pushes[0]?.requestId ?? null,
      startedAt: plan.now,
      leaseUntil,
      due: due.length,
      requests: [...Map.groupBy(pushes, ({ requestId }) => requestId).values()],
      isForOthers: plan.later.some((later) => later.provider !== null && later.provider !== provider.name),
      possibleDuplicates: counts.reduce((sum, count) => sum + (count.possible_duplicates ?? 0), 0),
      messageIds: [...new Set(due.map(({ messageId }) => messageId))],
    }
  }
  return inLedgersAtHome(sender, { home, isApart: isOfCampaigns, readsPeople: true, change })
}

/** Ends what is over, puts off what is early, and decides and checks again what is left. */
export async function decideDue(
  { tx, now }: Work,
  home: number,
  due: DueWork[],
  { way, isStale }: { way: SendingWay; isStale: IsStale },
): Promise<{ plan: Plan; ready: Ready[] }> {
  const plan = await planFor(tx, home, due, now())
  plan.done.push(...due)
  const open = due.flatMap((work) => withOpenPlaces(plan, work))
  const overdue = open.filter(({ expires_at }) => expires_at <= plan.now)
  await expire(tx, plan, overdue)
  const waiting = open.filter((work) => !overdue.includes(work))
  const current = await endStale(tx, plan, waiting, isStale)
  const known = await know(tx, plan, current)
  const ready = current.flatMap((work) =>
    work.provider === null ? decide(plan, work, known, way) : recheck(plan, work, known, way),
  )
  return { plan, ready }
}

async function know(tx: Tx, plan: Plan, work: DueWork[]): Promise<Known> {
  const userIds = work.flatMap((one) => listUsers(plan, one))
  const entered = work
    .filter(({ provider, is_entered }) => provider !== null || is_entered)
    .flatMap((one) => listUsers(plan, one).map((userId) => ({ userId, messageId: one.messageId })))
  const [findPerson, findWish, pairs] = await togetherWithPeople(tx, (runner, people) =>
    Promise.all([
      findPeople(people, userIds, plan.now),
      readWishes(people, userIds, plan.now),
      listRead(runner, plan.home, entered),
    ]),
  )
  const read = new Set(pairs.map(({ messageId, userId }) => `${messageId} ${userId}`))
  return { findPerson, findWish, hasRead: (messageId, userId) => read.has(`${messageId} ${userId}`) }
}

/** Copies of an earlier request that were answered late do not wait any more. */
function withOpenPlaces(plan: Plan, work: DueWork): DueWork[] {
  if (work.provider === null) return [work]
  const ledger = plan.ledger(work.batchId)
  const places = work.places.filter((place) => waits(ledger, place))
  return places.length > 0 ? [{ ...work, places }] : []
}

/** Who was not decided yet gets copies too, which end as expired, so that the report tells of everybody. */
export async function expire(tx: Tx, plan: Plan, overdue: DueWork[]): Promise<void> {
  const undecided = overdue.filter(({ provider }) => provider === null)
  const known = { ...(await know(tx, plan, undecided)), findWish: () => 'now' as const }
  for (const work of overdue) {
    if (work.provider !== null) endWork(plan, work, { code: 'MessageExpired', reason: 'stopped' })
    else decide(plan, work, known, { endsWith: work.is_restored ? 'OutcomeUnknown' : 'MessageExpired' })
  }
}

function listUsers(plan: Plan, { batchId, provider, places }: DueWork): number[] {
  const ledger = plan.ledger(batchId)
  return places.map((place) =>
    provider === null ? must(ledger.userIds[place], 'user of a batch') : copyAt(ledger, place).userId,
  )
}

type ReadyCopy = Ready & RequestedCopy & { requestId: number }

/** Asks for each copy, and stores requests of as many as the provider takes. */
async function askFor(
  tx: Tx,
  plan: Plan,
  { ready, provider: { name, maxPushes }, leaseUntil }: { ready: Ready[]; provider: Provider; leaseUntil: Date },
): Promise<ReadyCopy[]> {
  const requested = ready.map((copy) => {
    const { batchId, is_restored: mayBeDouble } = copy.work
    plan.changed.push(batchId)
    const how = { at: plan.now, mayBeDouble, way: copy.phone }
    return { ...copy, batchId, round: ask(plan.ledger(batchId), copy.place, how) }
  })
  const requests = Array.from({ length: Math.ceil(requested.length / maxPushes) }, (_, n) => {
    const own = requested.slice(n * maxPushes, (n + 1) * maxPushes)
    return { messageIds: [...new Set(own.map(({ work }) => work.messageId))], copies: own }
  })
  const requestIds = await insertRequests(tx, { home: plan.home, provider: name }, requests, {
    now: plan.now,
    leaseUntil,
  })
  return requested.map((copy, n) => ({
    ...copy,
    requestId: must(requestIds[Math.floor(n / maxPushes)], 'request of a copy'),
  }))
}

/** `entered` has the totals that this transaction has counted. */
async function totalsFor(tx: Tx, home: number, requested: ReadyCopy[], entered: Map<number, number>) {
  const userIds = requested.filter(({ phone }) => hasIcon(phone)).map(({ userId }) => userId)
  const others = userIds.filter((userId) => !entered.has(userId))
  return new Map([...entered, ...(await readTotals(tx, home, [...new Set(others)]))])
}

/** Only iPhones need a badge, and a phone that names no platform may be one. */
function hasIcon({ platform }: Phone): boolean {
  return platform === 'ios' || platform === 'unknown'
}

function toPushes(plan: Plan, requested: ReadyCopy[], totals: Map<number, number>): ClaimedPush[] {
  const contents = new Map<number, Pick<Push, 'content' | 'expiresAt'>>()
  return requested.map(({ work, place, userId, phone, ...own }) => {
    const { batchId, messageId } = work
    const written = contents.get(messageId) ?? toContent(work)
    contents.set(messageId, written)
    const tries = plan.ledger(batchId).facts.tries[place] ?? 0
    const badge = hasIcon(phone) ? totals.get(userId) : undefined
    const { token: to, platform, deviceId, isProven } = phone
    const notificationId = batchId * PLACES + place + 1
    const push = { to, platform, notificationId, isProven, ...written, ...(badge !== undefined && { badge }) }
    return { ...own, place, push, userId, deviceId, messageId, tries, other: phone.other?.provider }
  })
}

function toContent({ title, body, data, lane, merge_key, expires_at }: DueWork): Pick<Push, 'content' | 'expiresAt'> {
  const content = { title, text: body, ...(data && { data }) }
  return { content: toPushContent(content, lane, merge_key), expiresAt: expires_at }
}

/** All pushes of a request have its id. */
export function requireRequestId(request: readonly ClaimedPush[]): number {
  return must(request[0], 'push in a request').requestId
}
