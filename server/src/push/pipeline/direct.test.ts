// Slow: a second or more for each test, or five for the file.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCopies, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { scriptedToken, startFiveProviders, type ScriptedProvider } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { askStatus } from '../../../test/support/halts.ts'
import { askBreaker } from '../provider/breaker.ts'
import type { ErrorCode, PushOutcome } from '../provider/provider.ts'

let five: Awaited<ReturnType<typeof startFiveProviders>>

beforeEach(async () => {
  five = await startFiveProviders()
})

afterEach(() => five.service.close())

type Scripted = Pick<ScriptedProvider, 'instance'>

async function givenPhone({ instance }: Scripted, name?: string): Promise<GivenUser> {
  const user = await five.service.given.user()
  const { app, environment } = instance
  const payload = {
    token: scriptedToken(instance, name ?? `${user.userId}`),
    device_id: 'phone',
    ...(app !== null && { app }),
    ...(environment !== null && { environment }),
  }
  const { headers } = user
  const answer = await five.service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
  expect(answer.statusCode).toBe(200)
  return user
}

async function givenPhones(provider: Scripted, count: number): Promise<GivenUser[]> {
  const users = []
  for (let n = 0; n < count; n++) users.push(await givenPhone(provider))
  return users
}

async function readPhone({ userId }: GivenUser) {
  const phones = five.service.deps.db.selectFrom('mobile_devices').select(['removed_reason', 'is_proven'])
  return phones.where('user_id', '=', userId).executeTakeFirstOrThrow()
}

async function readStatus() {
  type Told = { provider: string; breaker: string; code: string | null; waits: unknown[]; rate_per_second: number }
  type Raised = { code: string; detail: string; providers: string[]; resolved_at: string | null }
  const { data } = (await askStatus(five.service)).json<{ data: { providers: Told[]; alerts: Raised[] } }>()
  return { ...data, open: data.alerts.filter(({ resolved_at }) => resolved_at === null) }
}

function refused(code: ErrorCode, more: Partial<Extract<PushOutcome, { kind: 'refused' }>> = {}): () => PushOutcome {
  return () => ({ kind: 'refused', code, retry: false, ...more })
}

describe('With five providers', () => {
  test('each phone is reached by its own, and 200 is delivered; the state and the metrics show each', async () => {
    const { service, production, sandbox, google, browsers } = five
    const all = [production, sandbox, google, browsers]
    const users = []
    for (const one of all) users.push(await givenPhone(one))
    users.push(await service.given.user({ devices: [{}] }))
    const messageId = await send(service, users)
    await drain(service)
    expect(all.map(({ pushes }) => pushes.map(({ platform, badge }) => [platform, badge]))).toEqual([
      [['ios', 1]],
      [['ios', 1]],
      [['android', undefined]],
      [['web', undefined]],
    ])
    const copies = await readCopies(service, messageId)
    expect(copies.map((copy) => copy.is_delivered)).toEqual([true, true, true, true, null])
    const names = ['expo', 'apns/swapbell/production', 'apns/swapbell/sandbox', 'fcm/swapbell', 'web/swapbell']
    expect((await readStatus()).providers.map(({ provider }) => provider)).toEqual(names)
    const metrics = await service.deps.metrics.registry.text()
    for (const name of names)
      expect(metrics).toMatch(
        new RegExp(`push_outcomes_total\\{provider="${name}",lane="campaign",outcome="accepted"\\} 1\n`),
      )
  })

  test('a fault of the configuration halts that app and environment at once, with the advice; the others go on', async () => {
    const { service, production, sandbox } = five
    production.feel({
      kind: 'misconfigured',
      code: 'Unauthorized',
      advice: 'Apple refuses the topic (TopicDisallowed): set topic to the bundle of the app.',
    })
    production.answer(refused('Unauthorized', { retry: true }))
    const [one, other] = [await givenPhone(production), await givenPhone(sandbox)]
    const messageId = await send(service, [one, other])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: false, settled_at: null },
      { is_send: true },
    ])
    const { providers, open } = await readStatus()
    expect(providers.filter(({ breaker }) => breaker === 'halted')).toMatchObject([
      { provider: 'apns/swapbell/production', code: 'Unauthorized' },
    ])
    expect(open).toMatchObject([{ code: 'Unauthorized', providers: ['apns/swapbell/production'] }])
    expect(open[0]?.detail).toMatch(/^apns\/swapbell\/production: Apple refuses the topic \(TopicDisallowed\)/)
    expect((await readPhone(one)).removed_reason).toBeNull()
    production.feel({ kind: 'healthy' })
    production.answer(undefined)
    await askStatus(service, 'resume', { provider: 'apns/swapbell/production' })
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: true }])
  })

  test('the wait that one push is given lengthens that of its copy alone', async () => {
    const { service, google } = five
    const [slow, usual] = [await givenPhone(google, 'slow'), await givenPhone(google, 'usual')]
    google.answer(({ to }) => ({
      kind: 'refused',
      code: 'ProviderError',
      retry: true,
      retryAfterMs: to.endsWith('slow') ? 15 * 60_000 : 10_000,
    }))
    const messageId = await send(service, [slow, usual])
    await drain(service)
    google.answer(undefined)
    await service.clock.tick(59_000)
    await drain(service)
    expect((await readCopies(service, messageId)).map((copy) => copy.is_send)).toEqual([false, false])
    await service.clock.tick(2_000)
    await drain(service)
    expect((await readCopies(service, messageId)).map((copy) => copy.is_send)).toEqual([false, true])
    await service.clock.tick(15 * 60_000)
    await drain(service)
    expect((await readCopies(service, messageId)).map((copy) => copy.is_send)).toEqual([true, true])
  })

  test('a token that is gone since a moment removes a device that registered before it, and no later one', async () => {
    const { service, production } = five
    const [before, after] = [await givenPhone(production), await givenPhone(production)]
    const { last_registered_at: registeredAt } = await service.deps.db
      .selectFrom('mobile_devices')
      .select('last_registered_at')
      .where('user_id', '=', after.userId)
      .executeTakeFirstOrThrow()
    await service.clock.tick(1_000)
    const goneSince = (to: string) => registeredAt.getTime() + (to.endsWith(`${after.userId}`) ? -1 : 500)
    production.answer(({ to }) => refused('DeviceNotRegistered', { goneSince: new Date(goneSince(to)) })())
    await send(service, [before, after])
    await drain(service)
    expect((await readPhone(before)).removed_reason).toBe('DeviceNotRegistered')
    expect((await readPhone(after)).removed_reason).toBeNull()
  })

  test.for(['BadDeviceToken', 'DeviceTokenNotForTopic', 'MismatchSenderId'] as const)(
    '%s removes no device and halts nothing by one; more than 30 of 100 pause the platform',
    async (code) => {
      const { service, production } = five
      const one = await givenPhone(production)
      production.answer(refused(code))
      const messageId = await send(service, [one])
      await drain(service)
      expect(await readCopies(service, messageId)).toMatchObject([{ error_message: code, is_send: false, attempts: 1 }])
      expect(await readPhone(one)).toMatchObject({ removed_reason: null })
      expect((await readStatus()).open).toEqual([])

      await service.given.crowd(700)
      const { name } = production.instance
      await service.deps.db
        .updateTable('mobile_devices')
        .set({ provider: name, platform: 'ios' })
        .where('token', 'like', '%crowd%')
        .execute()
      const crowd = service.deps.db.selectFrom('mobile_devices').select('user_id').where('token', 'like', '%crowd%')
      const users = (await crowd.execute()).map(({ user_id: userId }) => ({ userId }) as GivenUser)
      await send(service, users)
      await drain(service)
      const { providers, open } = await readStatus()
      expect(providers.find(({ provider }) => provider === name)).toMatchObject({
        breaker: 'closed',
        waits: [{ reason: 'platform_paused', platform: 'ios', code }],
      })
      expect(open).toMatchObject([{ code, providers: [name] }])
      const removed = service.deps.db.selectFrom('mobile_devices').select('id').where('removed_at', 'is not', null)
      expect(await removed.execute()).toEqual([])
    },
  )

  test('a token is proven once it was accepted, until it is refused', async () => {
    const { service, production } = five
    const [good, bad] = await givenPhones(production, 2)
    const isBad = (to: string) => to.endsWith(`${bad!.userId}`)
    const wasProven = () => production.pushes.splice(0).map(({ to, isProven }) => [isBad(to), isProven])
    const sendAll = async () => {
      await send(service, [good!, bad!])
      await drain(service)
    }
    await sendAll()
    expect(wasProven()).toEqual([
      [false, false],
      [true, false],
    ])
    production.answer(({ to, notificationId }) =>
      isBad(to) ? refused('BadDeviceToken')() : { kind: 'accepted', ticketId: `t-${notificationId}` },
    )
    await sendAll()
    expect(wasProven()).toEqual([
      [false, true],
      [true, true],
    ])
    production.answer(() => ({ kind: 'unknown', code: 'OutcomeUnknown' }))
    await sendAll()
    expect(wasProven()).toEqual([
      [false, true],
      [true, false],
    ])
    expect([await readPhone(good!), await readPhone(bad!)]).toMatchObject([{ is_proven: true }, { is_proven: false }])
  })

  test('what is proven is not written for a provider that does not ask, nor where it is as it was', async () => {
    const { service, production } = five
    const users = [await service.given.user({ devices: [{}] }), await givenPhone(production)]
    await send(service, users)
    await drain(service)
    const versions = async () =>
      (await service.deps.pool.query('select xmin::text, is_proven from mobile_devices order by id')).rows as unknown[]
    const before = await versions()
    expect(before).toMatchObject([{ is_proven: false }, { is_proven: true }])
    await send(service, users)
    await drain(service)
    expect(await versions()).toEqual(before)
  })

  test('one that is away opens its breaker alone', async () => {
    const { service, google } = five
    google.feel({ kind: 'failing', code: 'ProviderUnavailable' })
    google.answer(refused('ProviderUnavailable', { retry: true }))
    await send(service, await givenPhones(google, 1))
    for (let round = 0; round < 4; round++) {
      await drain(service)
      await service.clock.tick(6_000)
    }
    const admissions = []
    for (const inUse of service.deps.providers) admissions.push(await askBreaker({ ...service.deps, ...inUse }))
    expect(admissions).toEqual(['go', 'go', 'go', 'wait', 'go'])
  })
})
