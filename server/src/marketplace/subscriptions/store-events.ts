import { findAccountRole } from '../../identity/accounts/accounts.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { lockSubscription, type Subscription } from './subscriptions.queries.ts'
import { applyStoreEvent, startSubscription, type StoreEvent } from './subscriptions.ts'

const AHEAD_MS = 5 * 60_000

/** Times are ISO 8601 text. `userId` and `plan` begin a subscription. */
export type GivenEvent = Omit<StoreEvent, 'currentPeriodEnd' | 'at'> & {
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
