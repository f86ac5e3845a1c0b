// Slow: a service for each test, with the doubles of all providers.
import { createECDH } from 'node:crypto'
import { describe, expect, test, vi, type TestContext } from 'vitest'
import type { Config } from '../src/platform/config/config.ts'
import { expectTruth } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import { readLedger } from './support/ledger.ts'
import { OTHER_BROWSERS, startService, type Service } from './support/service.ts'
import { openWall, sendTo } from './support/wall.ts'

// The wall's phones at the real service, each at the provider of its kind: over TLS, HTTP/2 and with real keys.

/** The wall gives them in this order. */
const PROVIDERS = [
  'expo',
  'expo',
  'apns/swapbell/production',
  'fcm/swapbell',
  'web/swapbell',
  'apns/swapbell/production',
  'fcm/swapbell',
  'apns/swapbell/sandbox',
]
const NATIVE = PROVIDERS.length - 2

async function openKinds({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, overrides: Partial<Config> = {}) {
  const service = await startService({ PUSH_TIMEOUT_SECONDS: 20, ...overrides }, { isDirect: true })
  onTestFinished(() => service.close())
  return { service, wall: await openWall(service, PROVIDERS.length) }
}

async function readDevices({ deps }: Service) {
  const { rows } = await deps.pool.query<{ provider: string; token: string; platform: string }>(
    'select provider, token, platform from mobile_devices where removed_at is null order by user_id',
  )
  return rows
}

/** Registers a subscription of a browser at that push service; gives the status. */
async function registerBrowser({ app, given }: Service, host: string): Promise<number> {
  const pair = createECDH('prime256v1')
  const keys = { p256dh: pair.generateKeys('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  const token = JSON.stringify({ endpoint: `https://${host}/push/a-browser`, keys })
  const payload = { token, token_type: 'web', app: 'swapbell', device_id: 'browser', platform: 'web' }
  const { headers } = await given.user()
  const answer = await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
  return answer.statusCode
}

async function setMode({ simulator }: Service, mode: string): Promise<void> {
  const answer = await fetch(`${simulator.url}/simulator/mode`, { method: 'POST', body: JSON.stringify({ mode }) })
  expect(await answer.json()).toMatchObject({ mode })
}

async function readAgain(service: Service): Promise<void> {
  await service.clock.tick(61_000)
  await drain(service)
}

// At once: a provider that is slow, silent or away is waited for.
describe.concurrent('a wall with phones of each kind', () => {
  test('slow: each answer takes 3 seconds, and all pushes arrive', async (context) => {
    const { service, wall } = await openKinds(context)
    await setMode(service, 'slow')
    await sendTo(service, wall)
    const { phones, traffic } = await wall.view()
    expect(phones.map(({ banners }) => banners.length)).toEqual(PROVIDERS.map(() => 1))
    const slow = traffic.filter(({ waitMs }) => waitMs === 3_000)
    expect(new Set(slow.map(({ provider }) => provider))).toEqual(new Set(['expo', 'apns', 'fcm', 'web']))
  })

  test('registers them as apps do, brings a campaign by each way, and the ledger holds them all; a real browser may register too', async (context) => {
    const { service, wall } = await openKinds(context)
    expect((await readDevices(service)).map(({ provider }) => provider)).toEqual(PROVIDERS)
    const messageId = await sendTo(service, wall, { data: { link: 'swapbell://items' } })
    const { phones, kinds, totals, traffic } = await wall.view()
    expect(kinds).toEqual(['expo', 'apns', 'apns-sandbox', 'fcm', 'web'])
    expect(phones.map(({ banners }) => banners)).toEqual(
      PROVIDERS.map((name) => [
        expect.objectContaining({ title: 'Hello', body: 'There', copies: 1, chip: null, provider: name.split('/')[0] }),
      ]),
    )
    expect(phones.filter(({ platform }) => platform === 'ios').map(({ badge }) => badge)).toEqual([1, 1, 1, 1])
    expect(totals).toMatchObject({ accepted: 8, duplicates: 0, refused: 0 })
    expect(new Set(traffic.map(({ provider }) => provider))).toEqual(new Set(['expo', 'apns', 'fcm', 'web']))
    expect(service.simulator.log().map(({ provider }) => provider)).toEqual(
      expect.arrayContaining(['expo', 'apns', 'fcm', 'web']),
    )
    for (const place of PROVIDERS.keys())
      await wall.act('tap', { banner: (await wall.phone(place)).banners[0]?.key }, place)
    expect((await wall.view()).phones.map(({ screen }) => screen)).toEqual(
      PROVIDERS.map(() => ({ heading: 'Hello', link: 'swapbell://items', lines: [expect.stringContaining('opened')] })),
    )
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 8, duplicated: 0, phantom: 0, lost: 0 })
    await expectTruth(service, messageId)
    expect(await registerBrowser(service, OTHER_BROWSERS)).toBe(200)
    expect(await registerBrowser(service, 'push.example.com')).toBe(422)
  })

  test('shows one banner of two copies after an answer was lost, at each provider', async (context) => {
    const { service, wall } = await openKinds(context)
    await sendTo(service, wall)
    for (const place of PROVIDERS.keys())
      await wall.act('dismiss', { banner: (await wall.phone(place)).banners[0]?.key }, place)
    await setMode(service, 'lost-answer')
    const messageId = await sendTo(service, wall)
    await readAgain(service)
    expect((await wall.view()).mode).toBe('works')
    const { phones } = await wall.view()
    expect(phones.map(({ banners }) => banners.length)).toEqual(PROVIDERS.map(() => 1))
    const doubled = phones.flatMap(({ banners: [first] }) => (first && first.copies > 1 ? first.provider : []))
    expect(new Set(doubled)).toEqual(new Set(['expo', 'apns', 'fcm', 'web']))
    const { duplicated, possibleDuplicates } = await readLedger(service, messageId)
    expect(duplicated).toBe(doubled.length)
    expect(possibleDuplicates).toBeGreaterThanOrEqual(duplicated)
    await expectTruth(service, messageId)
  })

  test.for(['down', 'silent'])(
    '%s: nobody gets anything, no device is removed, and all arrive later',
    async (mode, context) => {
      const { service, wall } = await openKinds(context, { PUSH_TIMEOUT_SECONDS: 1 })
      await sendTo(service, wall)
      service.simulator.reset()
      await setMode(service, mode)
      const messageId = await sendTo(service, wall)
      expect(service.simulator.log()).toEqual([])
      expect(await readDevices(service)).toHaveLength(PROVIDERS.length)
      await setMode(service, 'works')
      await vi.waitFor(async () => {
        await readAgain(service)
        const titles = (await wall.view()).phones.map(({ banners: [first] }) => first?.title)
        expect(titles).toEqual(PROVIDERS.map(() => 'Hello'))
      }, 300_000)
      await expectTruth(service, messageId)
    },
  )

  test('refuses credentials: each provider halts but that of the lone browser, and after a resume all pushes arrive', async (context) => {
    const { service, wall } = await openKinds(context)
    await sendTo(service, wall)
    service.simulator.reset()
    await setMode(service, 'refuses-credentials')
    const messageId = await sendTo(service, wall)
    const { rows } = await service.deps.pool.query<{ kind: string }>(
      `select split_part(provider, '/', 1) as kind from provider_state where breaker <> 'halted'`,
    )
    // A second browser would have to say the same.
    expect(rows).toEqual([{ kind: 'web' }])
    expect(await readDevices(service)).toHaveLength(PROVIDERS.length)
    await setMode(service, 'works')
    const { headers } = await service.given.admin()
    const resumed = await service.app.inject({
      method: 'POST',
      url: '/api/admin/push-status/resume',
      headers,
      payload: {},
    })
    expect(resumed.statusCode).toBe(200)
    await readAgain(service)
    expect((await wall.view()).phones.map(({ banners }) => banners.length)).toEqual(PROVIDERS.map(() => 1))
    await expectTruth(service, messageId)
  })

  test('says every app is gone: devices are removed, and come back when the apps are opened', async (context) => {
    const { service, wall } = await openKinds(context)
    await service.clock.tick(60_000)
    await setMode(service, 'dead-tokens')
    await sendTo(service, wall)
    expect(await readDevices(service)).toEqual([])
    await setMode(service, 'works')
    for (const place of PROVIDERS.keys()) await wall.act('open', {}, place)
    expect((await readDevices(service)).map(({ provider }) => provider)).toEqual(PROVIDERS)
  })

  test('a deleted app is noticed at the next push, and a new one has a new token of the same kind', async (context) => {
    const { service, wall } = await openKinds(context)
    for (const place of PROVIDERS.keys()) await wall.act('delete-app', {}, place)
    await sendTo(service, wall)
    expect(await readDevices(service)).toEqual([])
    for (const place of PROVIDERS.keys()) await wall.act('reinstall', {}, place)
    expect((await readDevices(service)).map(({ provider }) => provider)).toEqual(PROVIDERS)
    await sendTo(service, wall)
    expect((await wall.view()).phones.map(({ banners }) => banners.length)).toEqual(PROVIDERS.map(() => 1))
  })

  test('a phone that changes its kind keeps its row, and gets the next push by the other way', async (context) => {
    const { service, wall } = await openKinds(context)
    const change = async (place: number, kind: string) => wall.act('kind', { kind }, place)
    expect(await change(0, 'apns')).toMatchObject({ status: 200 })
    expect(await change(3, 'expo')).toMatchObject({ status: 200 })
    expect(await change(0, 'fcm')).toMatchObject({
      status: 400,
      problem: 'kind must be one of expo, apns, apns-sandbox',
    })
    expect(await change(4, 'expo')).toMatchObject({ status: 400, problem: 'kind must be one of web' })
    const devices = await readDevices(service)
    expect(devices.map(({ provider }) => provider)).toEqual(
      PROVIDERS.with(0, 'apns/swapbell/production').with(3, 'expo'),
    )
    await sendTo(service, wall)
    const ways = (await wall.view()).phones.map(({ banners: [first] }) => first?.provider)
    expect(ways.slice(0, 4)).toEqual(['apns', 'expo', 'apns', 'expo'])
    expect(service.simulator.log().filter(({ provider }) => provider !== 'expo')).toHaveLength(NATIVE)
  })

  test('keeps the pushes of phones that are offline as their makers do', async (context) => {
    const { service, wall } = await openKinds(context)
    for (const place of PROVIDERS.keys()) await wall.act('offline', {}, place)
    await sendTo(service, wall, { title: 'First' })
    await sendTo(service, wall, { title: 'Second' })
    for (const place of PROVIDERS.keys()) await wall.act('online', {}, place)
    const { phones } = await wall.view()
    for (const { platform, banners } of phones)
      expect(banners.map(({ title }) => title)).toEqual(platform === 'ios' ? ['Second'] : ['Second', 'First'])
  })
})
