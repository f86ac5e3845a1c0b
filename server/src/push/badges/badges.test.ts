import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTrueBadges, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { readUpTo, sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { claimBatches } from '../pipeline/claim.ts'
import { listBadges } from './badges.queries.ts'

async function findBadge({ deps }: Service, userId: number) {
  const [badge] = await listBadges(deps.db, [userId])
  return badge
}

async function unreadCount({ app }: Service, headers: Record<string, string>): Promise<number> {
  return (await app.inject({ url: '/api/notification', headers })).json<{ unread_count: number }>().unread_count
}

describe('A badge', () => {
  test('is each one’s own where several streams of a person ask together', async ({ service }) => {
    const [one, other] = await usersWithPhones(service, 2)
    await send(service, [other!])
    await drain(service)
    const userIds = [one, other, one, other, other].map((user) => user!.userId)
    const badges = await listBadges(service.deps.db, userIds)
    expect(badges.map(({ userId, total }) => [userId, total])).toEqual(
      userIds.map((userId) => [userId, userId === other!.userId ? 1 : 0]),
    )
  })

  test('counts messages and not their copies, as the inbox does, and falls when one is opened', async ({ service }) => {
    const { app } = service
    const user = await service.given.user({ devices: [{ platform: 'ios' }, { platform: 'android' }] })
    const first = await send(service, [user])
    await send(service, [user], { promotional: false })
    await drain(service)
    const before = await findBadge(service, user.userId)
    expect(before).toMatchObject({ notifications: 2, chats: {}, total: 2 })
    expect(await unreadCount(service, user.headers)).toBe(2)

    const [copy] = await readCopies(service, first)
    await app.inject({ url: `/api/notification/${copy!.notification_id}/read`, headers: user.headers })
    await drain(service)
    const after = await findBadge(service, user.userId)
    expect(after).toMatchObject({ notifications: 1, total: 1 })
    expect(after!.version).toBeGreaterThan(before!.version)
    expect(await unreadCount(service, user.headers)).toBe(1)
  })

  test('counts a chat line once: the line, and not the push about it', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Hello' })
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Are you there?' })
    await drain(service)
    // The proposal is an entry of the inbox; the push about the lines is none.
    expect(await findBadge(service, owner.userId)).toMatchObject({
      notifications: 1,
      chats: { [swapId]: 2 },
      total: 3,
    })
    expect(await findBadge(service, requester.userId)).toMatchObject({ notifications: 0, total: 0 })
    // Whoever reads the chat has read what is about the swap.
    await commitAs(owner, deps, readUpTo, { swapId, messageId: 1_000_000 })
    expect(await findBadge(service, owner.userId)).toMatchObject({ notifications: 0, chats: {}, total: 0 })
    expect(await unreadCount(service, owner.headers)).toBe(0)
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Well' })
    expect(await findBadge(service, owner.userId)).toMatchObject({ chats: { [swapId]: 1 }, total: 1 })
  })

  test('has no new version when nothing of it changed', async ({ service }) => {
    const user = await service.given.user({ devices: [{}] })
    const messageId = await send(service, [user])
    await drain(service)
    const [copy] = await readCopies(service, messageId)
    const open = { url: `/api/notification/${copy!.notification_id}/read`, headers: user.headers }
    await service.app.inject(open)
    const before = await findBadge(service, user.userId)
    const event = { method: 'POST', url: `/api/notification/${copy!.notification_id}/events` } as const
    await service.app.inject({ ...event, headers: user.headers, payload: { event: 'shown' } })
    await service.app.inject(open)
    expect(await findBadge(service, user.userId)).toEqual(before)
  })

  test('is asked for by a plain GET, which is never behind what was just read', async ({ service }) => {
    const { deps, app } = service
    const { requester, owner, swapId } = await givenProposal(service)
    const asked = async () => (await app.inject({ url: '/api/v1/badge', headers: owner.headers })).json()
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Hello' })
    await drain(service)
    const data = { total: 2, notifications: 1, chats: { [swapId]: 1 } }
    expect(await findBadge(service, owner.userId)).toMatchObject(data)
    expect(await asked()).toEqual({ success: true, data, message: 'Badge' })
    await commitAs(owner, deps, readUpTo, { swapId, messageId: 1_000_000 })
    expect(await asked()).toMatchObject({ data: { total: 0, notifications: 0, chats: {} } })
  })

  test('goes with every push to an iPhone: what is unread as the push leaves; Android gets none', async ({
    service,
  }) => {
    const { deps } = service
    const ann = await service.given.user({ devices: [{ platform: 'ios' }] })
    const bob = await service.given.user({ devices: [{ platform: 'android' }] })
    await send(service, [ann, bob], { promotional: false })
    await drain(service)
    await send(service, [ann, bob], { promotional: false })
    const { requests } = await claimBatches(Object.assign({}, deps, deps.providers[0]), {
      home: 0,
      lane: 'transactional',
      limit: 9,
    })
    const badges = new Map(requests.flat().map(({ userId, badge }) => [userId, badge]))
    expect(badges).toEqual(
      new Map([
        [ann.userId, 2],
        [bob.userId, undefined],
      ]),
    )
  })

  test('is read again as a retry leaves', async ({ service }) => {
    const user = await service.given.user({ devices: [{ platform: 'ios' }] })
    service.simulator.script([{ match: 'send', ticketErrors: { '*': 'MessageRateExceeded' }, times: 1 }])
    const refused = await send(service, [user], { promotional: false })
    await drain(service)
    await send(service, [user], { promotional: false })
    await drain(service)
    await untilRetry(service)
    const { requests } = await claimAll(service, refused)
    expect(requests.flat().map(({ tries, badge }) => [tries, badge])).toEqual([[2, 2]])
  })

  test('counts a message that expired unsent, but no deleted users', async ({ service }) => {
    const { clock } = service
    const user = await service.given.user({ devices: [{}] })
    await send(service, [user])
    await clock.setTime(clock.now() + 2 * 86_400_000)
    await drain(service)
    expect(await findBadge(service, user.userId)).toMatchObject({ notifications: 1, total: 1 })
  })

  test('is right after many changes at once', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    const users = await usersWithPhones(service, 20)
    await drain(service)
    const lines = Array.from({ length: 10 }, (_, line) =>
      commitAs(requester, deps, sendSwapMessage, { swapId, text: `${line}` }),
    )
    const campaigns = Array.from({ length: 3 }, () => send(service, [...users, owner, requester]))
    await Promise.all([...lines, ...campaigns, commitAs(owner, deps, readUpTo, { swapId, messageId: 4 })])
    await Promise.all([drain(service), drain(service), drain(service)])
    await expectTrueBadges(service)
    expect(await findBadge(service, users[0]!.userId)).toMatchObject({ total: 3 })
  })
})
