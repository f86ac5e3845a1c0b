// Slow: a second or more for each test, or five for the file.
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { afterEach, describe, expect, onTestFinished } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { test } from '../../../test/support/app.ts'
import { readBatches } from '../../../test/support/batches.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { holdPermits } from '../../../test/support/attempt.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { askStatus as ask, readStatus, statusOfMessage, WHY } from '../../../test/support/halts.ts'
import { startFullServer } from '../../../test/support/full-server.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { sendBatches } from '../pipeline/submit.ts'
import { haltForGoneDevices, resumeByHand } from '../pipeline/halt.ts'

afterEach<{ service: Service; simulator: Service['simulator'] }>(async ({ service, simulator }) => {
  await calmDown(service)
  await service.deps.db.deleteFrom('alerts').execute()
  await drain(service)
  simulator.reset()
})

describe('a halt by hand', () => {
  test('stops both lanes, says who, when and why, and resuming sends all that waited', async ({ service }) => {
    const admin = await service.given.admin()
    const users = await usersWithPhones(service, 3)
    const campaign = await send(service, users)
    const halted = await ask(service, 'halt', { reason: WHY }, admin)
    expect(halted.statusCode).toBe(200)
    expect(halted.json()).toMatchObject({
      message: 'Sending is halted',
      data: {
        breaker: 'halted',
        code: 'HaltedByHand',
        since: expect.any(String) as string,
        halt: { by: { user_id: admin.userId, name: admin.name }, reason: WHY },
        alerts: [{ code: 'HaltedByHand', detail: `Sending was halted by hand: ${WHY}`, resolved_at: null }],
      },
    })
    const transactional = await send(service, users, { promotional: false })
    const later = await send(service, users)
    await drain(service)
    expect(service.simulator.state().sendRequests).toBe(0)
    expect(await statusOfMessage(service, campaign)).toEqual({ status: 'paused', pause_reason: 'HaltedByHand' })

    expect((await ask(service, 'resume')).json()).toMatchObject({
      data: { breaker: 'closed', code: null, halt: null, alerts: [{ resolved_at: expect.any(String) as string }] },
    })
    await drain(service)
    for (const messageId of [campaign, transactional, later]) {
      expect(await readCopies(service, messageId)).toMatchObject(users.map(() => ({ is_send: true })))
      await expectTruth(service, messageId)
    }
  })

  test('is in the audit log once, however often it is asked for; the first reason stays', async ({ service }) => {
    const since = await highestEntry(service)
    for (const reason of [WHY, 'Another reason']) await ask(service, 'halt', { reason })
    expect((await readStatus(service)).halt).toMatchObject({ reason: WHY })
    const entries = await service.deps.db
      .selectFrom('audit_log')
      .innerJoin('audit_details', 'audit_details.audit_id', 'audit_log.audit_id')
      .select('audit_details.content')
      .where('audit_log.audit_id', '>', since)
      .where('action', '=', 'sending.halt')
      .where('part', '=', 'change')
      .execute()
    expect(entries).toEqual([{ content: { before: null, after: { providers: ['expo'], reason: WHY } } }])
  })

  test('needs a reason, and a provider that exists', async ({ service }) => {
    expectInvalid(await ask(service, 'halt', {}), 'reason')
    expectInvalid(await ask(service, 'halt', { reason: ' ' }), 'reason')
    expectInvalid(await ask(service, 'halt', { reason: 'x'.repeat(501) }), 'reason')
    expectInvalid(await ask(service, 'halt', { reason: WHY, provider: 'pigeon' }), 'provider')
    expect((await readStatus(service)).breaker).toBe('closed')
  })

  test('does not resume a campaign that a person paused, before or during it', async ({ service }) => {
    const users = await usersWithPhones(service, 1)
    const [before, during, neither] = [
      await send(service, users),
      await send(service, users),
      await send(service, users),
    ]
    const { headers } = await service.given.admin()
    const pause = (id: number) =>
      service.app.inject({ method: 'POST', url: `/api/admin/promotional-notifications/${id}/pause`, headers })
    await pause(before)
    await ask(service, 'halt', { reason: WHY })
    await pause(during)
    await ask(service, 'resume')
    expect(await statusOfMessage(service, before)).toEqual({ status: 'paused', pause_reason: null })
    expect(await statusOfMessage(service, during)).toEqual({ status: 'paused', pause_reason: null })
    expect(await statusOfMessage(service, neither)).toEqual({ status: 'sending', pause_reason: null })
  })

  test('does not keep a campaign to inboxes alone, which needs no provider', async ({ service }) => {
    const users = await usersWithPhones(service, 2)
    const messageId = await send(service, users, { inbox_only: true })
    await ask(service, 'halt', { reason: WHY })
    await sweep(service.deps)
    expect(await statusOfMessage(service, messageId)).toEqual({ status: 'completed', pause_reason: null })
    const entries = service.deps.db.selectFrom('entries').select('user_id').where('message_id', '=', messageId)
    expect(await entries.execute()).toHaveLength(users.length)
    await expectTruth(service, messageId)
  })

  test('gives back what was claimed and has not begun: no request, no attempt, no possible duplicate', async ({
    service,
    simulator,
  }) => {
    const { deps } = service
    const messageId = await send(service, await usersWithPhones(service, 2))
    // All requests wait for a permit that is taken.
    const release = holdPermits(deps.permits, deps.config.PUSH_CONCURRENCY)
    const sending = sendBatches(deps, { home: 0, lane: 'campaign', limit: 1 })
    await expect.poll(() => readBatches(service, messageId)).toMatchObject([{ status: 'submitting' }])
    await ask(service, 'halt', { reason: WHY })
    await expect.poll(async () => (await deps.gate(deps.log)).isOpen).toBe(false)
    release()
    await sending
    expect(simulator.state().sendRequests).toBe(0)
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'waiting', attempts: 0 }])

    await ask(service, 'resume')
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: true, attempts: 1, possible_duplicates: 0 },
      { is_send: true, attempts: 1, possible_duplicates: 0 },
    ])
    await expectTruth(service, messageId)
  })

  test('reaches a request whose connection is still being made: it does not leave, and uses no attempt', async () => {
    const full = await startFullServer()
    onTestFinished(() => full.close())
    const service = await startService({ EXPO_BASE_URL: full.url })
    onTestFinished(() => service.close())
    const messageId = await send(service, await usersWithPhones(service, 1))
    const sending = sendBatches(service.deps, { home: 0, lane: 'campaign', limit: 1 })
    await expect.poll(() => readBatches(service, messageId)).toMatchObject([{ status: 'submitting' }])
    await ask(service, 'halt', { reason: WHY })
    full.open()
    await sending
    expect(full.requests()).toBe(0)
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'waiting', attempts: 0 }])

    await ask(service, 'resume')
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1, possible_duplicates: 0 }])
    expect(full.requests()).toBe(1)
  })

  test('is completed by the sweep if its process died; so is a resume', async ({ service }) => {
    const { deps } = service
    const messageId = await send(service, await usersWithPhones(service, 1))
    await ask(service, 'halt', { reason: WHY })
    // This is what a process leaves that dies after the switch was committed.
    await deps.db.deleteFrom('alerts').execute()
    await deps.db.updateTable('messages').set({ status: 'sending', pause_reason: null }).execute()
    await sweep(deps)
    expect(await statusOfMessage(service, messageId)).toEqual({ status: 'paused', pause_reason: 'HaltedByHand' })
    expect((await readStatus(service)).alerts).toMatchObject([{ code: 'HaltedByHand', resolved_at: null }])

    await calmDown(service)
    await sweep(deps)
    await drain(service)
    expect(await statusOfMessage(service, messageId)).toEqual({ status: 'completed', pause_reason: null })
  })

  test('stays a halt by hand if the provider fails too; both have alerts', async ({ service }) => {
    const { deps } = service
    await ask(service, 'halt', { reason: WHY })
    await haltForGoneDevices(deps, new Date(deps.clock.now()))
    const status = await readStatus(service)
    expect(status).toMatchObject({ breaker: 'halted', code: 'HaltedByHand', halt: { reason: WHY } })
    expect(status.alerts.map(({ code }) => code).toSorted()).toEqual(['DeviceNotRegistered', 'HaltedByHand'])
  })

  test('tells too that the provider refuses our credentials, as it does when receipts are asked for', async ({
    service,
    simulator,
  }) => {
    await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await ask(service, 'halt', { reason: WHY })
    simulator.script([{ match: 'getReceipts', status: 401 }])
    const { headers } = await service.given.admin()
    await service.app.inject({ url: '/api/admin/process-receipts', headers })
    await drain(service)
    const { alerts, ...status } = await readStatus(service)
    expect(status).toMatchObject({ breaker: 'halted', code: 'HaltedByHand', halt: { reason: WHY } })
    expect(alerts.map(({ code }) => code).toSorted()).toEqual(['HaltedByHand', 'Unauthorized'])
    expect(alerts.every(({ resolved_at }) => resolved_at === null)).toBe(true)
    await ask(service, 'resume')
    expect((await readStatus(service)).alerts.some(({ resolved_at }) => resolved_at === null)).toBe(false)
  })

  test('at any time of a campaign, with a failing provider, leaves rows and counts true', async ({
    service,
    simulator,
  }) => {
    const step = constantFrom('send', 'halt', 'resume', 'lost', 'down', 'wait', 'sweep')
    await assert(
      asyncProperty(array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const users = await usersWithPhones(service, 2)
        const messages = [await send(service, users), await send(service, users, { promotional: false })]
        for (const what of steps) {
          if (what === 'send') messages.push(await send(service, users.slice(0, 1)))
          if (what === 'halt') await ask(service, 'halt', { reason: WHY })
          if (what === 'resume') await ask(service, 'resume')
          if (what === 'lost') simulator.script([{ match: 'send', cut: 'mid-body' }])
          if (what === 'down') simulator.script([{ match: 'send', status: 503 }])
          if (what === 'wait') await untilRetry(service)
          if (what === 'sweep') await sweep(service.deps)
          else await Promise.all([sendBatches(service.deps, { home: 0, lane: 'campaign', limit: 1 }), drain(service)])
        }
        simulator.clearScript()
        await resumeByHand(service.deps, THE_SERVICE)
        for (let attempt = 0; attempt < 4; attempt++) {
          await drain(service)
          await untilRetry(service)
        }
        await drain(service)
        for (const messageId of messages) {
          expect((await statusOfMessage(service, messageId)).status).toBe('completed')
          await expectTruth(service, messageId)
        }
        await calmDown(service)
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})

async function highestEntry({ deps }: Service): Promise<number> {
  const { highest } = await deps.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('audit_id').as('highest'))
    .executeTakeFirstOrThrow()
  return highest ?? 0
}
