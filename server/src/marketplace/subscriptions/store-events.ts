import type { MarketplaceDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import { findAccountRole } from '../../identity/accounts/accounts.ts'
import { insertEvent, isKnownSubscription, type Subscription } from './subscriptions.queries.ts'
import { applyStoreEvent, startSubscription } from './subscriptions.ts'

const AHEAD_MS = 5 * 60_000

/** Times are ISO 8601 text. `userId` and `plan` begin a subscription. */
export type GivenEvent = {
  provider: Store
  eventId: string
  occurredAt: string
  externalId: string
  status: SubscriptionStatus
  currentPeriodEnd: string
  userId?: number | undefined
  plan?: string | undefined
}

/** Begins or changes a subscription (decisions D, E); an event counts once. 422 for wrong times and a new one
 * without user or plan; 409 CONFLICT when the user has another that runs, 409 INVALID_STATE when it cannot go
 * there. */
export async function receiveStoreEvent(
  deps: Pick<MarketplaceDeps, 'db' | 'clock'>,
  tx: Tx,
  { occurredAt, currentPeriodEnd: periodEnd, userId, plan, ...event }: GivenEvent,
): Promise<Subscription> {
  const at = momentOf('occurred_at', occurredAt)
  const currentPeriodEnd = momentOf('subscription.current_period_end', periodEnd)
  if (at.getTime() > deps.clock.now() + AHEAD_MS)
    throw errors.validation({ occurred_at: ['must not be in the future'] })
  const told = { ...event, at, currentPeriodEnd }
  if (await isKnownSubscription(tx, event.provider, event.externalId)) return applyStoreEvent(deps, tx, told)
  const { status } = event
  const faults: FieldErrors = {
    ...(userId === undefined && { 'subscription.user_id': ['is required for a subscription that is not known'] }),
    ...(plan === undefined && { 'subscription.plan': ['is required for a subscription that is not known'] }),
    ...(status !== 'trialing' &&
      status !== 'active' && { 'subscription.status': ['must be trialing or active at first'] }),
  }
  if (userId === undefined || plan === undefined || (status !== 'trialing' && status !== 'active'))
    throw errors.validation(faults)
  if ((await findAccountRole(tx, userId)) === undefined)
    throw errors.validation({ 'subscription.user_id': ['no such user'] })
  const { provider, externalId, eventId: event_id } = event
  const start = { userId, planCode: plan, provider, externalId, status, currentPeriodEnd, at }
  const begun = await startSubscription(deps, tx, start)
  const { subscription_id } = begun
  await insertEvent(tx, { provider, event_id, subscription_id, received_at: fromNow(deps.clock) })
  return begun
}

function momentOf(field: string, text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw errors.validation({ [field]: ['must be a date and time that exists'] })
  return moment
}
