// Slow: a second or more for each test, or five for the file.
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApnsDouble } from '../../../../../simulator/src/apns/apns.ts'
import { AUTHORITY } from '../../../../../simulator/src/http2/certificates.ts'
import { appleKey, deviceToken, KEY_ID, TEAM, TOPIC } from '../../../../test/support/apns.ts'
import { readCopies, send } from '../../../../test/support/campaign.ts'
import { register, toDevices } from '../../../../test/support/devices.ts'
import { drain } from '../../../../test/support/drain.ts'
import { startService } from '../../../../test/support/service.ts'
import { readEntries } from '../configured-providers.ts'
import { findProviderState } from '../provider-state.queries.ts'
import { describeExpo } from '../registry.ts'
import { APNS } from './apns.ts'
import { toTicketId } from '../each-push.ts'

const PRODUCTION = 'apns/swapbell/production'

describe('a phone with a token of Apple', () => {
  test('gets its push from Apple, which is delivered at once, beside a phone of Expo', async () => {
    const { service, double, person } = await world()
    const user = await person('production')
    const messageId = await send(service, [user], { promotional: false })
    await drain(service)
    const copies = await readCopies(service, messageId)
    expect(copies).toMatchObject([
      { is_send: true, is_delivered: true },
      { is_send: true, is_delivered: null },
    ])
    const [native] = copies
    expect(double.log()).toMatchObject([
      {
        token: deviceToken(user.userId),
        apnsId: toTicketId('apns', native!.notification_id),
        notification_id: native!.notification_id,
      },
    ])
    expect(service.simulator.log()).toHaveLength(1)
    expect(service.logged()).not.toContain(deviceToken(user.userId))
  })

  test('is removed by the time of a 410, unless it registered after that', async () => {
    const { service, double, person } = await world()
    const [gone, back] = [await person('production'), await person('production')]
    const before = service.clock.now() - 60_000
    double.setToken(deviceToken(gone.userId), { reason: 'Unregistered', since: service.clock.now() + 1_000 })
    double.setToken(deviceToken(back.userId), { reason: 'Unregistered', since: before })
    await service.clock.tick(2_000)
    await send(service, [gone, back])
    await drain(service)
    expect((await toDevices(service, gone))[0]).toMatchObject({ removed_reason: 'DeviceNotRegistered' })
    expect((await toDevices(service, back))[0]).toMatchObject({ removed_reason: null })
  })

  test.for([-1e15, 8.64e15])('that is gone since %d leaves the answers about others as they are', async (since) => {
    const { service, double, person } = await world()
    const [gone, other] = [await person('production'), await person('production')]
    double.setToken(deviceToken(gone.userId), { reason: 'Unregistered', since })
    const messageId = await send(service, [gone, other])
    await drain(service)
    const copies = await readCopies(service, messageId)
    expect(copies.map(({ is_send, error_message }) => ({ is_send, error_message }))).toEqual([
      { is_send: false, error_message: 'DeviceNotRegistered' },
      ...Array.from({ length: 3 }, () => ({ is_send: true, error_message: null })),
    ])
    expect(double.log()).toHaveLength(1)
  })

  test('of the other environment is not removed, and nothing halts', async () => {
    const { service, person } = await world()
    const users = await Promise.all(Array.from({ length: 20 }, async () => person('sandbox')))
    const messageId = await send(service, users)
    await drain(service)
    const native = (await readCopies(service, messageId)).filter(({ error_message }) => error_message !== null)
    expect(native.map(({ error_message }) => error_message)).toEqual(Array(20).fill('BadDeviceToken'))
    expect(await listRemoved(service)).toEqual([])
    expect((await findProviderState(service.deps.db, 'apns/swapbell/sandbox')).breaker).toBe('closed')
  })
})

test('a wrong topic halts its app and environment alone, says what to do, uses no attempt, and removes nothing', async () => {
  const { service, double, person } = await world({ topic: 'com.example.other' })
  const user = await person('production')
  const messageId = await send(service, [user], { promotional: false })
  await drain(service)
  expect(await findProviderState(service.deps.db, PRODUCTION)).toMatchObject({
    breaker: 'halted',
    breaker_code: 'Unauthorized',
  })
  expect((await findProviderState(service.deps.db, 'expo')).breaker).toBe('closed')
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, settled_at: null }, { is_send: true }])
  const alerts = await service.deps.db.selectFrom('alerts').select(['providers', 'detail']).execute()
  expect(alerts).toEqual([{ providers: [PRODUCTION], detail: expect.stringContaining('TopicDisallowed') }])
  expect(double.log()).toEqual([])
  expect(await listRemoved(service)).toEqual([])
})

/** A service with Expo, and Apple in both environments as settings describe it. */
async function world({ topic = TOPIC } = {}) {
  const { privateKey, publicKey } = appleKey()
  const clock = { now: () => Date.now() }
  const double = await startApnsDouble({
    keys: [{ team: TEAM, keyId: KEY_ID, key: publicKey }],
    topics: [TOPIC],
    now: () => clock.now(),
  })
  onTestFinished(() => double.close())
  const entry = (environment: 'production' | 'sandbox') => ({
    settings: {
      kind: 'apns',
      app: 'swapbell',
      environment,
      team: TEAM,
      key_id: KEY_ID,
      topic,
      key_file: 'key.p8',
      ca_file: 'ca.pem',
      address: double[environment].url,
    },
    texts: { key_file: privateKey, ca_file: AUTHORITY },
  })
  const config = { PUSH_PROVIDERS_FILE: [entry('production'), entry('sandbox')] }
  const service = await startService(config, {
    registry: (settings) => {
      const { instances, faults } = readEntries(settings, [APNS])
      expect(faults).toEqual([])
      return [describeExpo(settings), ...instances]
    },
  })
  onTestFinished(() => service.close())
  clock.now = () => service.clock.now()
  /** Someone with a native phone, and one of Expo. */
  const person = async (environment: 'production' | 'sandbox') => {
    const user = await service.given.user()
    const native = { token: deviceToken(user.userId), token_type: 'apns', app: 'swapbell', environment }
    for (const [n, device] of [native, { token: `ExponentPushToken[${user.userId}]` }].entries()) {
      const answer = await register(service, user, { ...device, device_id: `phone ${n}`, platform: 'ios' })
      expect(answer.statusCode).toBe(200)
    }
    return user
  }
  return { service, double, person }
}

async function listRemoved({ deps }: Awaited<ReturnType<typeof world>>['service']) {
  return deps.db.selectFrom('mobile_devices').select('id').where('removed_reason', 'is not', null).execute()
}
