import type { Sender } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { togetherWithPeople } from '../../platform/db/transaction.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { ask, copyAt, PLACES, waits } from '../ledger/ledger.ts'
import { listRead } from '../ledger/reactions.queries.ts'
import { readTotals } from '../ledger/badge-counts.queries.ts'
import { toPushContent } from '../messages/content.ts'
import type { Provider, Push, PushContent, SubmitAnswer } from '../provider/provider.ts'
import { endStale, readWishes } from '../checks/checks.ts'
import type { IsStale } from '../checks/checks.queries.ts'
import { decide, recheck, type Known, type Ready, type SendingWay } from './decide.ts'
import { findPeople, type Phone } from './reachable-phones.queries.ts'
import { carryOutDecisions, endWork, inLedgersAtHome, planFor, type Plan } from '../ledger/plan.ts'
import { insertRequests, type RequestedCopy } from '../ledger/requests.queries.ts'
import { lockDueWork, type WorkChoice } from '../ledger/due-work.queries.ts'
import type { DueWork } from '../ledger/work.queries.ts'

export type ClaimedPush = Push &
  RequestedCopy & {
    userId: number
    deviceId: number
    messageId: number
    tries: number
    requestId: number
    /** The provider of the phone's other address. */
    other: string | undefined
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
  /** The other providers to which some of its copies are left. */
  others: string[]
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
    const asked = await askFor(work.tx, plan, { ready, provider, leaseUntil })
    if (plan.later.length > 0) work.announce()
    const { counts, totals } = await carryOutDecisions(work, plan)
    const requests = toRequests(plan, asked, await findTotals(work.tx, home, ready, totals))
    return {
      home,
      isOfCampaigns,
      number: asked[0]?.requestId ?? null,
      startedAt: plan.now,
      leaseUntil,
      due: due.length,
      requests,
      others: listOthers(plan, provider.name),
      possibleDuplicates: counts.reduce((sum, count) => sum + (count.possible_duplicates ?? 0), 0),
      messageIds: [...new Set(due.map(({ messageId }) => messageId))],
    }
  }
  return inLedgersAtHome(sender, { home, isApart: isOfCampaigns, readsPeople: true, change })
}

function listOthers({ later }: Plan, name: string): string[] {
  const providers = later.flatMap(({ provider }) => (provider === null || provider === name ? [] : [provider]))
  return [...new Set(providers)]
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

type Asked = { requestId: number; ready: Ready[]; copies: RequestedCopy[] }

/** Asks for each copy, and stores requests of as many as the provider takes. */
async function askFor(
  tx: Tx,
  plan: Plan,
  { ready, provider: { name, maxPushes }, leaseUntil }: { ready: Ready[]; provider: Provider; leaseUntil: Date },
): Promise<Asked[]> {
  const requests = Array.from({ length: Math.ceil(ready.length / maxPushes) }, (_, n) => {
    const own = ready.slice(n * maxPushes, (n + 1) * maxPushes)
    const messageIds = [...new Set(own.map(({ work }) => work.messageId))]
    return { ready: own, messageIds, copies: own.map((copy) => askForCopy(plan, copy)) }
  })
  const requestIds = await insertRequests(tx, { home: plan.home, provider: name }, requests, {
    now: plan.now,
    leaseUntil,
  })
  return requests.map((request, n) => ({ ...request, requestId: must(requestIds[n], 'id of a request') }))
}

function askForCopy(plan: Plan, { work, place, phone }: Ready): RequestedCopy {
  const { batchId, is_restored: mayBeDouble } = work
  plan.changed.add(batchId)
  return { batchId, place, round: ask(plan.ledger(batchId), place, { at: plan.now, mayBeDouble, way: phone }) }
}

type FindTotal = (userId: number) => number | undefined

/** `entered` has the totals that this transaction has counted. */
async function findTotals(tx: Tx, home: number, ready: Ready[], entered: Map<number, number>): Promise<FindTotal> {
  const userIds = ready.filter(({ phone }) => hasIcon(phone)).map(({ userId }) => userId)
  const others = userIds.filter((userId) => !entered.has(userId))
  const read = await readTotals(tx, home, [...new Set(others)])
  return (userId) => entered.get(userId) ?? read.get(userId)
}

/** Only iPhones need a badge, and a phone that names no platform may be one. */
function hasIcon({ platform }: Phone): boolean {
  return platform === 'ios' || platform === 'unknown'
}

function toRequests(plan: Plan, asked: Asked[], findTotal: FindTotal): ClaimedPush[][] {
  const contents = new Map<number, PushContent>()
  const toPush = ({ work, userId, phone }: Ready, { batchId, place, round }: RequestedCopy, requestId: number) => {
    const { messageId, expires_at: expiresAt } = work
    const content = contents.get(messageId) ?? toContent(work)
    contents.set(messageId, content)
    return {
      to: phone.token,
      platform: phone.platform,
      isProven: phone.isProven,
      notificationId: batchId * PLACES + place + 1,
      content,
      expiresAt,
      badge: hasIcon(phone) ? findTotal(userId) : undefined,
      batchId,
      place,
      round,
      userId,
      deviceId: phone.deviceId,
      messageId,
      tries: plan.ledger(batchId).facts.tries[place] ?? 0,
      requestId,
      other: phone.other?.provider,
    }
  }
  return asked.map(({ requestId, ready, copies }) =>
    ready.map((one, n) => toPush(one, must(copies[n], 'copy of a request'), requestId)),
  )
}

function toContent({ title, body, data, lane, merge_key }: DueWork): PushContent {
  return toPushContent({ title, text: body, ...(data && { data }) }, lane, merge_key)
}

/** All pushes of a request have its id. */
export function requireRequestId(request: readonly ClaimedPush[]): number {
  return must(request[0], 'push in a request').requestId
}
