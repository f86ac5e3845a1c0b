import type * as Sdk from 'expo-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from './server.ts'

// The client reads EXPO_BASE_URL when it is imported, so the simulator is there first.
let simulator: Simulator
let Expo: typeof Sdk.Expo

beforeAll(async () => {
  simulator = await startSimulator({ port: 0, receiptDelayMs: 0, ratePerSecond: 0, accessToken: 'secret' })
  process.env['EXPO_BASE_URL'] = simulator.url
  Expo = (await import('expo-server-sdk')).Expo
})
afterAll(() => simulator.close())
beforeEach(() => simulator.reset())

describe('the official client against the simulator', () => {
  it('sends its chunks, small ones plain and large ones as gzip, and reads their receipts', async () => {
    const expo = new Expo({ accessToken: 'secret' })
    const to = Array.from({ length: 120 }, (_, index) => `ExponentPushToken[t-${index}]`)
    const chunks = expo.chunkPushNotifications([
      { to, title: 'To many', data: { notification_id: 'many' } },
      ...to.slice(0, 85).map((token, index) => ({ to: token, data: { notification_id: `one-${index}` } })),
    ])
    expect(chunks).toHaveLength(3)
    const ids = []
    for (const chunk of chunks) {
      for (const ticket of await expo.sendPushNotificationsAsync(chunk)) if (ticket.status === 'ok') ids.push(ticket.id)
    }
    expect(new Set(ids).size).toBe(205)
    expect(simulator.log()).toHaveLength(205)
    expect(simulator.state()).toMatchObject({ duplicates: 119, sendRequests: 3 })
    for (const chunk of expo.chunkPushNotificationReceiptIds(ids)) {
      const receipts = await expo.getPushNotificationReceiptsAsync(chunk)
      expect(Object.keys(receipts)).toEqual(chunk)
    }
  })

  it('finds a dead device in its ticket and in its receipt', async () => {
    const expo = new Expo({ accessToken: 'secret' })
    const [dead, gone] = await expo.sendPushNotificationsAsync([
      { to: 'ExponentPushToken[dead-1]' },
      { to: 'ExponentPushToken[gone-1]' },
    ])
    expect(dead).toMatchObject({ status: 'error', details: { expoPushToken: 'ExponentPushToken[dead-1]' } })
    const id = gone?.status === 'ok' ? gone.id : ''
    const receipts = await expo.getPushNotificationReceiptsAsync([id])
    expect(receipts[id]).toMatchObject({ status: 'error', details: { error: 'DeviceNotRegistered' } })
  })

  it('reports the codes of whole-request failures', async () => {
    const expo = new Expo({ accessToken: 'secret', retryMinTimeout: 1 })
    const one = [{ to: 'ExponentPushToken[a]' }]
    const sending = (messages: { to: string }[]) => expo.sendPushNotificationsAsync(messages)
    await expect(sending(Array(101).fill(one[0]))).rejects.toMatchObject({ code: 'PUSH_TOO_MANY_NOTIFICATIONS' })
    await expect(sending([...one, { to: 'ExponentPushToken[proj-b:1]' }])).rejects.toMatchObject({
      code: 'PUSH_TOO_MANY_EXPERIENCE_IDS',
      details: { '@simulator/b': ['ExponentPushToken[proj-b:1]'] },
    })
    simulator.script([{ status: 429, times: 3 }])
    await expect(sending(one)).rejects.toMatchObject({ statusCode: 429, code: 'TOO_MANY_REQUESTS' })
    simulator.script([{ status: 502 }])
    await expect(sending(one)).rejects.toMatchObject({ statusCode: 502, errorText: expect.stringContaining('<h1>') })
    simulator.script([
      {
        errors: [
          { code: 'X', message: 'first' },
          { code: 'Y', message: 'second' },
        ],
      },
    ])
    await expect(sending(one)).rejects.toMatchObject({ code: 'X', others: [{ code: 'Y' }], statusCode: 200 })
  })

  it('sends again after a 429 and is then accepted once', async () => {
    const expo = new Expo({ accessToken: 'secret', retryMinTimeout: 1 })
    simulator.script([{ status: 429, times: 2 }])
    expect(await expo.sendPushNotificationsAsync([{ to: 'ExponentPushToken[a]' }])).toHaveLength(1)
    expect(simulator.state()).toMatchObject({ sendRequests: 3, acceptedMessages: 1 })
  })

  it('is refused with a wrong access token and without one', async () => {
    const one = [{ to: 'ExponentPushToken[a]' }]
    await expect(new Expo({ accessToken: 'no' }).sendPushNotificationsAsync(one)).rejects.toMatchObject({
      statusCode: 401,
      errorData: { error: 'invalid_token' },
    })
    await expect(new Expo().sendPushNotificationsAsync(one)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('throws when the number of tickets is not the number of messages', async () => {
    const expo = new Expo({ accessToken: 'secret' })
    simulator.script([{ body: 'fewer' }])
    await expect(expo.sendPushNotificationsAsync([{ to: 'ExponentPushToken[a]' }])).rejects.toThrow('got 0')
  })
})
