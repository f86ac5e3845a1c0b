// Slow: a second or more for each test, or five for the file.
import { afterEach, describe, expect } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { holdPermits } from '../../../test/support/attempt.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { readLedger } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { reportHealth } from '../provider/breaker.ts'
import { findProviderState } from '../provider/provider-state.queries.ts'
import { resumeByHand } from './halt.ts'
import { sendBatches } from './submit.ts'

type Fault = Parameters<Service['simulator']['script']>[0][number]

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('three outcomes', () => {
  test('a request that was accepted and answered 504 is unknown, sent again under the same identity, and counted', async ({
    service,
  }) => {
    const users = await usersWithPhones(service, 3)
    service.simulator.script([{ match: 'send', status: 504, accept: true }])
    const messageId = await send(service, users)

    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject(
      users.map(() => ({ is_send: false, error_message: 'OutcomeUnknown', settled_at: null, attempts: 1 })),
    )
    await untilRetry(service)
    await drain(service)

    expect(await readCopies(service, messageId)).toMatchObject(
      users.map(() => ({ is_send: true, error_message: null, attempts: 2, possible_duplicates: 1 })),
    )
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 6, duplicated: 3, possibleDuplicates: 3 })
    for (const copies of Map.groupBy(service.simulator.log(), (entry) => entry.notification_id).values())
      expect(new Set(copies.map((copy) => copy.collapseId ?? copy.tag)).size).toBe(1)
    await expectTruth(service, messageId)
  })

  test.for<[string, Fault]>([
    ['a connection reset after the request', { cut: 'after-read', accept: true }],
    ['half an answer', { cut: 'mid-body', accept: true }],
    ['an answer that is no text', { body: 'garbage', accept: true }],
    ['an HTML page with status 200', { body: 'html', accept: true }],
    ['fewer tickets than messages', { body: 'fewer', accept: true }],
    ['more tickets than messages', { body: 'more', accept: true }],
    ['one ticket id for all messages', { body: 'duplicate-ids', accept: true }],
    ['an answer of 10 MB', { body: 'huge', accept: true }],
    ['a failure of the provider', { status: 500, accept: false }],
  ])('%s is an unknown outcome: sent again, and never called sent without a ticket', async ([, fault], { service }) => {
    const users = await usersWithPhones(service, 2)
    service.simulator.script([{ match: 'send', ...fault }])
    const messageId = await send(service, users)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject(
      users.map(() => ({ is_send: false, error_message: 'OutcomeUnknown' })),
    )
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject(
      users.map(() => ({ is_send: true, possible_duplicates: 1 })),
    )
    await expectTruth(service, messageId)
  })

  test('an outcome that stays unknown ends as Permanently Failed with OutcomeUnknown after 1 attempt and 3 retries', async ({
    service,
  }) => {
    const users = await usersWithPhones(service, 1)
    service.simulator.script([{ match: 'send', status: 503, accept: true, times: 4 }])
    const messageId = await send(service, users)
    for (let attempt = 0; attempt < 6; attempt++) {
      await drain(service)
      await untilRetry(service)
    }
    expect(await readCopies(service, messageId)).toMatchObject([
      {
        is_send: false,
        error_message: 'OutcomeUnknown',
        attempts: 4,
        settled_at: expect.any(Date) as Date,
        possible_duplicates: 3,
      },
    ])
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 4, duplicated: 3, possibleDuplicates: 3 })
    await expectTruth(service, messageId)
  })

  test('a retry is not made before its 60 s', async ({ service, clock }) => {
    const [user] = await usersWithPhones(service, 1)
    service.simulator.script([{ match: 'send', status: 500 }])
    const messageId = await send(service, user ? [user] : [])
    await drain(service)
    await clock.tick(59_000)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ attempts: 1 }])
    await clock.tick(2_000)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ attempts: 2, is_send: true }])
  })
})

describe('errors of single messages', () => {
  test('mixed into one answer: accepted ones are never sent again, retryable ones are, final ones end with their code', async ({
    service,
  }) => {
    const users = await usersWithPhones(service, 5)
    const tokens = users.map((user) => user.devices[0]?.token ?? '')
    const ticketErrors = {
      [tokens[1] ?? '']: 'DeviceNotRegistered',
      [tokens[2] ?? '']: 'MessageRateExceeded',
      [tokens[3] ?? '']: 'MessageTooBig',
      [tokens[4] ?? '']: 'SomethingNew',
    }
    service.simulator.script([{ match: 'send', ticketErrors }])
    const messageId = await send(service, users)
    await drain(service)
    await untilRetry(service)
    await drain(service)

    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: true, attempts: 1 },
      { is_send: false, attempts: 1, error_message: 'DeviceNotRegistered', settled_at: expect.any(Date) as Date },
      { is_send: true, attempts: 2, error_message: null },
      { is_send: false, attempts: 1, error_message: 'MessageTooBig' },
      { is_send: true, attempts: 2 },
    ])
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 3, duplicated: 0, possibleDuplicates: 0 })
    await expectTruth(service, messageId)
  })

  test('a device that the provider does not know is removed, and registering it again brings it back', async ({
    service,
    app,
  }) => {
    const user = await service.given.user({ devices: [{ token: 'ExponentPushToken[dead-1]' }] })
    const messageId = await send(service, [user])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'DeviceNotRegistered' }])
    expect(await readDevices(service, user.userId)).toMatchObject([{ removed_reason: 'DeviceNotRegistered' }])

    const payload = { token: 'ExponentPushToken[dead-1]', device_id: user.devices[0]?.deviceId, platform: 'ios' }
    await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
    expect(await readDevices(service, user.userId)).toMatchObject([{ removed_at: null, removed_reason: null }])
  })
})

describe('a refused request', () => {
  test('with one malformed message is split: the others arrive', async ({ service }) => {
    const users = await usersWithPhones(service, 7)
    const bad = users[4]?.devices[0]?.token ?? ''
    service.simulator.script([
      { match: 'send', status: 400, errors: [{ code: 'VALIDATION_ERROR', message: `"${bad}" is wrong` }] },
    ])
    const messageId = await send(service, users)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject(users.map(() => ({ is_send: true })))
    expect(service.simulator.state().sendRequests).toBe(3)
    await expectTruth(service, messageId)
  })

  test('for tokens of two projects is sent again by project', async ({ service }) => {
    const ours = await service.given.user({ devices: [{}] })
    const theirs = await service.given.user({ devices: [{ token: 'ExponentPushToken[proj-b:1]' }] })
    const messageId = await send(service, [ours, theirs])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: true }])
    await expectTruth(service, messageId)
  })

  test('429 costs no attempt and is not made again before Retry-After', async ({ service, clock }) => {
    const users = await usersWithPhones(service, 2)
    service.simulator.script([{ match: 'send', status: 429, headers: { 'Retry-After': '7' }, times: 5 }])
    const messageId = await send(service, users)
    for (let round = 1; round <= 5; round++) {
      await drain(service)
      expect(service.simulator.state().sendRequests).toBe(round)
      await clock.tick(6_000)
      await drain(service)
      expect(service.simulator.state().sendRequests).toBe(round)
      await clock.tick(2_000)
    }
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject(users.map(() => ({ is_send: true, attempts: 6 })))
    await expectTruth(service, messageId)
  })

  test('a later 429 with a shorter wait does not shorten that of an earlier one', async ({ service, clock }) => {
    const until = new Date(clock.now() + 300_000)
    await reportHealth(service.deps, [{ kind: 'busy', retryAfterMs: 300_000 }])
    await clock.tick(1_000)
    await reportHealth(service.deps, [{ kind: 'busy', retryAfterMs: 1_000 }])
    const state = await findProviderState(service.deps.db, 'expo')
    expect(state).toMatchObject({ busy_until: until, slow_until: new Date(until.getTime() + 60_000) })
  })

  test('after a 429, or a refusal of our credentials, no other request of its claim begins', async ({
    service,
    clock,
  }) => {
    const { deps, given, simulator } = service
    await clock.tick(600_000)
    await given.crowd(250)
    const phones = deps.db.selectFrom('mobile_devices').select('user_id as userId').where('token', 'like', '%crowd%')
    const people = await phones.execute()
    for (const answer of [{ status: 429, headers: { 'Retry-After': '300' } }, { status: 401 }]) {
      simulator.script([{ match: 'send', ...answer }])
      const messageId = await send(service, people as GivenUser[])
      const release = holdPermits(deps.permits, deps.config.PUSH_CONCURRENCY - 1)
      const from = simulator.state().sendRequests
      await sendBatches(deps, { home: 0, lane: 'campaign', limit: 32 })
      expect(simulator.state().sendRequests).toBe(from + 1)
      release()
      await clock.tick(300_000)
      await resumeByHand(deps, THE_SERVICE)
      await drain(service)
      expect(await readCopies(service, messageId)).toMatchObject(people.map(() => ({ is_send: true })))
      await expectTruth(service, messageId)
    }
  })
})

async function readDevices({ deps }: Service, userId: number) {
  return deps.db.selectFrom('mobile_devices').selectAll().where('user_id', '=', userId).execute()
}
