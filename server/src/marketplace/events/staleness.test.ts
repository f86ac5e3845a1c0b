// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { beforeEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth } from '../../../test/support/campaign.ts'
import { commitAs, commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { readEntry } from '../../push/inbox/reading.ts'
import { invalidateSwaps } from '../swaps/invalidate.ts'
import { counterSwap, moveSwap } from '../swaps/move.ts'

const HOUR_MS = 3_600_000
const PROPOSED = 'You have a new swap proposal.'
const WITHDRAWN = 'A swap proposal was withdrawn.'
const COUNTERED = 'You have a counter-proposal for your swap.'
const ACCEPTED = 'Your swap was accepted.'
const IMPOSSIBLE = 'A swap is no longer possible.'

let night = Date.UTC(2029, 0, 10, 23, 30)
beforeEach<{ service: Service }>(async ({ service }) => {
  await drain(service)
  service.simulator.reset()
  await service.clock.setTime((night += 24 * HOUR_MS))
})

describe('Of a proposal that is over, somebody', () => {
  test('who was not told of it is not told that it was withdrawn', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await drain(service)
    expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [], unread: 0 })
    await expectStale(service, swapId, 2)
  })

  test('who was in quiet hours until then is not told, and the proposal leaves the inbox', async ({
    service,
    deps,
    clock,
  }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await sleepAtNight(service, owner)
    await drain(service)
    expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [PROPOSED], unread: 1 })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    for (const hours of [0, 8]) {
      await clock.setTime(night + hours * HOUR_MS)
      await drain(service)
      expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [], unread: 0 })
      await expectStale(service, swapId, 2)
    }
  })

  test('who sleeps through a proposal’s moves has the last alone, also before the morning', async ({
    service,
    deps,
    clock,
  }) => {
    const { owner, requester, offered, requested, swapId } = await givenProposal(service)
    await sleepAtNight(service, owner)
    await sleepAtNight(service, requester)
    await drain(service)
    await clock.tick(1_000)
    const proposal = { offered: [offered], requested: [requested] }
    await commitAs(owner, deps, counterSwap, { swapId, proposal })
    await drain(service)
    await clock.tick(1_000)
    await commitAs(requester, deps, counterSwap, { swapId, proposal })
    await drain(service)
    await clock.tick(1_000)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await drain(service)
    expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [COUNTERED], unread: 1 })
    expect(await heard(service, requester)).toEqual({ pushes: [], inbox: [ACCEPTED], unread: 1 })
    await clock.setTime(night + 8 * HOUR_MS)
    await drain(service)
    expect(await heard(service, requester)).toEqual({ pushes: [ACCEPTED], inbox: [ACCEPTED], unread: 1 })
    for (const messageId of await readMessages(service, swapId)) await expectTruth(service, messageId)
  })

  test('who had read of it in quiet hours is told afterwards', async ({ service, deps, clock }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await sleepAtNight(service, owner)
    await drain(service)
    const [messageId = 0] = await readMessages(service, swapId)
    await commitWork(deps, readEntry, { userId: owner.userId, messageId })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await drain(service)
    await clock.setTime(night + 8 * HOUR_MS)
    await drain(service)
    expect(await heard(service, owner)).toMatchObject({ pushes: [WITHDRAWN], unread: 1 })
  })

  test('who was rung is told', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await drain(service)
    expect(await heard(service, owner)).toMatchObject({ pushes: [PROPOSED, WITHDRAWN], inbox: [PROPOSED, WITHDRAWN] })
  })

  test('who was rung on one of two phones is told', async ({ service, deps, app, simulator, clock }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    const token = 'ExponentPushToken[second-phone]'
    const payload = { token, device_id: 'second phone', platform: 'android' }
    const url = '/api/user/save-phone-token'
    expect((await app.inject({ method: 'POST', url, headers: owner.headers, payload })).statusCode).toBe(200)
    simulator.script([{ match: 'send', ticketErrors: { [token]: 'MessageRateExceeded' } }])
    await drain(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await drain(service)
    await clock.tick(61_000)
    await drain(service)
    expect(await heard(service, owner)).toMatchObject({ pushes: [PROPOSED, WITHDRAWN] })
  })

  test('who has it in the inbox, without a phone, has its end there too', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await deps.db.deleteFrom('mobile_devices').where('user_id', '=', owner.userId).execute()
    await drain(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await drain(service)
    expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [PROPOSED, WITHDRAWN], unread: 2 })
  })

  test('who made it is told that it is impossible, also when the other side is not', async ({ service, deps }) => {
    const { owner, requester, requested, swapId } = await givenProposal(service)
    await commitWork(deps, invalidateSwaps, {
      productIds: [requested],
      reason: 'product_removed',
      actor: 'administrator',
    })
    await drain(service)
    expect(await heard(service, owner)).toEqual({ pushes: [], inbox: [], unread: 0 })
    expect(await heard(service, requester)).toEqual({ pushes: [IMPOSSIBLE], inbox: [IMPOSSIBLE], unread: 1 })
    for (const messageId of await readMessages(service, swapId)) await expectTruth(service, messageId)
  })

  test('whom another worker is about to ring of it is told', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    const [messageId] = await readMessages(service, swapId)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await inTransaction(deps.db, async (tx) => {
      await sql`select from work where message_id = ${messageId} for update`.execute(tx)
      await drain(service)
    })
    expect(await heard(service, owner)).toMatchObject({ pushes: [WITHDRAWN] })
  })
})

async function sleepAtNight({ app }: Service, { headers }: GivenUser): Promise<void> {
  const payload = { quiet_hours: { start: '22:00', end: '07:00' } }
  const answer = await app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
  expect(answer.statusCode).toBe(200)
}

/** What rang and what the inbox shows, oldest first, and how much the badge counts. */
async function heard(service: Service, { devices, headers }: GivenUser) {
  const { app, deps, simulator } = service
  const rung = simulator.log().filter(({ token }) => devices.some((device) => device.token === token))
  const said = deps.db
    .selectFrom('notifications')
    .innerJoin('messages', 'messages.message_id', 'notifications.message_id')
  const texts = new Map(
    (await said.select(['notification_id', 'body']).execute()).map((row) => [row.notification_id, row]),
  )
  const inbox = (await app.inject({ url: '/api/v1/inbox', headers })).json<{ data: { text: string }[] }>().data
  const badge = (await app.inject({ url: '/api/v1/badge', headers })).json<{ data: { total: number } }>().data
  return {
    pushes: rung.map(({ notification_id }) => texts.get(Number(notification_id))?.body),
    inbox: inbox.map(({ text }) => text).toReversed(),
    unread: badge.total,
  }
}

async function readMessages({ deps }: Service, swapId: number): Promise<number[]> {
  const messages = deps.db.selectFrom('messages').select('message_id').where('merge_key', '=', `swap-${swapId}`)
  return (await messages.orderBy('started_at').orderBy('message_id').execute()).map((row) => row.message_id)
}

async function expectStale(service: Service, swapId: number, count: number): Promise<void> {
  const messageIds = await readMessages(service, swapId)
  const skips = service.deps.db.selectFrom('skips').select('message_id').where('reason', '=', 'stale')
  expect(await skips.where('message_id', 'in', messageIds).execute()).toHaveLength(count)
  for (const messageId of messageIds) await expectTruth(service, messageId)
}
