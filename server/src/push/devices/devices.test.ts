import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { toDevices, phone, register } from '../../../test/support/devices.ts'
import { readCopies, expectTruth, send, untilRetry } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { badTexts, expectInvalid } from '../../../test/support/faults.ts'
import { createRegisterDevice } from './devices.ts'

// Both copies of a send wait for their retry.
const TRY_LATER = { match: 'send', ticketErrors: { '0': 'MessageRateExceeded', '1': 'MessageRateExceeded' } } as const

describe('POST /api/user/save-phone-token', () => {
  test('registers the phone, and answers without the token', async ({ service, given }) => {
    const user = await given.user()
    const device = phone()
    const answer = await register(service, user, device)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      data: { device_id: device.device_id, platform: 'ios' },
      message: 'Device registered',
    })
    expect(await toDevices(service, user)).toMatchObject([{ ...device, removed_at: null }])
  })

  test('takes a body without device_id or platform: the session names the phone, the platform is unknown', async ({
    service,
    given,
  }) => {
    for (const missing of [['device_id'], ['platform'], ['device_id', 'platform']] as const) {
      const user = await given.user()
      const device = phone(Object.fromEntries(missing.map((field) => [field, undefined])))
      const answer = await register(service, user, device)
      expect(answer.statusCode).toBe(200)
      const [row] = await toDevices(service, user)
      const named = {
        device_id: device.device_id ?? row?.session_id,
        platform: device.platform ?? 'unknown',
      }
      expect(answer.json()).toMatchObject({ data: named })
      expect(row).toMatchObject({ token: device.token, ...named, removed_at: null })
    }
  })

  test('again, at every launch, refreshes the one row', async ({ service, given, clock }) => {
    const user = await given.user()
    const device = phone()
    await register(service, user, device)
    const [before] = await toDevices(service, user)
    await clock.tick(5_000)
    await register(service, user, device)
    const after = await toDevices(service, user)
    expect(after).toHaveLength(1)
    expect(after[0]?.id).toBe(before?.id)
    expect(after[0]!.last_registered_at.getTime() - before!.last_registered_at.getTime()).toBe(5_000)
  })

  test('of a person with 20 phones replaces the one that registered longest ago', async ({ service, given, clock }) => {
    const user = await given.user()
    const phones = Array.from({ length: 21 }, () => phone())
    for (const [n, device] of phones.slice(0, 20).entries()) {
      if (n % 10 === 0) await clock.tick(61_000)
      await register(service, user, device)
    }
    await clock.tick(61_000)
    await register(service, user, phones[0]!)
    expect((await toDevices(service, user)).map((row) => row.removed_reason)).toEqual(Array(20).fill(null))
    expect((await register(service, user, phones[20]!)).statusCode).toBe(200)
    const gone = (await toDevices(service, user)).filter((row) => row.removed_at !== null)
    expect(gone).toMatchObject([{ token: phones[1]!.token, removed_reason: 'replaced' }])
  })

  test('with a new token for the same phone replaces the old one', async ({ service, given }) => {
    const user = await given.user()
    const device = phone()
    await register(service, user, device)
    const renewed = { ...device, token: phone().token }
    await register(service, user, renewed)
    expect(await toDevices(service, user)).toMatchObject([
      { token: device.token, removed_reason: 'replaced' },
      { token: renewed.token, removed_at: null },
    ])
    const messageId = await send(service, [user])
    await drain(service)
    expect(await readCopies(service, messageId)).toHaveLength(1)
  })

  test('with the same token under another device_id or platform changes the one row', async ({ service, given }) => {
    const user = await given.user()
    const device = phone()
    await register(service, user, device)
    const changed = { ...device, device_id: randomUUID(), platform: 'android' }
    await register(service, user, changed)
    expect(await toDevices(service, user)).toMatchObject([{ ...changed, removed_at: null }])
  })

  test('moves the token to the latest account and cancels what the former owner has unsent to it', async ({
    service,
    given,
    simulator,
  }) => {
    const ann = await given.user({ devices: [{}, {}] })
    const bob = await given.user()
    const [moving, staying] = ann.devices
    simulator.script([TRY_LATER])
    const failed = await send(service, [ann])
    await drain(service)
    const notBegun = await send(service, [ann])

    await register(service, bob, phone({ token: moving?.token }))
    await untilRetry(service)
    await drain(service)
    expect((await readCopies(service, failed)).find((copy) => copy.mobile_devices_id === moving?.id)).toMatchObject({
      error_message: 'DeviceMoved',
      settled_at: expect.any(Date) as Date,
    })

    for (const messageId of [failed, notBegun])
      expect((await readCopies(service, messageId)).filter((copy) => copy.is_send)).toMatchObject([
        { mobile_devices_id: staying?.id },
      ])
    expect(simulator.log().map((entry) => entry.token)).not.toContain(moving?.token)
    await expectTruth(service, failed)

    const toBob = await send(service, [bob])
    await drain(service)
    expect(simulator.log().at(-1)?.token).toBe(moving?.token)
    expect(await readCopies(service, toBob)).toMatchObject([{ is_send: true }])
  })

  test('of one token by twenty accounts at once leaves it with one of them', async ({ service, given, deps }) => {
    const { token } = phone()
    const users = await Promise.all(Array.from({ length: 20 }, () => given.user()))
    const answers = await Promise.all(users.map((user) => register(service, user, phone({ token }))))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    const owners = await deps.db.selectFrom('mobile_devices').where('token', '=', token).selectAll().execute()
    expect(owners.filter((row) => row.removed_at === null)).toHaveLength(1)
  })

  test('of many at once has the same result as one by one: new, known, replaced, moved and twice the same', async ({
    service,
    given,
  }) => {
    const [fresh, known, renewed, loser] = [
      await given.user(),
      await given.user({ devices: [{}] }),
      await given.user({ devices: [{ deviceId: 'old phone' }] }),
      await given.user({ devices: [{}] }),
    ]
    const winner = await given.user()
    const [first, second] = [phone(), phone()]
    const again = { ...phone({ token: known.devices[0]?.token }), device_id: known.devices[0]?.deviceId }
    const answers = await Promise.all([
      register(service, fresh, first),
      register(service, fresh, first),
      register(service, fresh, second),
      register(service, known, again),
      register(service, renewed, phone({ device_id: 'old phone' })),
      register(service, winner, phone({ token: loser.devices[0]?.token })),
    ])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await toDevices(service, fresh)).map(({ token }) => token).toSorted()).toEqual(
      [first.token, second.token].toSorted(),
    )
    expect(await toDevices(service, known)).toMatchObject([{ id: known.devices[0]?.id, removed_at: null }])
    expect(await toDevices(service, renewed)).toMatchObject([{ removed_reason: 'replaced' }, { removed_at: null }])
    expect(await toDevices(service, loser)).toMatchObject([{ removed_reason: 'moved' }])
    expect(await toDevices(service, winner)).toMatchObject([{ token: loser.devices[0]?.token, removed_at: null }])
  })

  test('waits for another transaction on that phone, while registrations beside it do not wait', async ({
    given,
    deps,
  }) => {
    const busy = await given.user({ devices: [{ deviceId: 'busy' }] })
    const free = await given.user()
    const registerDevice = createRegisterDevice(deps)
    const sessionId = randomUUID()
    const held = {
      userId: busy.userId,
      sessionId,
      deviceId: 'busy',
      token: busy.devices[0]!.token,
      platform: 'ios' as const,
    }
    const other = { userId: free.userId, sessionId, deviceId: 'free', token: phone().token, platform: 'ios' as const }
    let isDone = false
    const waiting = await deps.db.transaction().execute(async (tx) => {
      await tx.updateTable('mobile_devices').set({ platform: 'ios' }).where('user_id', '=', busy.userId).execute()
      const waits = registerDevice(held).then(() => (isDone = true))
      // It would fail if it waited for the lock, which is held until this returns.
      await registerDevice(other)
      expect(isDone).toBe(false)
      return [waits]
    })
    await waiting[0]
    expect(isDone).toBe(true)
  })

  test('that fails does not fail registrations beside it', async ({ service, given, deps }) => {
    const [gone, staying] = [await given.user(), await given.user()]
    for (const { headers } of [gone, staying]) await service.app.inject({ url: '/api/notification', headers })
    await deps.db.deleteFrom('users').where('user_id', '=', gone.userId).execute()
    const [failed, stored] = await Promise.all([register(service, gone, phone()), register(service, staying, phone())])
    expect([failed.statusCode, stored.statusCode]).toEqual([500, 200])
    expect(await toDevices(service, staying)).toHaveLength(1)
  })

  test.for<[string, string, unknown]>([
    ...badTexts(255).map(([what, value]): [string, string, unknown] => ['token', what, value]),
    ...badTexts(255)
      .filter(([what]) => what !== 'missing')
      .map(([what, value]): [string, string, unknown] => ['device_id', what, value]),
    ['token', 'no push token', 'abc'],
    ['token', 'without an inside', 'ExponentPushToken[]'],
    ['platform', 'of a third kind', 'web'],
    ['platform', 'in capitals', 'IOS'],
    ['user_id', 'not a field', 1],
  ])('refuses a body whose %s is %s', async ([field, , value], { service, given }) => {
    const user = await given.user()
    expectInvalid(await register(service, user, phone({ [field]: value })), field)
    expect(await toDevices(service, user)).toEqual([])
  })
})
