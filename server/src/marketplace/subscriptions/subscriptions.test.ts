import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Deps } from '../../deps.ts'
import { findHistory } from '../history/history.ts'
import {
  applyStoreEvent,
  expireSubscriptions,
  startSubscription,
  SUBSCRIPTION_MOVES,
  type StoreEvent,
} from './subscriptions.ts'
import { commitWork } from '../../../test/support/commit.ts'

const DAY_MS = 24 * 3_600_000

describe('a subscription', () => {
  test('goes from its trial to active, misses a payment, recovers, is cancelled and ends with its period', async ({
    deps,
    given,
  }) => {
    const { subscription, event } = await givenSubscription(deps, (await given.user()).userId, 'trialing')
    const id = subscription.subscription_id
    for (const status of ['active', 'past_due', 'active', 'cancelled'] as const)
      expect(await commitWork(deps, applyStoreEvent, event({ status }))).toMatchObject({ status })
    await expireSubscriptions(later(deps, 9 * DAY_MS))
    expect(await readStatus(deps, id)).toBe('cancelled')
    await Promise.all(Array.from({ length: 5 }, () => expireSubscriptions(later(deps, 10 * DAY_MS))))
    expect(await readStatus(deps, id)).toBe('expired')
    const events = await findHistory(deps.db, 'subscription', id)
    expect(events.map((change) => change.to_state).toReversed()).toEqual([
      'trialing',
      'active',
      'past_due',
      'active',
      'cancelled',
      'expired',
    ])
  })

  test('that is not paid for expires 16 days after its period, a trial with it, an active one not', async ({
    deps,
    given,
  }) => {
    const ids: Record<string, number> = {}
    for (const status of ['active', 'past_due', 'trialing'] as const) {
      const { subscription, event } = await givenSubscription(deps, (await given.user()).userId, 'trialing')
      if (status !== 'trialing') await commitWork(deps, applyStoreEvent, event({ status }))
      ids[status] = subscription.subscription_id
    }
    await expireSubscriptions(later(deps, 20 * DAY_MS))
    expect(await readStatus(deps, ids['trialing']!)).toBe('expired')
    expect(await readStatus(deps, ids['past_due']!)).toBe('past_due')
    await expireSubscriptions(later(deps, 26 * DAY_MS))
    expect(await readStatus(deps, ids['past_due']!)).toBe('expired')
    expect(await readStatus(deps, ids['active']!)).toBe('active')
  })

  test('counts an event once, however often and however late it comes', async ({ deps, given }) => {
    const { subscription, event } = await givenSubscription(deps, (await given.user()).userId, 'active')
    const missed = event({ status: 'past_due' })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => commitWork(deps, applyStoreEvent, missed)),
    )
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    await commitWork(deps, applyStoreEvent, event({ status: 'active' }))
    expect(await commitWork(deps, applyStoreEvent, missed)).toMatchObject({ status: 'active' })
    const events = await findHistory(deps.db, 'subscription', subscription.subscription_id)
    expect(events.map((change) => change.to_state)).toEqual(['active', 'past_due', 'active'])
  })

  test('keeps its longest period when a renewal comes late', async ({ deps, given }) => {
    const { event } = await givenSubscription(deps, (await given.user()).userId, 'active')
    const [far, near] = [60, 30].map((days) => new Date(deps.clock.now() + days * DAY_MS))
    await commitWork(deps, applyStoreEvent, event({ status: 'active', currentPeriodEnd: far! }))
    const late = await commitWork(deps, applyStoreEvent, event({ status: 'active', currentPeriodEnd: near! }))
    expect(late.current_period_end).toEqual(far)
  })

  test('is one of a person at a time, also when fifty start at once', async ({ deps, given }) => {
    const { userId } = await given.user()
    const plan = await givenPlan(deps)
    const start = (externalId: string) =>
      commitWork(deps, startSubscription, {
        userId,
        planCode: plan,
        provider: 'stripe',
        externalId,
        status: 'active',
        currentPeriodEnd: new Date(deps.clock.now() + 30 * DAY_MS),
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => start(randomUUID())))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    const { rows } = await deps.pool.query('select external_id from subscriptions where user_id = $1', [userId])
    expect(rows).toHaveLength(1)
    expect(await start(rows[0]!.external_id)).toMatchObject({ user_id: userId })
  })

  test('that is unknown, or has an unknown plan, is 404', async ({ deps, given }) => {
    const { event } = await givenSubscription(deps, (await given.user()).userId, 'active')
    const unknown = commitWork(deps, applyStoreEvent, { ...event({ status: 'active' }), externalId: randomUUID() })
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const start = commitWork(deps, startSubscription, {
      userId: 1,
      planCode: 'none',
      provider: 'stripe',
      externalId: 'x',
      status: 'active',
      currentPeriodEnd: new Date(),
    })
    await expect(start).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('follows its table of moves under any events, and never comes back from expired', async ({ deps, given }) => {
    const statuses = fc.array(fc.constantFrom(...(Object.keys(SUBSCRIPTION_MOVES) as SubscriptionStatus[])), {
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(statuses, async (wanted) => {
        const { subscription, event } = await givenSubscription(deps, (await given.user()).userId, 'trialing')
        let status: SubscriptionStatus = 'trialing'
        for (const next of wanted) {
          const isAllowed: boolean = next === status || SUBSCRIPTION_MOVES[status].includes(next)
          const result = await commitWork(deps, applyStoreEvent, event({ status: next })).catch(
            (error: { code: string }) => error,
          )
          if (isAllowed) status = next
          else expect(result).toMatchObject({ code: 'INVALID_STATE' })
          expect(await readStatus(deps, subscription.subscription_id)).toBe(status)
        }
      }),
      { numRuns: 30 },
    )
  })
})

async function givenPlan({ db }: Deps): Promise<string> {
  const plan = { code: randomUUID(), name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' as const }
  await db.insertInto('plans').values(plan).execute()
  return plan.code
}

async function givenSubscription(deps: Deps, userId: number, status: 'trialing' | 'active') {
  const externalId = randomUUID()
  const currentPeriodEnd = new Date(deps.clock.now() + 10 * DAY_MS)
  const planCode = await givenPlan(deps)
  const subscription = await commitWork(deps, startSubscription, {
    userId,
    planCode,
    provider: 'stripe',
    externalId,
    status,
    currentPeriodEnd,
  })
  const event = (change: Pick<StoreEvent, 'status'> & Partial<StoreEvent>): StoreEvent => ({
    provider: 'stripe',
    eventId: randomUUID(),
    externalId,
    currentPeriodEnd,
    at: new Date(deps.clock.now()),
    ...change,
  })
  return { subscription, event }
}

function later(deps: Deps, ms: number): Deps {
  return { ...deps, clock: { now: () => deps.clock.now() + ms } }
}

async function readStatus({ db }: Deps, id: number): Promise<string> {
  const row = await db.selectFrom('subscriptions').select('status').where('subscription_id', '=', id).executeTakeFirst()
  return row?.status ?? 'none'
}
