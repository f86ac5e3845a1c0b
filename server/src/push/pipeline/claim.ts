import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { Ground } from '../../platform/work/work.ts'
import { markBadges, totalsOf } from '../badges/badges.ts'
import { ask, copyAt, PLACES, waits } from '../ledger/ledger.ts'
import { toPushContent } from '../messages/content.ts'
import type { Push } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { applyPreferences, sleepUntilDue } from '../checks/preferences.ts'
import { endStale } from '../checks/stale.ts'
import { decide } from './decide.ts'
import { endWork } from '../ledger/end-work.ts'
import { findPeople, type Person, type Phone } from './people.queries.ts'
import { carryOut, planFor, type Plan } from '../ledger/plan.ts'
import { insertRequests, nextRequestIds, type Asked } from '../ledger/requests.queries.ts'
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

/** A copy that may leave now. */
export type Ready = { work: DueWork; place: number; phone: Phone }

type ClaimDeps = Ground & Pick<Deps, 'db' | 'isStale'> & Pick<ProviderInUse, 'provider'>

/**
 * Locks due work, decides whom it reaches, and stores the requests before they are made (ADR 001): holds no connection
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
  return inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const due = await lockDueWork(tx, provider, choice, now)
    onLocked?.(due.map(({ workId }) => workId))
    const plan = await planFor(
      tx,
      due.map(({ batchId }) => batchId),
      now,
    )
    plan.done.push(...due)
    const ready = await prepare(deps, tx, plan, due)
    const requests = await toRequests(deps, tx, plan, ready)
    await insertRequests(
      tx,
      provider,
      requests.map((request) => ({
        requestId: requestOf(request),
        messageIds: [...new Set(request.map(({ messageId }) => messageId))],
        asked: request,
      })),
      { now, leaseUntil },
    )
    if (plan.later.length > 0) announceAfter(deps.queue, tx)
    await markBadges(
      { tx, announce: () => announceAfter(deps.queue, tx) },
      plan.entries.map(({ userId }) => userId),
      { isUrgent: due.some(({ lane }) => lane === 'transactional') },
    )
    const counts = await carryOut(tx, plan, due[0]?.workId ?? 0)
    await sleepUntilDue(tx, plan)
    return {
      number: requests[0] ? requestOf(requests[0]) : null,
      startedAt: now,
      leaseUntil,
      due: due.length,
      requests,
      possibleDuplicates: counts.reduce((sum, count) => sum + (count.possible_duplicates ?? 0), 0),
      messageIds: [...new Set(due.map(({ messageId }) => messageId))],
    }
  })
}

/** Ends what is over, puts off what is early, and decides and checks again what is left. */
async function prepare(deps: ClaimDeps, tx: Tx, plan: Plan, due: DueWork[]): Promise<Ready[]> {
  const open = due.flatMap((work) => withOpenPlaces(plan, work))
  const overdue = open.filter(({ expires_at }) => expires_at <= plan.now)
  await expire(tx, plan, overdue)
  const current = await endStale(
    deps,
    tx,
    plan,
    open.filter((work) => !overdue.includes(work)),
  )
  const rest = await applyPreferences(tx, plan, current)
  const personOf = await findPeople(
    tx,
    rest.flatMap((work) => usersOf(plan, work)),
    plan.now,
  )
  const { name: provider } = deps.provider
  return rest.flatMap((work) =>
    work.provider === null ? decide(plan, work, { personOf, provider }) : recheck(plan, work, personOf),
  )
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
  const personOf = await findPeople(
    tx,
    overdue.filter(({ provider }) => provider === null).flatMap((work) => usersOf(plan, work)),
    plan.now,
  )
  for (const work of overdue) {
    const code = work.is_restored ? 'OutcomeUnknown' : 'MessageExpired'
    if (work.provider !== null) endWork(plan, work, { code: 'MessageExpired', reason: 'stopped' })
    else decide(plan, work, { personOf, provider: undefined, endsWith: code })
  }
}

/** Owner, session and preference are checked again (B10, B27). */
function recheck(plan: Plan, work: DueWork, personOf: (userId: number) => Person): Ready[] {
  const ledger = plan.ledger(work.batchId)
  return work.places.flatMap((place): Ready[] => {
    const { userId, deviceId } = copyAt(ledger, place)
    const person = personOf(userId)
    const phone = person.phones.find((own) => own.deviceId === deviceId)
    const isWanted = person.barred === null && (person.isOptedIn || !work.needs_opt_in)
    if (phone !== undefined && isWanted) return [{ work, place, phone }]
    endWork(
      plan,
      { ...work, places: [place] },
      { code: phone ? 'RecipientUnavailable' : 'DeviceMoved', reason: 'stopped' },
    )
    return []
  })
}

function usersOf(plan: Plan, { batchId, provider, places }: DueWork): number[] {
  const ledger = plan.ledger(batchId)
  return places.map((place) =>
    provider === null ? must(ledger.userIds[place], 'user of a batch') : copyAt(ledger, place).userId,
  )
}

/** Packs the copies into requests of as many as the provider takes. */
async function toRequests(deps: ClaimDeps, tx: Tx, plan: Plan, ready: Ready[]): Promise<ClaimedPush[][]> {
  const { maxPushes } = deps.provider
  const requestIds = await nextRequestIds(tx, Math.ceil(ready.length / maxPushes))
  const badged = ready.filter(({ phone }) => phone.platform !== 'android')
  const totals = await totalsWith(tx, plan, badged)
  const contents = new Map<number, Pick<Push, 'content' | 'expiresAt'>>()
  const pushes = ready.map(({ work, place, phone }, n): ClaimedPush => {
    const said = contents.get(work.messageId) ?? contentOf(work)
    contents.set(work.messageId, said)
    const ledger = plan.ledger(work.batchId)
    const { batchId, messageId } = work
    const round = ask(ledger, place, { at: plan.now, mayBeDouble: work.is_restored })
    plan.changed.push(batchId)
    const { userId, deviceId, tries } = copyAt(ledger, place)
    const badge = phone.platform === 'android' ? undefined : totals.get(userId)
    const push = {
      to: phone.token,
      platform: phone.platform,
      notificationId: batchId * PLACES + place + 1,
      ...said,
      ...(badge !== undefined && { badge }),
    }
    const requestId = must(requestIds[Math.floor(n / maxPushes)], 'request of a copy')
    return { batchId, place, round, push, userId, deviceId, messageId, tries, requestId }
  })
  return [...Map.groupBy(pushes, ({ requestId }) => requestId).values()]
}

/** A badge counts the entries that this transaction is about to write. */
async function totalsWith(tx: Tx, plan: Plan, badged: Ready[]): Promise<Map<number, number>> {
  const userIds = badged.map(({ work, place }) => copyAt(plan.ledger(work.batchId), place).userId)
  const totals = await totalsOf(tx, [...new Set(userIds)])
  for (const { userId } of plan.entries) if (totals.has(userId)) totals.set(userId, (totals.get(userId) ?? 0) + 1)
  return totals
}

function contentOf({ title, body, data, lane, merge_key, expires_at }: DueWork): Pick<Push, 'content' | 'expiresAt'> {
  const content = { title, text: body, ...(data && { data }) }
  return { content: toPushContent(content, lane, merge_key), expiresAt: expires_at }
}

/** All pushes of a request have its id. */
export function requestOf(request: readonly ClaimedPush[]): number {
  return must(request[0], 'push in a request').requestId
}
