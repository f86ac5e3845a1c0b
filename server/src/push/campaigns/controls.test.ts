// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, usersWithPhones, sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

type Counts = Record<
  'selected' | 'notified' | 'waiting' | 'notifications' | 'sent' | 'delivered' | 'failed' | 'pending',
  number
> & {
  skipped: Record<string, number>
}
type Campaign = { status: string; counts: Counts; progress: { percent: number; batches_left: number } }

async function control({ app, given }: Service, messageId: number, action: string) {
  const { headers } = await given.admin()
  return app.inject({ method: 'POST', url: `/api/admin/promotional-notifications/${messageId}/${action}`, headers })
}

async function readCampaign({ app, given }: Service, messageId: number): Promise<Campaign> {
  const { headers } = await given.admin()
  const answer = await app.inject({ url: `/api/admin/promotional-notifications/${messageId}`, headers })
  const { summary } = answer.json<{ summary: Campaign }>()
  const { counts } = summary
  const skipped = Object.values(counts.skipped).reduce((sum, count) => sum + count, 0)
  expect(counts.selected).toBe(counts.notified + counts.waiting + skipped)
  expect(counts.notifications).toBe(counts.delivered + counts.failed + counts.pending)
  return summary
}

describe('a campaign', () => {
  test('that is paused submits nothing; after a resume it continues and repeats nothing', async ({
    service,
    simulator,
  }) => {
    const users = await usersWithPhones(service, 60)
    const messageId = await send(service, users)
    const paused = await control(service, messageId, 'pause')
    expect(paused.json()).toMatchObject({
      success: true,
      message: 'Campaign paused',
      data: { notification_id: messageId, status: 'paused', pause_reason: null },
    })
    await drain(service)
    expect(simulator.log()).toEqual([])
    expect(await readCampaign(service, messageId)).toMatchObject({
      status: 'paused',
      counts: { selected: 60, sent: 0 },
    })

    const resumed = await control(service, messageId, 'resume')
    expect(resumed.json()).toMatchObject({ message: 'Campaign resumed', data: { status: 'sending' } })
    await drain(service)
    expect(simulator.log()).toHaveLength(60)
    expect(await readCampaign(service, messageId)).toMatchObject({
      status: 'completed',
      counts: { selected: 60, notified: 60, sent: 60 },
    })
    await expectTruth(service, messageId)
  })

  test('to everyone that is paused before its coordination continues where it was', async ({ service, given }) => {
    await given.user({ devices: [{}] })
    const messageId = await sendToEveryone(service)
    await control(service, messageId, 'pause')
    await drain(service)
    expect(await readCampaign(service, messageId)).toMatchObject({ status: 'paused', counts: { selected: 0 } })
    await control(service, messageId, 'resume')
    await drain(service)
    const { status, counts } = await readCampaign(service, messageId)
    expect(status).toBe('completed')
    expect(counts.sent).toBe(counts.notifications)
    expect(counts.sent).toBeGreaterThan(0)
    await expectTruth(service, messageId)
  })

  test('is done by the share of copies that left, though each batch has others that wait', async ({
    service,
    simulator,
  }) => {
    const users = await usersWithPhones(service, 8)
    for (const { devices } of users.slice(0, 6))
      simulator.setToken(devices[0]!.token, { ticketError: 'MessageRateExceeded' })
    const messageId = await send(service, users)
    await drain(service)
    expect(await readCampaign(service, messageId)).toMatchObject({
      status: 'sending',
      counts: { notifications: 8, sent: 2 },
      progress: { percent: 25, batches_left: 1 },
    })
    await control(service, messageId, 'stop')
  })

  test('that is stopped counts exactly the users that it did not reach', async ({ service, simulator }) => {
    const users = await usersWithPhones(service, 60)
    // Its request leaves and fails: the copies wait for a retry, and their outcome is unknown.
    simulator.reset()
    simulator.script([{ match: 'send', status: 500, accept: false, times: 0 }])
    const messageId = await send(service, users)
    await drain(service)
    simulator.clearScript()
    const late = await send(service, users)
    const stopped = await control(service, messageId, 'stop')
    expect(stopped.json()).toMatchObject({ message: 'Campaign stopped', data: { status: 'stopped' } })
    await control(service, late, 'stop')
    await service.clock.tick(61_000)
    await drain(service)

    expect(simulator.log()).toEqual([])
    expect(await readCampaign(service, messageId)).toMatchObject({
      status: 'stopped',
      counts: { selected: 60, notified: 60, notifications: 60, sent: 0, failed: 60, pending: 0 },
      progress: { percent: 100, batches_left: 0 },
    })
    for (const { error_message } of await readCopies(service, messageId)) expect(error_message).toBe('OutcomeUnknown')
    expect(await readCampaign(service, late)).toMatchObject({
      status: 'stopped',
      counts: { selected: 60, notified: 0, notifications: 0, skipped: { stopped: 60 } },
    })
    for (const id of [messageId, late]) await expectTruth(service, id)
  })

  test('to everyone that is stopped before its coordination skips its whole audience', async ({
    service,
    given,
    deps,
  }) => {
    await given.user({ devices: [{}] })
    const messageId = await sendToEveryone(service)
    const { people } = await deps.db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('people'))
      .executeTakeFirstOrThrow()
    await control(service, messageId, 'stop')
    await drain(service)
    const { counts } = await readCampaign(service, messageId)
    // The administrator who stopped it came after it was started.
    expect(counts).toMatchObject({ selected: people, notified: 0, skipped: { stopped: people } })
    await expectTruth(service, messageId)
  })

  test('treats a repeated control as one', async ({ service }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    for (const [action, status] of [
      ['resume', 'sending'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['resume', 'sending'],
      ['stop', 'stopped'],
      ['stop', 'stopped'],
    ] as const) {
      const answer = await control(service, messageId, action)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ data: { status } })
    }
    expect(await readCampaign(service, messageId)).toMatchObject({ counts: { selected: 1, skipped: { stopped: 1 } } })
  })

  test('takes ten controls at once in some order, and its counts stay right', async ({ service }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    const actions = ['pause', 'resume', 'stop', 'pause', 'stop', 'resume', 'stop', 'pause', 'resume', 'stop']
    const answers = await Promise.all(actions.map((action) => control(service, messageId, action)))
    for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode)
    expect(await readCampaign(service, messageId)).toMatchObject({
      status: 'stopped',
      counts: { selected: 3, skipped: { stopped: 3 } },
    })
  })

  test('that is finished accepts no control', async ({ service }) => {
    const completed = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    const stopped = await send(service, await usersWithPhones(service, 1))
    await control(service, stopped, 'stop')
    for (const action of ['pause', 'resume', 'stop'])
      expectError(await control(service, completed, action), 409, 'INVALID_STATE')
    for (const action of ['pause', 'resume']) expectError(await control(service, stopped, action), 409, 'INVALID_STATE')
  })

  test.for(['pause', 'resume', 'stop', 'progress'])('that does not exist cannot %s', async (action, { service }) => {
    const usual = await send(service, await usersWithPhones(service, 1), { promotional: false })
    const { headers } = await service.given.admin()
    for (const id of [usual, 999_999_999]) {
      const url = `/api/admin/promotional-notifications/${id}/${action}`
      const method = action === 'progress' ? 'GET' : 'POST'
      expectError(await service.app.inject({ method, url, headers }), 404, 'NOT_FOUND')
    }
    const { status } = await service.deps.db
      .selectFrom('messages')
      .select('status')
      .where('message_id', '=', usual)
      .executeTakeFirstOrThrow()
    expect(status).toBe('sending')
  })
})
