import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { together } from '../../platform/db/transaction.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { ask, copyAt, PLACES, waits } from '../ledger/ledger.ts'
import { listRead } from '../ledger/reactions.queries.ts'
import { readTotals } from '../ledger/unread.queries.ts'
import { toPushContent } from '../messages/content.ts'
import type { Push } from '../provider/provider.ts'
import type { Gate } from '../provider/send-gate.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { readWishes } from '../checks/preferences.ts'
import { putToSleep } from '../records/messages.queries.ts'
import { endStale } from '../checks/stale.ts'
import { decide, recheck, type Known, type Ready, type SendingWay } from './decide.ts'
import { endWork } from '../ledger/end-work.ts'
import { findPeople } from './people.queries.ts'
import { carryOutDecisions, planFor, type Plan } from '../ledger/plan.ts'
import { insertRequests, type Asked } from '../ledger/requests.queries.ts'
import { lockDueWork, type DueWork, type WorkChoice } from '../ledger/work.queries.ts'

export type ClaimedPush = Asked & {
  push: Push
  userId: number
  deviceId: number
  messageId: number
  tries: number
  requestId: number
}

export type Claim = {
  /** The first request; null when nothing was claimed. */
  number: number | null
  startedAt: Date
  /** No request may begin after this, because another attempt may hold its copies by then. */
  leaseUntil: Date
  /** How much work was due. */
  due: number
  requests: ClaimedPush[][]
  /** Copies that are sent again after a request with an unknown outcome. */
  possibleDuplicates: number
  messageIds: number[]
}

type Times = { now: Date; leaseUntil: Date }
type ClaimDeps = Ground & Pick<PushDeps, 'db' | 'isStale' | 'log'> & Pick<ProviderInUse, 'provider' | 'gate'>

/**
 * Locks due work, decides whom it reaches, and stores the requests before they are made (ADR 1): holds no connection
 * afterwards. `onLocked` gets the work before a step can fail.
 */
export async function claimBatches(
  deps: ClaimDeps,
  choice: WorkChoice,
  onLocked?: (workIds: number[]) => void,
): Promise<Claim> {
  const { name: provider } = deps.provider
  const now = fromNow(deps.clock)
  const leaseUntil = fromNow(deps.clock, deps.config.PUSH_LEASE_SECONDS * 1_000)
  const { paused } = await deps.gate(deps.log)
  const { due, pushes, counts } = await inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const locked = await lockDueWork(tx, provider, choice, now)
    onLocked?.(locked.map(({ workId }) => workId))
    return { due: locked, ...(await claimIn({ ...deps, paused }, tx, locked, { now, leaseUntil })) }
  })
  const requests = [...Map.groupBy(pushes, ({ requestId }) => requestId).values()]
  return {
    number: pushes[0]?.requestId ?? null,
    startedAt: now,
    leaseUntil,
    due: due.length,
    requests,
    possibleDuplicates: counts.reduce((sum, count) => sum + (count.possible_duplicates ?? 0), 0),
    messageIds: [...new Set(due.map(({ messageId }) => messageId))],
  }
}

async function claimIn(deps: ClaimDeps & Pick<Gate, 'paused'>, tx: Tx, due: DueWork[], times: Times) {
  const plan = await planFor(
    tx,
    due.map(({ batchId }) => batchId),
    times.now,
  )
  plan.done.push(...due)
  const ready = await prepare(deps, tx, plan, { due, way: { provider: deps.provider.name, paused: deps.paused } })
  const asked = await askFor(deps, tx, plan, { ready, times })
  if (plan.later.length > 0) announceAfter(deps.queue, tx)
  const { counts, totals } = await carryOutDecisions(workIn(deps, tx), plan, due[0]?.workId ?? 0)
  await sleepUntilDue(tx, plan)
  return { counts, pushes: toPushes(plan, asked, await totalsFor(tx, asked, totals)) }
}

/** Ends what is over, puts off what is early, and decides and checks again what is left. */
export async function prepare(
  deps: Pick<PushDeps, 'isStale'>,
  tx: Tx,
  plan: Plan,
  { due, way }: { due: DueWork[]; way: SendingWay },
): Promise<Ready[]> {
  const open = due.flatMap((work) => withOpenPlaces(plan, work))
  const overdue = open.filter(({ expires_at }) => expires_at <= plan.now)
  await expire(tx, plan, overdue)
  const current = await endStale(
    deps,
    tx,
    plan,
    open.filter((work) => !overdue.includes(work)),
  )
  const known = await know(tx, plan, current)
  return current.flatMap((work) =>
    work.provider === null ? decide(plan, work, known, way) : recheck(plan, work, known, way),
  )
}

async function know(tx: Tx, plan: Plan, work: DueWork[]): Promise<Known> {
  const userIds = work.flatMap((one) => usersOf(plan, one))
  const entered = work
    .filter(({ provider, is_entered }) => provider === null && is_entered)
    .flatMap((one) => usersOf(plan, one).map((userId) => ({ userId, messageId: one.messageId })))
  const [personOf, wishOf, pairs] = await together(tx, (runner) =>
    Promise.all([
      findPeople(runner, userIds, plan.now),
      readWishes(runner, userIds, plan.now),
      listRead(runner, entered),
    ]),
  )
  const read = new Set(pairs.map(({ messageId, userId }) => `${messageId} ${userId}`))
  return { personOf, wishOf, hasRead: (messageId, userId) => read.has(`${messageId} ${userId}`) }
}

/** Copies of an earlier request that were answered late do not wait any more. */
function withOpenPlaces(plan: Plan, work: DueWork): DueWork[] {
  if (work.provider === null) return [work]
  const ledger = plan.ledger(work.batchId)
  const places = work.places.filter((place) => waits(ledger, place))
  return places.length > 0 ? [{ ...work, places }] : []
}

/** First copies are written too, as expired. */
export async function expire(tx: Tx, plan: Plan, overdue: DueWork[]): Promise<void> {
  const undecided = overdue.filter(({ provider }) => provider === null)
  const known = { ...(await know(tx, plan, undecided)), wishOf: () => 'now' as const }
  for (const work of overdue) {
    if (work.provider !== null) endWork(plan, work, { code: 'MessageExpired', reason: 'stopped' })
    else decide(plan, work, known, { endsWith: work.is_restored ? 'OutcomeUnknown' : 'MessageExpired' })
  }
}

function usersOf(plan: Plan, { batchId, provider, places }: DueWork): number[] {
  const ledger = plan.ledger(batchId)
  return places.map((place) =>
    provider === null ? must(ledger.userIds[place], 'user of a batch') : copyAt(ledger, place).userId,
  )
}

type AskedCopy = Ready & Asked & { requestId: number }

/** Asks for each copy, and stores requests of as many as the provider takes. */
async function askFor(
  { provider: { name, maxPushes } }: ClaimDeps,
  tx: Tx,
  plan: Plan,
  { ready, times }: { ready: Ready[]; times: Times },
): Promise<AskedCopy[]> {
  const asked = ready.map((copy) => {
    const { batchId, is_restored: mayBeDouble } = copy.work
    plan.changed.push(batchId)
    return { ...copy, batchId, round: ask(plan.ledger(batchId), copy.place, { at: plan.now, mayBeDouble }) }
  })
  const requests = Array.from({ length: Math.ceil(asked.length / maxPushes) }, (_, n) => {
    const own = asked.slice(n * maxPushes, (n + 1) * maxPushes)
    return { messageIds: [...new Set(own.map(({ work }) => work.messageId))], asked: own }
  })
  const requestIds = await insertRequests(tx, name, requests, times)
  return asked.map((copy, n) => ({
    ...copy,
    requestId: must(requestIds[Math.floor(n / maxPushes)], 'request of a copy'),
  }))
}

/** Only iPhones need a badge. `entered` has the totals that this transaction has counted. */
async function totalsFor(tx: Tx, asked: AskedCopy[], entered: Map<number, number>) {
  const userIds = asked.filter(({ phone }) => phone.platform !== 'android').map(({ userId }) => userId)
  const others = userIds.filter((userId) => !entered.has(userId))
  return new Map([...entered, ...(await readTotals(tx, [...new Set(others)]))])
}

function toPushes(plan: Plan, asked: AskedCopy[], totals: Map<number, number>): ClaimedPush[] {
  const contents = new Map<number, Pick<Push, 'content' | 'expiresAt'>>()
  return asked.map(({ work, place, userId, phone, ...own }) => {
    const { batchId, messageId } = work
    const said = contents.get(messageId) ?? contentOf(work)
    contents.set(messageId, said)
    const tries = plan.ledger(batchId).facts.tries[place] ?? 0
    const badge = phone.platform === 'android' ? undefined : totals.get(userId)
    const { token: to, platform, deviceId } = phone
    const notificationId = batchId * PLACES + place + 1
    const push = { to, platform, notificationId, ...said, ...(badge !== undefined && { badge }) }
    return { ...own, place, push, userId, deviceId, messageId, tries }
  })
}

function contentOf({ title, body, data, lane, merge_key, expires_at }: DueWork): Pick<Push, 'content' | 'expiresAt'> {
  const content = { title, text: body, ...(data && { data }) }
  return { content: toPushContent(content, lane, merge_key), expiresAt: expires_at }
}

/** Transactional messages of which nothing is due: after the work that was put off is written. */
export async function sleepUntilDue(tx: Tx, plan: Plan): Promise<void> {
  const early = plan.later.filter(({ dueAt }) => dueAt > plan.now)
  await putToSleep(tx, [...new Set(early.map(({ messageId }) => messageId))], plan.now)
}

/** All pushes of a request have its id. */
export function requestOf(request: readonly ClaimedPush[]): number {
  return must(request[0], 'push in a request').requestId
}
