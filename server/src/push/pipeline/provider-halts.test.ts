// Slow: several services for one test.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBatches } from '../../../test/support/batches.ts'
import { send, untilRetry } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { startTwoProviders, UNAUTHORIZED, type TwoProviders } from '../../../test/support/two-providers.ts'
import { runOnce } from './submit.ts'

const SIGNAL = new AbortController().signal

let two: TwoProviders

beforeEach(async () => {
  two = await startTwoProviders()
})

afterEach(() => two.service.close())

describe('of two providers', () => {
  test('one that refuses our credentials halts alone: the other sends, and the campaign is not paused', async () => {
    two.service.simulator.script([UNAUTHORIZED])
    const messageId = await send(two.service, await two.people('e', 'em', 'm'))
    const later = await send(two.service, await two.people('e', 'm'))
    for (let round = 0; round < 6; round++) {
      await drain(two.service)
      await untilRetry(two.service)
    }
    expect(two.service.simulator.state().sendRequests).toBe(1)
    const { expo, memory: ofMemory } = await two.copiesBy(messageId)
    expect(ofMemory).toMatchObject([{ is_delivered: true }, { is_delivered: true }])
    expect(expo).toMatchObject([
      { is_send: false, settled_at: null },
      { is_send: false, settled_at: null },
    ])
    expect((await two.copiesBy(later)).memory).toMatchObject([{ is_delivered: true }])
    expect(await two.messageStatus(messageId)).toEqual({ status: 'sending', pause_reason: null })
    expect((await readBatches(two.service, messageId))[0]).toEqual({ provider: 'expo', status: 'waiting', attempts: 0 })
    expect(await two.status()).toMatchObject({
      breaker: 'halted',
      providers: [
        { provider: 'expo', delivery_known: 'by receipt', breaker: 'halted', code: 'Unauthorized' },
        { provider: 'memory', delivery_known: 'at once', breaker: 'closed', code: null },
      ],
      alerts: [{ code: 'Unauthorized', providers: ['expo'], resolved_at: null }],
    })
    for (const id of [messageId, later]) await two.expectTrue(id)

    two.service.simulator.clearScript()
    expect((await two.resume({ provider: 'expo' })).statusCode).toBe(200)
    await drain(two.service)
    for (const id of [messageId, later]) {
      expect(await two.messageStatus(id)).toMatchObject({ status: 'completed' })
      await two.expectTrue(id)
    }
  })

  test('campaigns pause when both are halted, and continue with the one that is resumed', async () => {
    two.service.simulator.script([UNAUTHORIZED])
    two.memory.fail('Unauthorized')
    const messageId = await send(two.service, await two.people('em', 'e', 'm'))
    await drain(two.service)
    expect(await two.messageStatus(messageId)).toEqual({ status: 'paused', pause_reason: 'Unauthorized' })
    expect(await two.status()).toMatchObject({
      alerts: [{ code: 'Unauthorized', providers: ['expo', 'memory'], resolved_at: null }],
    })

    two.memory.fail(undefined)
    expect((await two.resume({ provider: 'memory' })).json()).toMatchObject({
      message: 'Sending resumed; 1 campaigns go on',
      data: {
        breaker: 'halted',
        providers: [{ breaker: 'halted' }, { breaker: 'closed' }],
        alerts: [{ providers: ['expo'], resolved_at: null }],
      },
    })
    await drain(two.service)
    expect((await two.copiesBy(messageId)).memory).toMatchObject([{ is_send: true }, { is_send: true }])

    two.service.simulator.clearScript()
    expect((await two.resume()).json()).toMatchObject({
      data: { breaker: 'closed', alerts: [{ providers: ['expo'], resolved_at: expect.any(String) as string }] },
    })
    await drain(two.service)
    expect(await two.messageStatus(messageId)).toMatchObject({ status: 'completed' })
    await two.expectTrue(messageId)
  })

  test('one that cannot be reached has its own breaker and its own trial', async () => {
    two.memory.fail('ProviderUnavailable')
    const messages = []
    for (const phones of ['em', 'm', 'm', 'm', 'e']) {
      messages.push(await send(two.service, await two.people(phones)))
      await drain(two.service)
    }
    expect(two.service.simulator.log()).toHaveLength(2)
    expect(await two.status()).toMatchObject({
      providers: [{ breaker: 'closed' }, { breaker: 'open' }],
      alerts: [{ code: 'ProviderUnavailable', providers: ['memory'] }],
    })

    two.memory.fail(undefined)
    // Undivided batches with nothing for the provider that is probed lie before those that are its own.
    two.service.simulator.script([UNAUTHORIZED])
    messages.push(await send(two.service, await two.people('e', 'e')))
    await two.service.clock.tick(61_000)
    await drain(two.service)
    expect(await two.status()).toMatchObject({ providers: [{ breaker: 'halted' }, { breaker: 'closed' }] })
    expect(two.memory.accepted).toHaveLength(4)
    two.service.simulator.clearScript()
    await two.resume()
    await drain(two.service)
    for (const messageId of messages) await two.expectTrue(messageId)
  })

  test('a trial takes the next batch when one has nothing for its provider', async () => {
    const halted = two.service.deps.db.updateTable('provider_state')
    await halted.set({ breaker: 'halted' }).where('provider', '=', 'expo').execute()
    await halted
      .set({ breaker: 'open', retry_at: new Date(0) })
      .where('provider', '=', 'memory')
      .execute()
    const [first, second] = [
      await send(two.service, await two.people('e')),
      await send(two.service, await two.people('m')),
    ]
    const ofMemory = { ...two.service.deps, ...two.service.deps.providers[1]! }
    expect(await runOnce(ofMemory, 'campaign', SIGNAL)).toBe('worked')
    expect(two.memory.accepted).toHaveLength(1)
    expect(await two.status()).toMatchObject({ providers: [{ breaker: 'halted' }, { breaker: 'closed' }] })
    await two.resume()
    await drain(two.service)
    for (const messageId of [first, second]) await two.expectTrue(messageId)
  })

  test('a mass of devices reported gone by one provider halts only it, and restores its own devices', async () => {
    await two.service.given.crowd(700)
    await two.service.deps.pool.query(
      `update mobile_devices set token = 'memory:' || id, provider = 'memory' where user_id % 10 = 0`,
    )
    const removed = new Date(two.service.clock.now() - 60_000)
    await two.service.deps.pool.query(
      `update mobile_devices set removed_at = $1, removed_reason = 'DeviceNotRegistered' where user_id % 20 = 0 or user_id % 20 = 1`,
      [removed],
    )
    const { rows } = await two.service.deps.pool.query<{ token: string; userId: number }>(
      `select token, user_id as "userId" from mobile_devices where removed_at is null order by user_id`,
    )
    for (const { token } of rows.slice(0, 500))
      two.service.simulator.setToken(token, { ticketError: 'DeviceNotRegistered' })
    const users = rows.map(({ userId }) => ({
      userId,
      email: '',
      name: '',
      headers: { authorization: '' },
      devices: [],
    }))
    const messageId = await send(two.service, users)
    await drain(two.service)
    const gone = await two.service.deps.pool.query(
      `select provider, count(*)::int as n from mobile_devices where removed_at is not null group by 1`,
    )
    expect(gone.rows).toEqual([{ provider: 'memory', n: 35 }])
    const counted = await two.service.deps.db
      .selectFrom('provider_state')
      .select(['provider', 'results_gone'])
      .execute()
    expect(counted).toContainEqual({ provider: 'memory', results_gone: 0 })
    expect(await two.status()).toMatchObject({ providers: [{ code: 'DeviceNotRegistered' }, { breaker: 'closed' }] })
    expect((await two.copiesBy(messageId)).memory.every((copy) => copy.is_delivered)).toBe(true)
    await two.expectTrue(messageId)
  })
})
