// Slow: two services of their own with five providers, and hundreds of phones.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { askStatus } from '../../../test/support/halts.ts'
import { askRollOut, givenTwoAddresses, computePlace, readRollOuts, setShare } from '../../../test/support/roll-outs.ts'
import type { PushOutcome } from '../provider/provider.ts'
import { returnFromRollOuts } from './roll-outs.ts'

const APPLE = 'apns/swapbell/production'
const GONE: PushOutcome = { kind: 'refused', code: 'DeviceNotRegistered', retry: false }
const NOTHING = { accepted: 0, refused: 0, gone: 0, opened: 0 }

type Five = Awaited<ReturnType<typeof startFiveProviders>>

async function sendTo({ service }: Five, users: GivenUser[]): Promise<number> {
  const messageId = await send(service, users)
  await drain(service)
  await service.app.inject({ url: '/api/admin/process-receipts', headers: (await service.given.admin()).headers })
  await drain(service)
  return messageId
}

async function readOne({ service }: Five) {
  const found = (await readRollOuts(service)).find(({ provider }) => provider === APPLE)
  expect(found).toBeDefined()
  return found!
}

describe('The share of a roll-out', () => {
  let five: Five
  let people: GivenUser[]

  beforeAll(async () => {
    five = await startFiveProviders()
    people = await givenTwoAddresses(five.service, five.production.instance, 300)
    await five.service.given.user({ devices: [{}] })
  })

  afterAll(() => five.service.close())

  test('is nothing at first, of each provider of Apple and Google', async () => {
    const none = { from: 'expo', share: 0, changed_at: null, changed_by: null, returned_at: null, phones_native: 0 }
    const rows = await readRollOuts(five.service)
    expect(rows.map(({ provider, phones }) => [provider, phones])).toEqual([
      [APPLE, 300],
      ['apns/swapbell/sandbox', 0],
      ['fcm/swapbell', 0],
    ])
    for (const row of rows)
      expect(row).toMatchObject({
        ...none,
        ways: [
          { ...NOTHING, provider: row.provider },
          { ...NOTHING, provider: 'expo' },
        ],
      })
    await sendTo(five, people)
    expect(five.production.pushes).toEqual([])
    expect((await readOne(five)).ways).toEqual([
      { ...NOTHING, provider: APPLE },
      { ...NOTHING, provider: 'expo', accepted: 300 },
    ])
  })

  test.for([1, 10, 50, 100])('of %d in a hundred is reached natively, and always the same phones', async (share) => {
    await setShare(five.service, APPLE, share)
    five.production.pushes.length = 0
    await sendTo(five, people)
    const below = people.filter(({ userId }) => computePlace(`phone-${userId}`) < share)
    expect(five.production.pushes.map(({ to }) => to).toSorted()).toEqual(
      below.map(({ userId }) => `apns-token:${userId}`).toSorted(),
    )
    const now = await readOne(five)
    expect(now).toMatchObject({ share, phones: 300, phones_native: below.length })
    expect(now.ways.map(({ accepted }) => accepted)).toEqual([below.length, 300 - below.length])
  })

  test('is changed by an administrator, whom it names, and begins both counts anew', async () => {
    const { service } = five
    const admin = await service.given.admin()
    expect((await askRollOut(service, { provider: APPLE, share: 10 }, admin)).statusCode).toBe(200)
    const changed_at = new Date(service.clock.now()).toISOString()
    expect(await readOne(five)).toMatchObject({ share: 10, changed_at, changed_by: admin.name })
    expect((await readOne(five)).ways).toEqual([
      { ...NOTHING, provider: APPLE },
      { ...NOTHING, provider: 'expo' },
    ])
    const entries = service.deps.db.selectFrom('audit_log').select(['actor_id', 'action']).orderBy('audit_id', 'desc')
    expect(await entries.executeTakeFirst()).toEqual({ actor_id: admin.userId, action: 'roll-out.change' })
    expectError(await askRollOut(service, { provider: APPLE, share: 50 }, await service.given.user()), 403, 'FORBIDDEN')
    expectError(await askRollOut(service, { provider: 'apns/other', share: 50 }), 404, 'NOT_FOUND')
    for (const provider of ['expo', 'web/swapbell'])
      expectError(await askRollOut(service, { provider, share: 50 }), 404, 'NOT_FOUND')
    for (const share of [2, -1, 101, '10', null, undefined])
      expectInvalid(await askRollOut(service, { provider: APPLE, share }), 'share')
    expectInvalid(await askRollOut(service, { share: 50 }), 'provider')
    expect(await readOne(five)).toMatchObject({ share: 10, changed_by: admin.name })
  })

  test('has both ways side by side: refused, gone and opened', async () => {
    const { service, production, simulator } = { ...five, simulator: five.service.simulator }
    await setShare(service, APPLE, 50)
    const [natively, byExpo] = [true, false].map((isNative) =>
      people.filter(({ userId }) => computePlace(`phone-${userId}`) < 50 === isNative),
    ) as [GivenUser[], GivenUser[]]
    const [gone, refused] = natively.slice(0, 2).map(({ userId }) => `apns-token:${userId}`)
    production.answer(({ to, notificationId }) =>
      to === gone
        ? GONE
        : to === refused
          ? { kind: 'refused', code: 'MessageTooBig', retry: false }
          : { kind: 'accepted', ticketId: `t-${notificationId}` },
    )
    const expoTokens = byExpo.slice(0, 3).map(({ userId }) => `ExponentPushToken[crowd-${userId}]`)
    for (const token of expoTokens.slice(0, 2)) simulator.setToken(token, { receipt: 'error:DeviceNotRegistered' })
    simulator.setToken(expoTokens[2]!, { ticketError: 'MessageTooBig' })
    const reader = await service.given.user()
    const payload = {
      token: 'apns-token:reader',
      environment: 'production',
      fallback_token: 'ExponentPushToken[reader]',
    }
    const phone = { ...payload, device_id: 'phone-a' }
    const url = '/api/user/save-phone-token'
    expect(
      (await service.app.inject({ method: 'POST', url, headers: reader.headers, payload: phone })).statusCode,
    ).toBe(200)
    const messageId = await sendTo(five, [...people, reader])
    production.answer(undefined)
    const open = {
      method: 'POST',
      url: `/api/v1/inbox/${messageId}/read`,
      headers: reader.headers,
      payload: {},
    } as const
    expect((await service.app.inject(open)).statusCode).toBe(200)
    const isReaderNative = computePlace('phone-a') < 50
    const [own, other] = (await readOne(five)).ways
    expect(own).toEqual({
      provider: APPLE,
      accepted: natively.length - 2 + Number(isReaderNative),
      refused: 1,
      gone: 1,
      opened: Number(isReaderNative),
    })
    const list = { url: '/api/admin/push-status/removed-devices', headers: (await service.given.admin()).headers }
    const removed = (await service.app.inject(list)).json<{ data: { provider: string }[] }>().data
    expect(removed.map(({ provider }) => provider).toSorted()).toEqual([APPLE, 'expo', 'expo'])
    expect(other).toMatchObject({ provider: 'expo', refused: 1, gone: 2, opened: Number(!isReaderNative) })
  })

  test('counts its phones once a minute at most, and says when', async () => {
    const { service, production } = five
    await service.clock.tick(60_000)
    const { phones, phones_counted_at } = await readOne(five)
    expect(phones_counted_at).toBe(new Date(service.clock.now()).toISOString())
    await service.deps.db
      .deleteFrom('mobile_devices')
      .where('token', '=', `apns-token:${people.at(-1)!.userId}`)
      .execute()
    await service.clock.tick(59_000)
    await setShare(service, production.instance.name, 100)
    expect(await readOne(five)).toMatchObject({ phones, phones_native: phones, phones_counted_at })
    await service.clock.tick(1_000)
    const later = { phones: phones - 1, phones_counted_at: new Date(service.clock.now()).toISOString() }
    expect(await readOne(five)).toMatchObject({ ...later, phones_native: phones - 1 })
  })
})

describe('A roll-out', () => {
  test('with twice as many gone ends by itself: all phones are reached as before, and those that were removed are back', async () => {
    const five = await startFiveProviders()
    const { service, production } = five
    try {
      const people = await givenTwoAddresses(service, production.instance, 600)
      await setShare(service, APPLE, 50)
      const natively = people.filter(({ userId }) => computePlace(`phone-${userId}`) < 50)
      const gone = new Set(natively.slice(0, 12).map(({ userId }) => `apns-token:${userId}`))
      production.answer(({ to, notificationId }) =>
        gone.has(to) ? GONE : { kind: 'accepted', ticketId: `t-${notificationId}` },
      )
      await send(service, people)
      await drain(service)
      // Phones are counted once a minute.
      await service.clock.tick(60_000)
      // Nothing is known yet of those that went by Expo.
      await returnFromRollOuts(service.deps)
      expect(await readOne(five)).toMatchObject({ share: 50, returned_at: null, phones: 588 })
      await service.app.inject({ url: '/api/admin/process-receipts', headers: (await service.given.admin()).headers })
      await drain(service)
      await service.clock.tick(60_000)
      await returnFromRollOuts(service.deps)
      const returned_at = new Date(service.clock.now()).toISOString()
      const state = await readOne(five)
      expect(state).toMatchObject({ share: 0, returned_at, phones: 600, phones_native: 0 })
      expect(state.changed_at).not.toBe(returned_at)
      expect(state.ways).toMatchObject([{ gone: 12 }, { gone: 0 }])
      const { alerts } = (await askStatus(service)).json<{ data: { alerts: object[] } }>().data
      expect(alerts).toMatchObject([{ code: 'RollOutReturned', providers: [APPLE], resolved_at: null, times: 1 }])

      production.pushes.length = 0
      const before = service.simulator.log().length
      await sendTo(five, people)
      expect(production.pushes).toEqual([])
      expect(service.simulator.log().length - before).toBe(600)
      await returnFromRollOuts(service.deps)
      expect(await readOne(five)).toMatchObject({ share: 0, returned_at })
      await setShare(service, APPLE, 1)
      expect(await readOne(five)).toMatchObject({ share: 1, returned_at: null })
      const after = (await askStatus(service)).json<{ data: { alerts: object[] } }>().data.alerts
      expect(after).toMatchObject([{ code: 'RollOutReturned', resolved_at: expect.any(String) }])
    } finally {
      await service.close()
    }
  })

  test('goes on where the gone phones are those of one person, who may have registered them to end it', async () => {
    const five = await startFiveProviders()
    const { service, production } = five
    try {
      const people = await givenTwoAddresses(service, production.instance, 450)
      const places = Array.from({ length: 100 }, (_, n) => `own-${n}`).filter((id) => computePlace(id) < 50)
      const phones = places.slice(0, 12).map((id) => ({ token: `apns-token:${id}`, deviceId: id, provider: APPLE }))
      const one = await service.given.user({ devices: phones })
      const withFallback = {
        fallback_token: sql<string>`'ExponentPushToken[' || token || ']'`,
        fallback_provider: 'expo',
      }
      await service.deps.db.updateTable('mobile_devices').set(withFallback).where('user_id', '=', one.userId).execute()
      await setShare(service, APPLE, 50)
      production.answer(({ to, notificationId }) =>
        to.startsWith('apns-token:own-') ? GONE : { kind: 'accepted', ticketId: `t-${notificationId}` },
      )
      await sendTo(five, [...people, one])
      await returnFromRollOuts(service.deps)
      const state = await readOne(five)
      expect(state).toMatchObject({ share: 50, returned_at: null, ways: [{ gone: 12 }, { gone: 0 }] })
      expect(state.ways.every(({ accepted }) => accepted >= 200)).toBe(true)
    } finally {
      await service.close()
    }
  })
})
