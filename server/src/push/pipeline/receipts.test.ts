// Slow: a second or more for each test, or five for the file.
import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { sql } from 'kysely'
import { claimDueReceipts } from '../ledger/requests.queries.ts'
import { fetchReceipts } from './receipts.ts'
import { sendBatches } from './submit.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('receipts', () => {
  test('are first asked for after 15 minutes, and the flag is null until then', async ({ service, clock }) => {
    const messageId = await sent(service, await usersWithPhones(service, 1))
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, is_delivered: null }])
    await clock.tick(14 * MINUTE)
    expect(await askDue(service)).toBe(0)
    await clock.tick(2 * MINUTE)
    expect(await askDue(service)).toBe(1)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: true, error_message: null }])
    expect(await askDue(service)).toBe(0)
    await expectTruth(service, messageId)
  })

  test('that are absent stay open, are asked for ever more rarely, and expire after 24 h', async ({
    service,
    clock,
    simulator,
  }) => {
    const user = await service.given.user({ devices: [{ token: 'ExponentPushToken[noreceipt-1]' }] })
    const messageId = await sent(service, [user])
    const sentAt = clock.now()
    for (const hours of [0.25, 0.5, 1, 3, 6, 12, 20, 23.5]) {
      await clock.setTime(sentAt + hours * HOUR - MINUTE)
      expect(await askDue(service)).toBe(0)
      await clock.setTime(sentAt + hours * HOUR + MINUTE)
      expect(await askDue(service)).toBe(1)
    }
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: null, settled_at: null }])
    await clock.setTime(sentAt + 24 * HOUR + MINUTE)
    expect(await askDue(service)).toBe(1)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_delivered: false, error_message: 'ReceiptExpired' },
    ])
    await clock.setTime(sentAt + 72 * HOUR)
    expect(await askDue(service)).toBe(0)
    expect(simulator.state().receiptRequests).toBe(9)
    await expectTruth(service, messageId)
  })

  test('that say DeviceNotRegistered remove the device', async ({ service, clock }) => {
    const user = await service.given.user({ devices: [{ token: 'ExponentPushToken[gone-1]' }] })
    const messageId = await sent(service, [user])
    await clock.tick(16 * MINUTE)
    await askDue(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: true, is_delivered: false, error_message: 'DeviceNotRegistered' },
    ])
    expect(await removedReason(service, user)).toBe('DeviceNotRegistered')
    await expectTruth(service, messageId)
  })

  test('older than the device’s last registration remove nothing', async ({ service, app, clock }) => {
    const token = 'ExponentPushToken[gone-2]'
    const user = await service.given.user({ devices: [{ token }] })
    await sent(service, [user])
    await clock.tick(MINUTE)
    const payload = { token, device_id: user.devices[0]?.deviceId, platform: 'ios' }
    await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
    await clock.tick(16 * MINUTE)
    expect(await askDue(service)).toBe(1)
    expect(await removedReason(service, user)).toBeNull()
  })

  test('that the provider cannot give now are requested again a minute later, and no flag changes', async ({
    service,
    clock,
    simulator,
  }) => {
    const messageId = await sent(service, await usersWithPhones(service, 2))
    await clock.tick(16 * MINUTE)
    simulator.script([
      { match: 'getReceipts', status: 503 },
      { match: 'getReceipts', body: 'html' },
      { match: 'getReceipts', body: 'object' },
    ])
    for (let round = 0; round < 3; round++) {
      await askDue(service)
      expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: null }, { is_delivered: null }])
      await clock.tick(61_000)
    }
    await askDue(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: true }, { is_delivered: true }])
  })

  test('that the provider never gives, and never says are absent, expire after two days', async ({
    service,
    clock,
    simulator,
  }) => {
    const messageId = await sent(service, await usersWithPhones(service, 1))
    const sentAt = clock.now()
    simulator.script([{ match: 'getReceipts', status: 503, times: 0 }])
    await clock.setTime(sentAt + 47 * HOUR)
    await askDue(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: null }])
    await clock.setTime(sentAt + 48 * HOUR + MINUTE)
    await askDue(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_delivered: false, error_message: 'ReceiptExpired' },
    ])
    await expectTruth(service, messageId)
  })

  test('are asked for by two workers at once without asking for one twice', async ({ service, clock, simulator }) => {
    const users = await usersWithPhones(service, 30)
    for (const user of users) await send(service, [user])
    await drain(service)
    await clock.tick(16 * MINUTE)
    const asked = await Promise.all([askDue(service), askDue(service), askDue(service)])
    expect(asked.reduce((sum, count) => sum + count)).toBe(30)
    expect(simulator.state().duplicates).toBe(0)
  })

  test('of pushes to single people are asked for in one question', async ({ service, clock, simulator }) => {
    const users = await usersWithPhones(service, 21)
    for (const user of users) {
      await send(service, [user], { promotional: false })
      await sendBatches(service.deps, { home: 0, lane: 'transactional', limit: 1 })
    }
    expect(simulator.state().sendRequests).toBe(21)
    await clock.tick(16 * MINUTE)
    expect(await askDue(service)).toBe(21)
    expect(simulator.state().receiptRequests).toBe(1)
  })

  test('are claimed for as many requests as one question holds, whatever the plan', async ({ service, clock }) => {
    const users = await usersWithPhones(service, 12)
    for (const user of users) await sent(service, [user])
    const now = new Date(service.clock.now())
    const claim = { home: 0, provider: 'expo', now, until: now, roundStart: now, tickets: 5, dueOnly: false }
    const claimed = await service.deps.db.transaction().execute(async (tx) => {
      for (const kind of ['hashjoin', 'mergejoin', 'material', 'hashagg'])
        await sql`select set_config(${`enable_${kind}`}, 'off', true)`.execute(tx)
      return claimDueReceipts(tx, claim)
    })
    expect(claimed).toHaveLength(5)
    await clock.tick(1)
    const { signal } = new AbortController()
    expect(await fetchReceipts(service.deps, { limit: 100, dueOnly: false }, signal)).toBe(12)
  })

  test('on demand do not wait for the schedule, and stop at the limit', async ({ service }) => {
    const users = await usersWithPhones(service, 3)
    for (const user of users) await send(service, [user])
    await drain(service)
    const signal = new AbortController().signal
    expect(await fetchReceipts(service.deps, { limit: 100, dueOnly: false }, signal)).toBe(3)
    expect(await fetchReceipts(service.deps, { limit: 100, dueOnly: false }, signal)).toBe(0)
  })
})

async function sent(service: Service, users: GivenUser[]): Promise<number> {
  const messageId = await send(service, users)
  await drain(service)
  return messageId
}

async function askDue({ deps }: Service): Promise<number> {
  return fetchReceipts(deps, { limit: 10_000, dueOnly: true }, new AbortController().signal)
}

async function removedReason({ deps }: Service, user: GivenUser): Promise<string | null | undefined> {
  const device = await deps.db
    .selectFrom('mobile_devices')
    .select('removed_reason')
    .where('id', '=', user.devices[0]?.id ?? 0)
    .executeTakeFirst()
  return device?.removed_reason
}
