import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import type { Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import { inWork, type Ground, type Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../history/history.ts'
import {
  expireEnded,
  findOwnSubscription,
  findPlanId,
  insertEvent,
  insertSubscription,
  lockSubscription,
  updateSubscription,
  type OwnSubscription,
  type Subscription,
} from './subscriptions.queries.ts'
import { findAccountRole } from '../../identity/accounts/accounts.ts'

/** Where a subscription may go (decision D). A cancelled one runs to the end of its period. */
export const SUBSCRIPTION_MOVES: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  trialing: ['active', 'past_due', 'cancelled', 'expired'],
  active: ['past_due', 'cancelled', 'expired'],
  past_due: ['active', 'cancelled', 'expired'],
  cancelled: ['active', 'expired'],
  expired: [],
}

/** The present or the last one. */
export async function ownSubscription(db: Db, userId: number): Promise<OwnSubscription | null> {
  return (await findOwnSubscription(db, userId)) ?? null
}

export type StoreEvent = {
  provider: Store
  eventId: string
  externalId: string
  status: SubscriptionStatus
  currentPeriodEnd: Date
  at: Date
}

// The stores try to collect a payment for this long.
const GRACE_MS = 16 * 24 * 3_600_000
const SUBSCRIPTIONS_A_ROUND = 500

export type Start = Pick<StoreEvent, 'provider' | 'externalId' | 'currentPeriodEnd'> & {
  userId: number
  planCode: string
  status: 'trialing' | 'active'
  /** When it began; absent: now. */
  at?: Date
}

/** The same store's name again gives the one that is there. 404 on an unknown plan; 409 CONFLICT when the user has
 * another that runs. */
export async function startSubscription(work: Work, start: Start): Promise<Subscription> {
  const { userId, provider, externalId, status, currentPeriodEnd } = start
  const planId = existing(await findPlanId(work.tx, start.planCode), 'This plan')
  const now = work.now()
  const { at = now } = start
  const stored = await insertSubscription(work.tx, {
    user_id: userId,
    plan_id: planId,
    status,
    provider,
    external_id: externalId,
    current_period_end: currentPeriodEnd,
    started_at: at,
    store_event_at: at,
    created_at: now,
    updated_at: now,
  })
  if (stored !== undefined) {
    await recordStateChanges(work, [{ ...toMove(stored, null, status), actor: 'user', actor_id: userId }])
    return stored
  }
  const same = await lockSubscription(work.tx, provider, externalId)
  if (same?.user_id === userId) return same
  throw errors.conflict('The user already has an active subscription.')
}

/** Applies an event once (decision D). A late event changes no status, and none shortens the period. 404 on an
 * unknown subscription; 409 INVALID_STATE when it cannot go there. */
export async function applyStoreEvent(work: Work, event: StoreEvent): Promise<Subscription> {
  const { tx } = work
  const { provider, eventId: event_id, at } = event
  const subscription = existing(await lockSubscription(tx, provider, event.externalId), 'This subscription')
  const { subscription_id, status: from } = subscription
  const now = work.now()
  if (!(await insertEvent(tx, { provider, event_id, subscription_id, received_at: now }))) return subscription
  const isLate = subscription.store_event_at !== null && at < subscription.store_event_at
  const to = isLate ? from : event.status
  if (to !== from && !SUBSCRIPTION_MOVES[from].includes(to))
    throw errors.invalidState(`The subscription is ${from} and cannot become ${to}.`)
  const periodEnd = Math.max(subscription.current_period_end.getTime(), event.currentPeriodEnd.getTime())
  const changed = await updateSubscription(tx, subscription_id, {
    status: to,
    current_period_end: new Date(periodEnd),
    ...(!isLate && {
      cancelled_at: cancelledAt(subscription, event),
      ended_at: to === 'expired' ? (subscription.ended_at ?? at) : null,
      store_event_at: at,
    }),
    updated_at: now,
  })
  if (to !== from) await recordStateChanges(work, [{ ...toMove(changed, from, to), actor: 'system' }])
  return changed
}

function cancelledAt({ cancelled_at }: Subscription, { status, at }: StoreEvent): Date | null {
  if (status === 'expired') return cancelled_at
  return status === 'cancelled' ? (cancelled_at ?? at) : null
}

/** Expires cancelled subscriptions and trials with their period, unpaid ones 16 days after it. Safe to run twice at
 * once. */
export async function expireSubscriptions(ground: Ground & { db: Db }): Promise<void> {
  while ((await inWork(ground, THE_SERVICE, expireRound)) === SUBSCRIPTIONS_A_ROUND);
}

async function expireRound(work: Work): Promise<number> {
  const times = { now: work.now(), graceEnd: work.now(-GRACE_MS) }
  const ended = await expireEnded(work.tx, { ...times, limit: SUBSCRIPTIONS_A_ROUND })
  const changes = ended.map((one) => ({ ...toMove(one, one.status, 'expired'), actor: 'system' as const }))
  await recordStateChanges(work, changes)
  return ended.length
}

type Owned = Pick<Subscription, 'subscription_id' | 'user_id'>

function toMove({ subscription_id, user_id }: Owned, from: SubscriptionStatus | null, to: SubscriptionStatus) {
  return { entity: 'subscription', entity_id: subscription_id, user_id, from_state: from, to_state: to } as const
}

const AHEAD_MS = 5 * 60_000

/** Times are ISO 8601 text. `userId` and `plan` begin a subscription. */
type GivenEvent = Omit<StoreEvent, 'currentPeriodEnd' | 'at'> & {
  occurredAt: string
  currentPeriodEnd: string
  userId?: number | undefined
  plan?: string | undefined
}

/** Begins or changes a subscription (decisions D, E); an event counts once. 422 for wrong times and a new one
 * without user or plan; 409 CONFLICT when the user has another that runs, 409 INVALID_STATE when it cannot go
 * there, or an event comes before the first. */
export async function receiveStoreEvent(work: Work, given: GivenEvent): Promise<Subscription> {
  const { occurredAt, currentPeriodEnd: periodEnd, userId, plan, ...event } = given
  const { provider, externalId, status } = event
  const at = parseMoment('occurred_at', occurredAt)
  const currentPeriodEnd = parseMoment('subscription.current_period_end', periodEnd)
  if (at > work.now(AHEAD_MS)) throw errors.validation({ occurred_at: ['must not be in the future'] })
  if ((await lockSubscription(work.tx, provider, externalId)) !== undefined)
    return applyStoreEvent(work, { ...event, at, currentPeriodEnd })
  const isFirst = status === 'trialing' || status === 'active'
  if (!isFirst) throw errors.invalidState('The event that begins this subscription has not come. Send this one again.')
  if (userId === undefined || plan === undefined)
    throw errors.validation({
      ...(userId === undefined && { 'subscription.user_id': ['is required for a subscription that is not known'] }),
      ...(plan === undefined && { 'subscription.plan': ['is required for a subscription that is not known'] }),
    })
  if ((await findAccountRole(work.tx, userId)) === undefined)
    throw errors.validation({ 'subscription.user_id': ['no such user'] })
  const start = { userId, planCode: plan, provider, externalId, status, currentPeriodEnd, at }
  await startSubscription(work, start)
  // Another first event may have begun it meanwhile.
  return applyStoreEvent(work, { ...event, at, currentPeriodEnd })
}

function parseMoment(field: string, text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw errors.validation({ [field]: ['must be a date and time that exists'] })
  return moment
}
