// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { computeSignature } from './signature.ts'

const [OLD, NEW] = ['an old secret of subscriptions, 32 bytes', 'a new secret of subscriptions, 32 bytes']
const URL = '/api/v1/webhooks/subscriptions/stripe'
const DAY_MS = 86_400_000

const test = base.extend<'service', Service>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startService({ SUBSCRIPTION_WEBHOOK_SECRET: [NEW, OLD] })
  onCleanup(() => service.close())
  return service
})

type Event = { event_id: string; occurred_at: string; subscription: Record<string, unknown> }

async function givenPlan({ deps }: Service): Promise<string> {
  const plan = { code: randomUUID(), name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' as const }
  await deps.db.insertInto('plans').values(plan).execute()
  return plan.code
}

async function givenStart(
  service: Service,
): Promise<{ event: Event; headers: Record<string, string>; userId: number }> {
  const user = await service.given.user()
  const now = service.deps.clock.now()
  const event = {
    event_id: randomUUID(),
    occurred_at: new Date(now).toISOString(),
    subscription: {
      external_id: randomUUID(),
      user_id: user.userId,
      plan: await givenPlan(service),
      status: 'trialing',
      current_period_end: new Date(now + 10 * DAY_MS).toISOString(),
    },
  }
  return { event, headers: user.headers, userId: user.userId }
}

/** The event that follows, `afterMs` later, in another status. */
function next(event: Event, status: string, afterMs: number): Event {
  const { external_id, current_period_end } = event.subscription
  const occurred_at = new Date(Date.parse(event.occurred_at) + afterMs).toISOString()
  return { event_id: randomUUID(), occurred_at, subscription: { external_id, current_period_end, status } }
}

type Signing = { provider?: string; secret?: string; ageMs?: number; signature?: string; body?: string; url?: string }

function tell(
  { app, deps }: Service,
  event: unknown,
  { provider = 'stripe', secret = NEW, ageMs = 0, ...given }: Signing = {},
) {
  const body = JSON.stringify(event)
  const at = String(Math.floor((deps.clock.now() - ageMs) / 1_000))
  return app.inject({
    method: 'POST',
    url: given.url ?? URL,
    headers: {
      'content-type': 'application/json',
      'swapbell-timestamp': at,
      'swapbell-signature': given.signature ?? computeSignature(secret, { timestamp: at, provider, body }),
    },
    payload: given.body ?? body,
  })
}

describe('the webhook of subscriptions', () => {
  test.for(['cancelled', 'past_due', 'expired'])(
    'refuses “%s” of a subscription that is not known yet, to be sent again; then it counts',
    async (status, { service }) => {
      const { event } = await givenStart(service)
      const first = { ...event, subscription: { ...event.subscription, status: 'active' } }
      const later = next(first, status, 60_000)
      for (const early of [later, { ...later, subscription: { ...first.subscription, status } }])
        expectError(await tell(service, early), 409, 'INVALID_STATE')
      expect((await tell(service, first)).json().data.status).toBe('active')
      expect((await tell(service, later)).json().data.status).toBe(status)
    },
  )

  test('begins a subscription and follows it; the user sees it', async ({ service }) => {
    const { event, headers } = await givenStart(service)
    const read = async () =>
      (await service.app.inject({ url: '/api/v1/subscription', headers })).json<{ data: unknown }>()
    expect((await read()).data).toBeNull()
    expect((await tell(service, event)).json()).toMatchObject({ data: { status: 'trialing' } })
    expect((await tell(service, next(event, 'active', 1))).json()).toMatchObject({ data: { status: 'active' } })
    expect((await read()).data).toMatchObject({
      status: 'active',
      provider: 'stripe',
      plan: { code: event.subscription['plan'], price_cents: 500, currency: 'EUR', period: 'month' },
      current_period_end: event.subscription['current_period_end'],
      cancelled_at: null,
    })
  })

  test('takes either secret, and one of several signatures', async ({ service }) => {
    const { event } = await givenStart(service)
    expect((await tell(service, event, { secret: OLD })).statusCode).toBe(200)
    const at = String(Math.floor(service.deps.clock.now() / 1_000))
    const signature = `v1=00, ${computeSignature(NEW, { timestamp: at, provider: 'stripe', body: JSON.stringify(event) })}`
    expect((await tell(service, event, { signature })).statusCode).toBe(200)
  })

  test('refuses what is not signed, signed by another, too old, from the future, or changed', async ({ service }) => {
    const { event, userId } = await givenStart(service)
    const wrong: Signing[] = [
      { secret: 'another secret of subscriptions, 32 bytes' },
      { provider: 'app_store' },
      { ageMs: 301_000 },
      { ageMs: -301_000 },
      { signature: '' },
      { signature: 'v1=' },
      { signature: 'é' },
      { body: JSON.stringify({ ...event, event_id: 'another' }) },
      { body: `${JSON.stringify(event)} ` },
    ]
    for (const signing of wrong) expectError(await tell(service, event, signing), 401, 'UNAUTHENTICATED')
    expectError(await service.app.inject({ method: 'POST', url: URL, payload: event }), 401, 'UNAUTHENTICATED')
    expect((await tell(service, event, { ageMs: 290_000 })).statusCode).toBe(200)
    const rows = service.deps.db.selectFrom('subscriptions').select('status').where('user_id', '=', userId)
    expect(await rows.execute()).toHaveLength(1)
  })

  test('checks the signature before the body', async ({ service }) => {
    expectError(await tell(service, {}, { secret: 'x'.repeat(32) }), 401, 'UNAUTHENTICATED')
    expectError(await tell(service, {}), 422, 'VALIDATION_ERROR')
  })

  test.for<[what: string, field: string, change: (event: Event) => unknown]>([
    [
      'no user at first',
      'subscription.user_id',
      (e) => ({ ...e, subscription: { ...e.subscription, user_id: undefined } }),
    ],
    ['an unknown user', 'subscription.user_id', (e) => ({ ...e, subscription: { ...e.subscription, user_id: 9e8 } })],
    ['no plan at first', 'subscription.plan', (e) => ({ ...e, subscription: { ...e.subscription, plan: undefined } })],
    ['a moment that is none', 'occurred_at', (e) => ({ ...e, occurred_at: '2026-02-01T23:59:60Z' })],
    ['the future', 'occurred_at', (e) => ({ ...e, occurred_at: '2126-02-01T00:00:00Z' })],
    ['an unknown field', 'more', (e) => ({ ...e, more: 1 })],
  ])('refuses %s, and stores nothing', async ([, field, change], { service }) => {
    const { event, userId } = await givenStart(service)
    expectInvalid(await tell(service, change(event)), field)
    const rows = service.deps.db.selectFrom('subscriptions').select('status').where('user_id', '=', userId)
    expect(await rows.execute()).toEqual([])
  })

  test('refuses an unknown plan, a second subscription, and an impossible move', async ({ service }) => {
    const { event } = await givenStart(service)
    const withPlan = (plan: string) => ({ ...event, subscription: { ...event.subscription, plan } })
    expectError(await tell(service, withPlan('none')), 404, 'NOT_FOUND')
    expectError(
      await tell(service, event, { provider: 'paypal', url: URL.replace('stripe', 'paypal') }),
      422,
      'VALIDATION_ERROR',
    )
    await tell(service, event)
    const second = {
      ...event,
      event_id: randomUUID(),
      subscription: { ...event.subscription, external_id: randomUUID() },
    }
    expectError(await tell(service, second), 409, 'CONFLICT')
    expect((await tell(service, next(event, 'expired', 1))).statusCode).toBe(200)
    expectError(await tell(service, next(event, 'active', 2)), 409, 'INVALID_STATE')
  })

  test('has the same result in any order of events, and if they arrive several times', async ({ service, deps }) => {
    const statuses = fc.array(fc.constantFrom('active', 'past_due', 'cancelled'), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(statuses, fc.infiniteStream(fc.nat()), async (wanted, order) => {
        const { event } = await givenStart(service)
        await tell(service, event)
        const events = wanted.map((status, n) => next(event, status, n + 1))
        const last = next(event, 'active', 1_000)
        const arriving = [...events, last, ...events.slice(0, 2)].toSorted(() => (order.next().value! % 3) - 1)
        // From some states there is no way to another; the last one can be reached from each.
        for (const one of arriving) expect((await tell(service, one)).statusCode).toBeOneOf([200, 409])
        const externalId = String(event.subscription['external_id'])
        const row = deps.db.selectFrom('subscriptions').select('status').where('external_id', '=', externalId)
        expect(await row.executeTakeFirst()).toEqual({ status: 'active' })
      }),
      { numRuns: 15 },
    )
  })

  test('applies both of two first events that come at once', async ({ service }) => {
    for (let n = 0; n < 20; n++) {
      const { event, headers } = await givenStart(service)
      const follows = next(event, 'active', 1)
      Object.assign(follows.subscription, { user_id: event.subscription['user_id'], plan: event.subscription['plan'] })
      const answers = await Promise.all([tell(service, event), tell(service, follows)])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      const { data } = (await service.app.inject({ url: '/api/v1/subscription', headers })).json()
      expect(data).toMatchObject({ status: 'active' })
    }
  })

  test('counts one event that arrives fifty times at the same time as one', async ({ service, deps }) => {
    const { event, userId } = await givenStart(service)
    const answers = await Promise.all(Array.from({ length: 50 }, () => tell(service, event)))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    const events = deps.db.selectFrom('subscription_events').select('event_id').where('event_id', '=', event.event_id)
    expect(await events.execute()).toHaveLength(1)
    expect(
      await deps.db.selectFrom('subscriptions').select('version').where('user_id', '=', userId).execute(),
    ).toHaveLength(1)
  })
})

test('without a secret there is no webhook', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const { event } = await givenStart(service)
  expectError(await tell(service, event), 404, 'NOT_FOUND')
})
