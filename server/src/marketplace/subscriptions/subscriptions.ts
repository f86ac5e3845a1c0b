import type { MarketplaceDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import {
  emptyExternalIds,
  expireEnded,
  findPlanId,
  insertEvent,
  insertSubscription,
  lockSubscription,
  updateSubscription,
  type Subscription,
} from './subscriptions.queries.ts'

type SubscriptionDeps = Pick<MarketplaceDeps, 'db' | 'clock'>

/** Where a subscription may go (decision D). A cancelled one runs to the end of its period. */
export const SUBSCRIPTION_MOVES: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  trialing: ['active', 'past_due', 'cancelled', 'expired'],
  active: ['past_due', 'cancelled', 'expired'],
  past_due: ['active', 'cancelled', 'expired'],
  cancelled: ['active', 'expired'],
  expired: [],
}

export type StoreEvent = {
  provider: Store
  eventId: string
  externalId: string
  status: SubscriptionStatus
  currentPeriodEnd: Date
  at: Date
}

const DAY_MS = 24 * 3_600_000
// The stores try to collect a payment for so long.
const GRACE_MS = 16 * DAY_MS
const SUBSCRIPTIONS_A_ROUND = 500

/** The same store's name again gives the one that is there. 404 on an unknown plan; 409 CONFLICT when the user has
 * another that runs. */
export async function startSubscription(
  { clock }: SubscriptionDeps,
  tx: Tx,
  start: {
    userId: number
    planCode: string
    provider: Store
    externalId: string
    status: 'trialing' | 'active'
    currentPeriodEnd: Date
    /** When it began; absent: now. */
    at?: Date
  },
): Promise<Subscription> {
  const planId = existing(await findPlanId(tx, start.planCode), 'This plan')
  const now = fromNow(clock)
  const stored = await insertSubscription(tx, {
    user_id: start.userId,
    plan_id: planId,
    status: start.status,
    provider: start.provider,
    external_id: start.externalId,
    current_period_end: start.currentPeriodEnd,
    started_at: start.at ?? now,
    store_event_at: start.at ?? now,
    created_at: now,
    updated_at: now,
  })
  if (stored === undefined) return existingOrRefuse(tx, start)
  await recordStateChanges(tx, [changeOf(stored, null, { actor: 'user', at: now })])
  return stored
}

async function existingOrRefuse(tx: Tx, start: { userId: number; provider: Store; externalId: string }) {
  const same = await lockSubscription(tx, start.provider, start.externalId)
  if (same?.user_id === start.userId) return same
  throw errors.conflict('The user already has an active subscription.')
}

/** Applies an event once (decision D). A late event changes no status, and none shortens the period. 404 on an
 * unknown subscription; 409 INVALID_STATE when it cannot go there. */
export async function applyStoreEvent({ clock }: SubscriptionDeps, tx: Tx, event: StoreEvent): Promise<Subscription> {
  const subscription = existing(await lockSubscription(tx, event.provider, event.externalId), 'This subscription')
  const now = fromNow(clock)
  const isNew = await insertEvent(tx, {
    provider: event.provider,
    event_id: event.eventId,
    subscription_id: subscription.subscription_id,
    received_at: now,
  })
  if (!isNew) return subscription
  const isLate = subscription.store_event_at !== null && event.at < subscription.store_event_at
  const status = isLate ? subscription.status : event.status
  const isMove = status !== subscription.status
  if (isMove && !SUBSCRIPTION_MOVES[subscription.status].includes(status))
    throw errors.invalidState(`The subscription is ${subscription.status} and cannot become ${status}.`)
  const periodEnd = Math.max(subscription.current_period_end.getTime(), event.currentPeriodEnd.getTime())
  const changed = await updateSubscription(tx, subscription.subscription_id, {
    status,
    current_period_end: new Date(periodEnd),
    ...(!isLate && {
      cancelled_at: cancelledAt(subscription, event),
      ended_at: status === 'expired' ? (subscription.ended_at ?? event.at) : null,
      store_event_at: event.at,
    }),
    updated_at: now,
  })
  if (isMove) await recordStateChanges(tx, [changeOf(changed, subscription.status, { actor: 'system', at: now })])
  return changed
}

function cancelledAt({ cancelled_at }: Subscription, { status, at }: StoreEvent): Date | null {
  if (status === 'expired') return cancelled_at
  return status === 'cancelled' ? (cancelled_at ?? at) : null
}

/** Expires cancelled subscriptions and trials with their period, unpaid ones 16 days after it. Safe to run twice at
 * once. */
export async function expireSubscriptions(deps: SubscriptionDeps): Promise<void> {
  while ((await expireRound(deps)) === SUBSCRIPTIONS_A_ROUND);
}

async function expireRound({ db, clock }: SubscriptionDeps): Promise<number> {
  return inTransaction(db, async (tx) => {
    const now = fromNow(clock)
    const limit = SUBSCRIPTIONS_A_ROUND
    const ended = await expireEnded(tx, { now, graceEnd: fromNow(clock, -GRACE_MS), limit })
    const by = { actor: 'system', at: now } as const
    const changes = ended.map(({ status, ...one }) => changeOf({ ...one, status: 'expired' }, status, by))
    await recordStateChanges(tx, changes)
    return ended.length
  })
}

function changeOf(
  { subscription_id, user_id, status }: Pick<Subscription, 'subscription_id' | 'user_id' | 'status'>,
  from: SubscriptionStatus | null,
  { actor, at }: { actor: 'user' | 'system'; at: Date },
): StateChange {
  const record = { entity: 'subscription', entity_id: subscription_id, user_id, note: null, at } as const
  const actorId = actor === 'user' ? user_id : null
  return { ...record, from_state: from, to_state: status, actor, actor_id: actorId }
}

/** Deletes the store's names from subscriptions of purged people. Payments stay. */
export async function forgetInSubscriptions(tx: Tx, userIds: number[]): Promise<void> {
  await emptyExternalIds(tx, userIds)
}
