// Slow: random histories, or many who do the same at once.
import type { PoolClient } from 'pg'
import { afterEach, describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll, holdPermits } from '../../../test/support/attempt.ts'
import { readBatches } from '../../../test/support/batches.ts'
import {
  calmDown,
  expectTruth,
  neighboursWithPhones,
  readCopies,
  send,
  untilRetry,
  usersWithPhones,
} from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { readLedger } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { sendBatches } from './submit.ts'
import { settle } from './settle.ts'

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a worker that outlives its lease', () => {
  test('and stores its tickets while the next attempt is claimed: the claim sees them, and nothing is sent again', async ({
    service,
    clock,
  }) => {
    const [, users] = await neighboursWithPhones(service, 2)
    const messageId = await send(service, users)
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(61_000)
    await sweep(service.deps)

    const hold = await holdCounters(service)
    const settling = settle(service.deps, claim, answers)
    await expect.poll(() => listWaiting(service)).toHaveLength(1)
    const claiming = claimAll(service, messageId)
    await expect.poll(() => listWaiting(service)).toHaveLength(2)
    await hold.query('rollback')
    await settling
    expect((await claiming).requests).toEqual([])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 2, duplicated: 0 })
    await expectTruth(service, messageId)
  })

  test('is heard only in its own round: an answer to the first request changes nothing once a second was made', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const rounds = []
    for (let round = 0; round < 2; round++) {
      const claim = await claimAll(service, messageId)
      rounds.push({ claim, answers: await callAll(service, claim) })
      await clock.tick(61_000)
      await sweep(service.deps)
    }
    const [first, second] = rounds
    await settle(service.deps, first!.claim, first!.answers)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'OutcomeUnknown' }])
    await settle(service.deps, second!.claim, second!.answers)
    const [outcome] = second!.answers[0]!.outcomes
    expect(outcome).toMatchObject({ kind: 'accepted' })
    const stored = service.deps.db.selectFrom('notifications').select('ticket_id').where('message_id', '=', messageId)
    expect(await stored.execute()).toEqual([{ ticket_id: outcome?.kind === 'accepted' ? outcome.ticketId : '' }])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ lost: 0, duplicated: 1, possibleDuplicates: 1 })
  })

  test('before its request sends nothing, because another attempt may hold its copies', async ({
    service,
    clock,
    simulator,
  }) => {
    const { deps } = service
    const [home, users] = await neighboursWithPhones(service, 2)
    const messageId = await send(service, users)
    const release = holdPermits(deps.permits, deps.config.PUSH_CONCURRENCY)
    const sending = sendBatches(deps, { home, lane: 'campaign', limit: 10 })
    await expect.poll(() => readCopies(service, messageId)).toHaveLength(2)
    await clock.tick(61_000)
    release()
    await sending
    expect(simulator.log()).toEqual([])
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'ProviderUnavailable' }, {}])
    await drain(service)
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 2, possibleDuplicates: 0 })
    await expectTruth(service, messageId)
  })

  test('while a refused request is split sends no further part: the rest is surely unsent and uses no attempt', async ({
    service,
    clock,
    simulator,
  }) => {
    const { messageId, sending, answer } = await takenApart(service)
    await clock.tick(51_000)
    answer()
    await sending
    expect(simulator.log()).toEqual([])
    expect(await readCopies(service, messageId)).toMatchObject([
      { error_message: 'ProviderUnavailable', settled_at: null },
      {},
      {},
    ])
    await untilRetry(service)
    await drain(service)
    expect(await readBatches(service, messageId)).toMatchObject([{ attempts: 1 }])
    expect(await readLedger(service, messageId)).toMatchObject({ accepted: 3, possibleDuplicates: 0 })
    await expectTruth(service, messageId)
  })
})

test('a process that stops sends no further part of a refused request, and begins no request', async ({
  service,
  simulator,
}) => {
  const { deps } = service
  const { messageId, sending, answer } = await takenApart(service)
  onTestFinished(() => void (deps.lifecycle.draining = false))
  deps.lifecycle.draining = true
  answer()
  await sending
  expect(simulator.state().sendRequests).toBe(1)
  const [home, users] = await neighboursWithPhones(service, 1)
  const unbegun = await send(service, users)
  await sendBatches(deps, { home, lane: 'campaign', limit: 10 })
  expect(simulator.state().sendRequests).toBe(1)
  deps.lifecycle.draining = false
  await untilRetry(service)
  await drain(service)
  for (const id of [messageId, unbegun]) {
    expect(await readBatches(service, id)).toMatchObject([{ attempts: 1 }])
    expect(await readLedger(service, id)).toMatchObject({ duplicated: 0, possibleDuplicates: 0, lost: 0 })
    await expectTruth(service, id)
  }
})

test('an answer that is stored twice, as when the commit was not heard of, changes nothing the second time', async ({
  service,
  simulator,
}) => {
  const refusals = [{ ticketErrors: { 0: 'MessageRateExceeded' } }, { status: 429 }] as const
  const messageId = await send(service, await usersWithPhones(service, 1))
  const facts = async () =>
    (await service.deps.pool.query('select facts from batches where message_id = $1', [messageId])).rows
  for (const refusal of refusals) {
    simulator.script([{ match: 'send', ...refusal }])
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await settle(service.deps, claim, answers)
    const once = await facts()
    await settle(service.deps, claim, answers)
    expect(await facts()).toEqual(once)
    await untilRetry(service)
  }
  await drain(service)
  await expectTruth(service, messageId)
})

test('tickets are kept in memory while another transaction holds a lock', async ({ service }) => {
  const [, users] = await neighboursWithPhones(service, 2)
  const messageId = await send(service, users)
  const claim = await claimAll(service, messageId)
  const answers = await callAll(service, claim)
  const hold = await holdCounters(service)
  const settling = settle(service.deps, claim, answers)
  await expect.poll(() => listWaiting(service)).toHaveLength(1)
  // The limits for locks and statements would do the same.
  for (const pid of await listWaiting(service)) await hold.query('select pg_cancel_backend($1)', [pid])
  await expect.poll(() => listWaiting(service)).toHaveLength(0)
  await hold.query('rollback')
  await settling
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: true }])
  await expectTruth(service, messageId)
})

describe('a copy that may have arrived, and then cannot be sent again, ends as unknown', () => {
  test('when the provider refuses it for good', async ({ service, simulator }) => {
    simulator.script([
      { match: 'send', status: 500, accept: true },
      { match: 'send', ticketErrors: { 0: 'DeviceNotRegistered' } },
    ])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'OutcomeUnknown' }])
    await expectTruth(service, messageId)
  })

  test('when its user is suspended', async ({ service, simulator, deps }) => {
    simulator.script([{ match: 'send', status: 500, accept: true }])
    const [user] = await usersWithPhones(service, 1)
    const messageId = await send(service, user ? [user] : [])
    await drain(service)
    await deps.db
      .updateTable('users')
      .set({ status: 'suspended' })
      .where('user_id', '=', user?.userId ?? 0)
      .execute()
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'OutcomeUnknown' }])
    await expectTruth(service, messageId)
  })

  test('when its phone is released', async ({ service, simulator, app, given }) => {
    simulator.script([{ match: 'send', status: 500, accept: true }])
    const user = await given.user({ devices: [{ deviceId: 'a' }] })
    const messageId = await send(service, [user])
    await drain(service)
    await app.inject({ method: 'DELETE', url: '/api/user/phone-token?device_id=a', headers: user.headers })
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'OutcomeUnknown' }])
    await expectTruth(service, messageId)
  })
})

/** A send to three users whose request is refused as a whole, with the `answer`. */
async function takenApart(service: Service) {
  const { deps, simulator } = service
  const { promise, resolve } = Promise.withResolvers<void>()
  simulator.script([{ match: 'send', status: 400, until: promise }])
  const [home, users] = await neighboursWithPhones(service, 3)
  const messageId = await send(service, users)
  const sending = sendBatches(deps, { home, lane: 'campaign', limit: 10 })
  await expect.poll(() => simulator.state().sendRequests).toBe(1)
  return { messageId, sending, answer: resolve }
}

/** Blocks transaction 2 at its last step, when it adds to the counters. */
async function holdCounters({ deps }: Service): Promise<PoolClient> {
  const client = await deps.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('begin; lock table message_counts in share row exclusive mode')
  return client
}

async function listWaiting({ deps }: Service): Promise<number[]> {
  const { rows } = await deps.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.map((row) => row.pid)
}
