// Slow: several services for one test.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { claimAll } from '../../../test/support/attempt.ts'
import { readBatches } from '../../../test/support/batches.ts'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { besideExpo, memoryToken } from '../../../test/support/memory-provider.ts'
import { startRealTime } from '../../../test/support/real-time.ts'
import { startTwoProviders, UNAUTHORIZED, type TwoProviders } from '../../../test/support/two-providers.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { createHandlers } from '../../handlers.ts'
import { fetchReceipts } from './receipts.ts'
import { runOnce, sendBatches } from './submit.ts'
import { findOpenWork } from './poller.queries.ts'
import { sendToAll, sendToUsers } from '../../../test/support/send.ts'

// People of a claim, 32 batches of 50.
const FULL = 1_600
const SIGNAL = new AbortController().signal

let two: TwoProviders

beforeEach(async () => {
  two = await startTwoProviders()
})

afterEach(() => two.service.close())

describe('with two providers', () => {
  test('each push goes to the provider of its device, in requests of its size, and the counters are true', async () => {
    const messageId = await send(two.service, await two.people('e', 'm', 'em', 'mm', 'mem', '', 'm', 'e'))
    await drain(two.service)

    expect(two.memory.requests.map((request) => request.length)).toEqual([4, 3])
    expect(two.service.simulator.state().sendRequests).toBe(1)
    expect(two.service.simulator.log()).toHaveLength(4)
    expect(await storedCounts(two.service, messageId)).toMatchObject({
      selected: 8,
      notified: 7,
      skipped: 1,
      notifications: 11,
    })
    expect(await readBatches(two.service, messageId)).toEqual([
      { provider: 'expo', status: 'done', attempts: 1 },
      { provider: 'memory', status: 'done', attempts: 1 },
    ])
    expect(await two.messageStatus(messageId)).toEqual({ status: 'completed', pause_reason: null })
    await two.expectTrue(messageId)
  })

  test('lanes leave a campaign to the provider that has all phones of a full claim, and send all else', async () => {
    const { deps, clock, given } = two.service
    await given.crowd(3 * FULL + 50)
    await sql`update mobile_devices set provider = 'memory', token = ${memoryToken('')} || id where user_id > (
      select min(user_id) + 50 from mobile_devices)`.execute(deps.db)
    const messageId = await sendToAll(deps, { title: 'To all', text: 'There' }, 1)
    await createHandlers(deps).coordinate({ messageId }, SIGNAL)
    const [expo, memory] = deps.providers.map((own) => ({ ...deps, ...own, left: new Map<number, number>() }))
    const runLane = (lane: typeof expo) => runOnce(lane!, 'campaign', SIGNAL)
    expect([await runLane(expo), [...expo!.left]]).toEqual(['worked', []])
    expect([await runLane(expo), [...expo!.left.keys()]]).toEqual(['worked', [messageId]])
    expect(await runLane(expo)).toBe('idle')
    expect([await runLane(memory), [...memory!.left]]).toEqual(['worked', []])
    const later = await send(two.service, await two.people('e'))
    expect([await runLane(expo), await two.messageStatus(later)]).toMatchObject(['worked', { status: 'completed' }])
    await clock.tick(10_001)
    expect([await runLane(expo), [...expo!.left]]).toEqual(['worked', []])
    await drain(two.service)
    const all = 3 * FULL + 50
    expect(await storedCounts(two.service, messageId)).toMatchObject({ notifications: all, sent: all })
  })

  test('lanes leave no campaign to a provider that is halted, so that their own phones do not wait for it', async () => {
    const { app, deps, given, simulator } = two.service
    await given.crowd(2 * FULL + 50)
    await sql`update mobile_devices set provider = 'memory', token = ${memoryToken('')} || id where user_id < (
      select max(user_id) - 50 from mobile_devices)`.execute(deps.db)
    const messageId = await sendToAll(deps, { title: 'To all', text: 'There' }, 1)
    await createHandlers(deps).coordinate({ messageId }, SIGNAL)
    const { headers } = await given.admin()
    const payload = { provider: 'memory', reason: 'Its key is wrong.' }
    await app.inject({ method: 'POST', url: '/api/admin/push-status/halt', headers, payload })
    const expo = { ...deps, ...deps.providers[0], left: new Map<number, number>() }
    for (let rounds = 0; rounds < 3; rounds++) await runOnce(expo, 'campaign', SIGNAL)
    expect(simulator.log()).toHaveLength(51)
  })

  test('one reports delivery with its ticket; receipts are requested only from the other', async () => {
    const messageId = await send(two.service, await two.people('em', 'm'))
    await drain(two.service)
    const before = await two.copiesBy(messageId)
    expect(before.memory).toMatchObject([
      { is_send: true, is_delivered: true, settled_at: expect.any(Date) as Date },
      { is_send: true, is_delivered: true, settled_at: expect.any(Date) as Date },
    ])
    expect(before.expo).toMatchObject([{ is_send: true, is_delivered: null, settled_at: null }])
    expect(await storedCounts(two.service, messageId)).toMatchObject({ sent: 3, delivered: 2, failed: 0 })

    expect(await fetchReceipts(two.service.deps, { limit: 100, dueOnly: false }, SIGNAL)).toBe(1)
    expect(await storedCounts(two.service, messageId)).toMatchObject({ sent: 3, delivered: 3, failed: 0 })
    const open = two.service.deps.db.selectFrom('requests').select('provider').where('next_receipt_at', 'is not', null)
    expect(await open.execute()).toEqual([])
    await two.expectTrue(messageId)
  })

  test('a stop and a time limit end what waits for a halted one, and a released phone gets nothing', async () => {
    two.service.simulator.script([UNAUTHORIZED])
    await send(two.service, await two.people('e'))
    await drain(two.service)
    const { headers } = await two.service.given.admin()
    const owner = await two.person('em')
    const [stopped, expired, released] = [
      await send(two.service, await two.people('em', 'e')),
      await send(two.service, await two.people('em', 'e')),
      await send(two.service, [owner]),
    ]
    await drain(two.service)
    const url = `/api/admin/promotional-notifications/${stopped}/stop`
    expect((await two.service.app.inject({ method: 'POST', url, headers })).statusCode).toBe(200)
    expect((await two.copiesBy(stopped)).expo).toMatchObject([
      { error_message: 'Stopped' },
      { error_message: 'Stopped' },
    ])
    await two.service.deps.db
      .updateTable('messages')
      .set({ expires_at: new Date(0) })
      .where('message_id', '=', expired)
      .execute()
    await sweep(two.service.deps)
    expect((await two.copiesBy(expired)).expo).toMatchObject([
      { error_message: 'MessageExpired' },
      { error_message: 'MessageExpired' },
    ])
    const release = {
      method: 'DELETE',
      url: '/api/user/phone-token?device_id=phone%200',
      headers: owner.headers,
    } as const
    expect((await two.service.app.inject(release)).statusCode).toBe(200)

    two.service.simulator.clearScript()
    await two.resume()
    await drain(two.service)
    expect((await two.copiesBy(released)).expo).toMatchObject([{ error_message: 'DeviceMoved', attempts: 0 }])
    for (const messageId of [stopped, expired, released]) await two.expectTrue(messageId)
  })

  test('a worker claims the parts of each, and sends them', async () => {
    const messageId = await send(two.service, await two.people('em'))
    await claimAll(two.service, messageId)
    const { lanes } = await findOpenWork(two.service.deps.db, 0, ['expo', 'memory'], new Date(two.service.clock.now()))
    expect(lanes.toSorted((a, b) => a.provider.localeCompare(b.provider))).toMatchObject([
      { provider: 'expo', campaign_due: null },
      { provider: 'memory', campaign_due: expect.any(Number) as number },
    ])

    const real = await startRealTime({}, besideExpo(two.memory.provider))
    onTestFinished(() => real.close())
    await real.work()
    const { userId } = await real.given.user({ devices: [{}, { token: memoryToken('a'), provider: 'memory' }] })
    const said = { content: { title: 'a', text: 'b' }, promotional: true, senderId: null }
    await sendToUsers(real.deps, { ...said, userIds: [userId], origin: 'named' })
    await expect.poll(() => [real.simulator.log().length, two.memory.accepted.length]).toEqual([1, 1])
  })

  test('a worker killed after it divided a batch loses nothing of either part', async () => {
    const messageId = await send(two.service, await two.people('em', 'm', 'e'))
    const claim = await claimAll(two.service, messageId)
    expect(claim.requests.flat()).toHaveLength(2)
    await drain(two.service)
    expect(two.memory.accepted).toHaveLength(2)
    await two.service.clock.tick((two.service.deps.config.PUSH_LEASE_SECONDS + 61) * 1_000)
    await sweep(two.service.deps)
    await drain(two.service)
    expect(await two.messageStatus(messageId)).toMatchObject({ status: 'completed' })
    expect(await storedCounts(two.service, messageId)).toMatchObject({ sent: 4, possible_duplicates: 2 })
    await two.expectTrue(messageId)
  })

  test('answers of one request that cannot be stored keep those of no other, whose pushes would be doubled', async () => {
    const { deps, clock } = two.service
    const people = await two.people('m', 'm', 'm', 'm', 'm', 'm', 'm', 'm')
    const [bad, good] = [await send(two.service, people.slice(0, 4)), await send(two.service, people.slice(4))]
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
      create trigger refuse before update on batches for each row
        when (new.message_id = ${sql.lit(bad)} and new.long_tickets is not null) execute function refuse()
    `.execute(deps.db)
    await sendBatches({ ...deps, ...deps.providers[1]! }, { home: 0, lane: 'campaign', limit: 10 })
    await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
    await clock.tick((deps.config.PUSH_LEASE_SECONDS + 61) * 1_000)
    await sweep(deps)
    await drain(two.service)
    expect(await storedCounts(two.service, good)).toMatchObject({ sent: 4, possible_duplicates: 0 })
    expect(await storedCounts(two.service, bad)).toMatchObject({ sent: 4, possible_duplicates: 4 })
    expect(two.memory.accepted).toHaveLength(12)
  })

  test('a push token of neither is refused, and so is resuming an unknown provider', async () => {
    const { headers } = await two.service.given.user()
    const payload = { token: 'pager:1', device_id: 'a', platform: 'ios' }
    const answer = await two.service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
    expectInvalid(answer, 'token')
    expectInvalid(await two.resume({ provider: 'pager' }), 'provider')
  })
})
