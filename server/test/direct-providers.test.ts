// Slow: a service of its own and four providers for each test.
import { expect, test } from 'vitest'
import { findProviderState } from '../src/push/provider/provider-state.queries.ts'
import { readCopies, send } from './support/campaign.ts'
import { directWorld, type PhoneKind } from './support/direct-world.ts'
import { drain } from './support/drain.ts'
import { countedRows, storedCounts } from './support/ledger.ts'

const KINDS: PhoneKind[] = ['expo', 'apns', 'sandbox', 'fcm', 'web']

// At once: connections to providers are opened one a second.
test.concurrent(
  'a push to a person with five phones leaves by five ways, each with the ticket of its provider',
  async ({ onTestFinished }) => {
    const { service, apple, google, browsers, register } = await directWorld(onTestFinished)
    const user = await service.given.user()
    for (const kind of KINDS) await register(user, kind)
    const messageId = await send(service, [user])
    await drain(service)

    const copies = await readCopies(service, messageId)
    expect(copies).toHaveLength(KINDS.length)
    expect(copies.map(({ is_send, error_message }) => [is_send, error_message])).toEqual(KINDS.map(() => [true, null]))
    // Handed over is what the specification calls delivered, and only Expo says it by a receipt.
    expect(copies.map(({ is_delivered }) => is_delivered)).toEqual([null, true, true, true, true])
    expect(service.simulator.log()).toHaveLength(1)
    expect(apple.log()).toHaveLength(2)
    expect(google.log()).toHaveLength(1)
    expect(browsers.log()).toHaveLength(1)
    await drain(service)
    expect(await storedCounts(service, messageId)).toEqual(await countedRows(service, messageId))
  },
)

test.concurrent('a phone that is gone by each way is removed, and the others stay', async ({ onTestFinished }) => {
  const { service, apple, google, browsers, register } = await directWorld(onTestFinished)
  const user = await service.given.user()
  const [, apns, , fcm, web] = [
    await register(user, 'expo'),
    await register(user, 'apns'),
    await register(user, 'sandbox'),
    await register(user, 'fcm'),
    await register(user, 'web'),
  ]
  apple.setToken(apns, { reason: 'Unregistered', since: service.clock.now() + 1_000 })
  google.setToken(fcm, 'UNREGISTERED')
  browsers.unsubscribe(web)
  await service.clock.tick(60_000)
  const messageId = await send(service, [user])
  await drain(service)
  const errors = (await readCopies(service, messageId)).map(({ error_message }) => error_message)
  expect(errors).toEqual([null, 'DeviceNotRegistered', null, 'DeviceNotRegistered', 'DeviceNotRegistered'])
  const live = await service.deps.db
    .selectFrom('mobile_devices')
    .select('provider')
    .where('removed_at', 'is', null)
    .orderBy('provider')
    .execute()
  expect(live.map(({ provider }) => provider)).toEqual(['apns/swapbell/sandbox', 'expo'])
})

test.concurrent(
  'a browser that subscribes with other keys, under another name of a phone, is one phone still',
  async ({ onTestFinished }) => {
    const { service, browsers, register } = await directWorld(onTestFinished)
    const user = await service.given.user()
    const first = await register(user, 'web')
    await register(user, 'web')
    const { endpoint } = JSON.parse(first) as { endpoint: string }
    for (const device_id of ['phone 1', 'phone 2']) {
      const token = JSON.stringify({ ...(JSON.parse(browsers.subscribe()) as object), endpoint })
      const payload = { token, token_type: 'web', app: 'swapbell', device_id }
      const phone = { method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload } as const
      expect((await service.app.inject(phone)).statusCode).toBe(200)
    }
    const rows = service.deps.db.selectFrom('mobile_devices').select('removed_reason').orderBy('id')
    expect((await rows.execute()).map(({ removed_reason }) => removed_reason)).toEqual([
      'replaced',
      null,
      'replaced',
      null,
    ])
  },
)

test.concurrent(
  'a browsers’ service that nobody can reach stops the pushes to the others for a moment at most',
  async ({ onTestFinished }) => {
    const { service, browsers, register } = await directWorld(onTestFinished)
    const [one, other] = [await service.given.user(), await service.given.user()]
    await register(one, 'away')
    await register(other, 'web')
    const urgent = { promotional: false }
    const waiting = await send(service, [one], urgent)
    const wait = async (seconds: number) => {
      await service.clock.tick(seconds * 1_000)
      await drain(service)
    }
    for (const seconds of [0, 6, 6]) await wait(seconds)
    const readBreaker = async () => (await findProviderState(service.deps.db, 'web/swapbell')).breaker
    expect(await readBreaker()).toBe('open')
    // The trial takes the oldest message, which is the one that cannot arrive.
    for (let round = 1; round <= 5; round++) {
      await send(service, [other], urgent)
      await wait(18)
      expect(await readBreaker()).toBe('closed')
      expect(browsers.log()).toHaveLength(round)
    }
    expect(await readCopies(service, waiting)).toMatchObject([{ is_send: false, settled_at: null, attempts: 0 }])
  },
)

test.concurrent(
  'the tickets of a request are stored before a slow push of it is answered, and count once',
  async ({ expect: ours, onTestFinished }) => {
    const { service, apple, google, browsers, register } = await directWorld(onTestFinished)
    const { headers } = await service.given.admin()
    const hold = {
      apns: (until: Promise<unknown>, token: string) => apple.production.script([{ kind: 'slow', until, path: token }]),
      fcm: (until: Promise<unknown>) => google.http2.script([{ kind: 'slow', until }]),
      web: (until: Promise<unknown>) => browsers.script([{ until }]),
    }
    for (const kind of ['apns', 'fcm', 'web'] as const) {
      const users = [await service.given.user(), await service.given.user(), await service.given.user()]
      const tokens = []
      for (const user of users) tokens.push(await register(user, kind))
      const slow = Promise.withResolvers<void>()
      hold[kind](slow.promise, tokens[2] ?? '')
      const messageId = await send(service, users)
      const url = `/api/admin/notifications/${messageId}`
      const readDelivered = async () => {
        const answer = await service.app.inject({ url, headers })
        return answer.json<{ summary: { counts: { delivered: number } } }>().summary.counts.delivered
      }
      const sending = drain(service)
      await ours.poll(readDelivered).toBe(2)
      slow.resolve()
      await sending
      expect(await readDelivered()).toBe(3)
      const counts = await storedCounts(service, messageId)
      expect(counts).toEqual(await countedRows(service, messageId))
      expect(counts).toMatchObject({ sent: 3, possible_duplicates: 0 })
    }
  },
)

test.concurrent(
  'the guards count each result once, though the tickets of its request were stored before: too many are gone, or of another project',
  async ({ expect: ours, onTestFinished }) => {
    const { service, apple, google, toAddress } = await directWorld(onTestFinished)
    const { db } = service.deps
    // A push more would make them fewer than three in ten.
    await db.updateTable('provider_state').set({ results: 925, results_gone: 290 }).execute()
    const ofGoogle = { provider: 'fcm/swapbell', platform: 'android' } as const
    await db
      .insertInto('provider_platforms')
      .values({ ...ofGoogle, results: 925, mismatched: 290 })
      .execute()
    const given = async (kind: PhoneKind, phone: { provider: string; platform: 'ios' | 'android' }) => {
      const { token } = toAddress(kind)
      return { token, user: await service.given.user({ devices: [{ ...phone, token }] }) }
    }
    const ofApple = { provider: 'apns/swapbell/production', platform: 'ios' } as const
    for (const [kind, phone] of [
      ['apns', ofApple],
      ['fcm', ofGoogle],
    ] as const) {
      const phones = await Promise.all(Array.from({ length: 32 }, () => given(kind, phone)))
      const users = phones.map(({ user }) => user)
      await send(service, users)
      await drain(service)
      await service.clock.tick(60_000)
      const since = service.clock.now() - 1_000
      for (const { token } of phones.slice(0, 11)) {
        if (kind === 'apns') apple.setToken(token, { reason: 'Unregistered', since })
        else google.setToken(token, 'SENDER_ID_MISMATCH')
      }
      const slow = Promise.withResolvers<void>()
      const http2 = kind === 'apns' ? apple.production : google.http2
      http2.script([{ kind: 'slow', until: slow.promise }])
      const messageId = await send(service, users)
      const sending = drain(service)
      const countDelivered = async () => (await storedCounts(service, messageId))['delivered'] ?? 0
      await ours.poll(countDelivered).toBeGreaterThanOrEqual(20)
      slow.resolve()
      await sending
    }
    expect(await findProviderState(db, ofApple.provider)).toMatchObject({
      breaker: 'halted',
      results: 64,
      results_gone: 11,
    })
    const ofPlatform = db.selectFrom('provider_platforms').select(['paused_code', 'results', 'mismatched'])
    expect(await ofPlatform.where('provider', '=', ofGoogle.provider).execute()).toEqual([
      { paused_code: 'MismatchSenderId', results: 64, mismatched: 11 },
    ])
  },
)
