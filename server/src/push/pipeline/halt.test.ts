// Slow: a second or more for each test, or five for the file.
import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sendBatches } from './submit.ts'

afterEach<{ service: Service }>(async ({ service }) => {
  await calmDown(service)
  await service.deps.db.deleteFrom('alerts').execute()
})

describe('a configuration fault', () => {
  test('pauses sending for everyone, alerts administrators, and removes no device; resuming sends everything', async ({
    service,
    app,
  }) => {
    const admin = await service.given.admin()
    const users = await usersWithPhones(service, 3)
    service.simulator.script([
      { match: 'send', status: 401, errors: [{ code: 'UNAUTHORIZED', message: 'no' }], times: 0 },
    ])
    const campaign = await send(service, users)
    const second = await send(service, users)
    const transactional = await send(service, users, { promotional: false })
    for (let round = 0; round < 3; round++) {
      await drain(service)
      await untilRetry(service)
    }

    expect(service.simulator.state().sendRequests).toBeLessThanOrEqual(2)
    expect(await pushStatus(service, admin.headers)).toMatchObject({
      breaker: 'halted',
      code: 'Unauthorized',
      alerts: [{ code: 'Unauthorized', resolved_at: null }],
    })
    expect(await readList(service, admin.headers, campaign)).toMatchObject({
      status: 'paused',
      pause_reason: 'Unauthorized',
    })

    service.simulator.clearScript()
    const resumed = await app.inject({ method: 'POST', url: '/api/admin/push-status/resume', headers: admin.headers })
    expect(resumed.json()).toMatchObject({
      data: { breaker: 'closed', alerts: [{ resolved_at: expect.any(String) as string }] },
    })
    await drain(service)
    await untilRetry(service)
    await drain(service)
    for (const messageId of [campaign, second, transactional]) {
      expect(await readCopies(service, messageId)).toMatchObject(
        users.map(() => ({ is_send: true, error_message: null })),
      )
      await expectTruth(service, messageId)
    }
    const devices = await service.deps.db
      .selectFrom('mobile_devices')
      .select('id')
      .where('removed_at', 'is not', null)
      .execute()
    expect(devices).toEqual([])
  })
})

describe('a mass of devices reported gone', () => {
  test('removes none of them, brings back what was removed before, pauses campaigns and raises an alert', async ({
    service,
  }) => {
    const admin = await service.given.admin()
    await service.given.crowd(700)
    const { rows } = await service.deps.pool.query<{ user_id: number; token: string }>(
      `select user_id, token from mobile_devices where token like '%crowd%' order by user_id`,
    )
    for (const { token } of rows.slice(0, 400))
      service.simulator.setToken(token, { ticketError: 'DeviceNotRegistered' })
    const users = rows.map((row) => ({
      userId: row.user_id,
      email: '',
      name: '',
      headers: { authorization: '' },
      devices: [],
    }))
    const messageId = await send(service, users)
    await drain(service)

    const gone = await service.deps.pool.query<{ n: number }>(
      `select count(*)::int as n from mobile_devices where removed_at is not null`,
    )
    expect(gone.rows[0]?.n).toBe(0)
    expect(await pushStatus(service, admin.headers)).toMatchObject({
      breaker: 'halted',
      code: 'DeviceNotRegistered',
      alerts: [{ code: 'DeviceNotRegistered', resolved_at: null }],
    })
    const failed = (await readCopies(service, messageId)).filter((copy) => copy.error_message === 'DeviceNotRegistered')
    expect(failed).toHaveLength(400)
  })

  test('raises no alert if few of many are gone', async ({ service }) => {
    const dead = []
    for (let i = 0; i < 5; i++)
      dead.push(await service.given.user({ devices: [{ token: `ExponentPushToken[dead-few-${i}]` }] }))
    await send(service, [...dead, ...(await usersWithPhones(service, 10))])
    await drain(service)
    const removed = await service.deps.db
      .selectFrom('mobile_devices')
      .select('id')
      .where('removed_at', 'is not', null)
      .execute()
    expect(removed).toHaveLength(5)
  })
})

describe('a provider that is down', () => {
  test('opens the breaker after ten failures; nothing is sent, no attempt is used, until a probe is answered', async ({
    service,
    clock,
  }) => {
    service.simulator.script([{ cut: 'before-read', times: 0 }])
    const messages: number[] = []
    for (const user of await usersWithPhones(service, 12)) {
      messages.push(await send(service, [user]))
      await drain(service)
    }
    // The first ten were tried and are due again a minute later; the others have not been touched.
    for (let minute = 0; minute < 10; minute++) {
      await clock.setTime(clock.now() + 61_000)
      await drain(service)
    }
    expect(service.simulator.state().sendRequests).toBe(10)
    expect(await readCopies(service, messages[11] ?? 0)).toEqual([])
    const { alerts } = await pushStatus(service, (await service.given.admin()).headers)
    expect(alerts).toMatchObject([{ code: 'ProviderUnavailable', resolved_at: null }])

    service.simulator.clearScript()
    await clock.setTime(clock.now() + 61_000)
    await drain(service)
    for (const messageId of messages) {
      expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
      await expectTruth(service, messageId)
    }
  })
})

test('a provider that fails in the middle of a claim gets no more of its requests', async ({ service, deps }) => {
  const messageId = await send(service, await usersWithPhones(service, 40))
  service.simulator.script([{ cut: 'before-read', times: 0 }])
  const sender = { ...deps, provider: { ...deps.provider, maxPushes: 1 } }
  await sendBatches(sender, { home: 0, lane: 'campaign', limit: 1 })
  // The third failure opens the breaker; until that is stored, others begin.
  expect(service.simulator.state().sendRequests).toBeLessThan(20)
  service.simulator.clearScript()
  await untilRetry(service)
  await drain(service)
  expect(await readCopies(service, messageId)).toHaveLength(40)
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 40 })
  await expectTruth(service, messageId)
})

async function pushStatus({ app }: Service, headers: { authorization: string }) {
  const answer = await app.inject({ url: '/api/admin/push-status', headers })
  return answer.json<{ data: { breaker: string; code: string; alerts: unknown[] } }>().data
}

async function readList({ app }: Service, headers: { authorization: string }, messageId: number): Promise<unknown> {
  const answer = await app.inject({ url: '/api/admin/promotional-notifications', headers })
  return answer
    .json<{ data: { notification_id: number }[] }>()
    .data.find((entry) => entry.notification_id === messageId)
}
