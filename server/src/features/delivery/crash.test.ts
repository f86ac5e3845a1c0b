import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { calmDown, copiesOf, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { ledgerOf } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { fetchJobs } from '../../jobs/queue.ts'
import { coordinate } from './coordinate.ts'
import { settle } from './settle.ts'
import { closeDeadBatch, sweep } from './sweep.ts'

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a worker that dies', () => {
  test('before its call: nothing was sent, the attempt is unknown after its lease, and the retry arrives', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    await claimAll(service, messageId)
    await sweep(service.deps)
    await drain(service)
    expect(await copiesOf(service, messageId)).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }])

    await clock.tick(61_000)
    await sweep(service.deps)
    expect(await copiesOf(service, messageId)).toMatchObject([
      { error_message: 'OutcomeUnknown', is_send: false, settled_at: null },
      { error_message: 'OutcomeUnknown' },
      { error_message: 'OutcomeUnknown' },
    ])
    await drain(service)
    expect(await copiesOf(service, messageId)).toMatchObject([
      { is_send: true, attempts: 2 },
      { is_send: true },
      { is_send: true },
    ])
    await expectTruth(service, messageId)
  })

  test('after its call: the copies are sent again and counted as possible duplicates, exactly', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 3))
    await callAll(service, await claimAll(service, messageId))
    await clock.tick(61_000)
    await sweep(service.deps)
    await drain(service)
    expect(await ledgerOf(service, messageId)).toMatchObject({ accepted: 6, duplicated: 3, possibleDuplicates: 3 })
    await expectTruth(service, messageId)
  })

  test('over and over: Permanently Failed after four attempts, and the truth about them', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    for (let attempt = 1; attempt <= 4; attempt++) {
      await claimAll(service, messageId)
      await clock.tick(61_000)
      await sweep(service.deps)
    }
    await drain(service)
    expect(await copiesOf(service, messageId)).toMatchObject([
      { attempts: 4, is_send: false, error_message: 'OutcomeUnknown', settled_at: expect.any(Date) as Date },
      { attempts: 4 },
    ])
    await expectTruth(service, messageId)
    expect(await statusOf(service, messageId)).toBe('completed')
  })

  test('but was only slow: its late tickets are stored when no other attempt began', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(61_000)
    await sweep(service.deps)
    await settle(service.deps, 'campaign', claim, answers, [])
    expect(await copiesOf(service, messageId)).toMatchObject([
      { is_send: true, possible_duplicates: 0 },
      { is_send: true },
    ])
    await drain(service)
    expect(await ledgerOf(service, messageId)).toMatchObject({ accepted: 2, duplicated: 0 })
    await expectTruth(service, messageId)
  })

  test('but was only slow: its late answer changes nothing of an attempt that began since', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(61_000)
    await sweep(service.deps)
    await drain(service)
    const before = await copiesOf(service, messageId)
    await settle(service.deps, 'campaign', claim, answers, [])
    expect(await copiesOf(service, messageId)).toEqual(before)
    await expectTruth(service, messageId)
  })
})

describe('jobs', () => {
  test('that vanished are found and replaced, for batches and for coordination', async ({ service, app }) => {
    const admin = await service.given.admin()
    const named = await send(service, await usersWithPhones(service, 2))
    const payload = { title: 'To all', text: 'There' }
    const bulk = await app.inject({
      method: 'POST',
      url: '/api/admin/send-notification-all',
      headers: admin.headers,
      payload,
    })
    const bulkId = bulk.json<{ data: { notification_id: number } }>().data.notification_id
    await service.deps.queue.boss.deleteAllJobs()
    await drain(service)
    expect(await copiesOf(service, named)).toEqual([])

    await sweep(service.deps)
    await drain(service)
    for (const messageId of [named, bulkId]) {
      expect(await statusOf(service, messageId)).toBe('completed')
      await expectTruth(service, messageId)
    }
  })

  test('of a batch that waits for a far retry are left alone by the sweep', async ({ service }) => {
    service.simulator.script([{ match: 'send', status: 500 }])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await sweep(service.deps)
    const waiting = await fetchJobs(service.deps.queue, 'send-campaign', 10)
    expect(waiting).toEqual([])
    await untilRetry(service)
    await drain(service)
    expect(await copiesOf(service, messageId)).toMatchObject([{ is_send: true, attempts: 2 }])
  })

  test('run twice at once change nothing: two coordinators and two senders of one campaign', async ({
    service,
    app,
  }) => {
    const admin = await service.given.admin()
    const payload = { title: 'To all', text: 'There' }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/admin/send-notification-all',
      headers: admin.headers,
      payload,
    })
    const messageId = answer.json<{ data: { notification_id: number } }>().data.notification_id
    const signal = new AbortController().signal
    await Promise.all([coordinate(service.deps, messageId, signal), coordinate(service.deps, messageId, signal)])
    await Promise.all([drain(service), drain(service), drain(service)])
    await drain(service)
    expect(await ledgerOf(service, messageId)).toMatchObject({ duplicated: 0, possibleDuplicates: 0, lost: 0 })
    await expectTruth(service, messageId)
  })

  test('that crash their worker again and again close their batch, and the message completes', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    const claim = await claimAll(service, messageId)
    await clock.tick(61_000)
    for (const batch of claim.batches) await closeDeadBatch(service.deps, batch.batch_id)
    await sweep(service.deps)
    expect(await copiesOf(service, messageId)).toMatchObject([
      { error_message: 'OutcomeUnknown', settled_at: expect.any(Date) as Date },
      {},
    ])
    expect(await statusOf(service, messageId)).toBe('completed')
    await expectTruth(service, messageId)
  })
})

async function statusOf({ deps }: Service, messageId: number): Promise<string | undefined> {
  const message = await deps.db
    .selectFrom('messages')
    .select('status')
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return message?.status
}
