import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { copiesOf, send } from '../../../test/support/campaign.ts'
import { commit } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { readUpTo, sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { claimBatches } from '../pipeline/claim.ts'
import { countMarked } from './badges.ts'
import { listBadges } from './badges.queries.ts'

/** The badge of a user as it was counted last. */
async function badgeOf({ deps }: Service, userId: number) {
  const [badge] = await listBadges(deps.db, [userId])
  return badge
}

async function unreadCount({ app }: Service, headers: Record<string, string>): Promise<number> {
  return (await app.inject({ url: '/api/notification', headers })).json<{ unread_count: number }>().unread_count
}

describe('A badge', () => {
  test('counts messages and not their copies, as the inbox does, and falls when one is opened', async ({ service }) => {
    const { app } = service
    const user = await service.given.user({ devices: [{ platform: 'ios' }, { platform: 'android' }] })
    const first = await send(service, [user])
    await send(service, [user], { promotional: false })
    await drain(service)
    const before = await badgeOf(service, user.userId)
    expect(before).toMatchObject({ notifications: 2, chats: {}, total: 2 })
    expect(await unreadCount(service, user.headers)).toBe(2)

    const [copy] = await copiesOf(service, first)
    await app.inject({ url: `/api/notification/${copy!.notification_id}/read`, headers: user.headers })
    await drain(service)
    const after = await badgeOf(service, user.userId)
    expect(after).toMatchObject({ notifications: 1, total: 1 })
    expect(after!.version).toBeGreaterThan(before!.version)
    expect(await unreadCount(service, user.headers)).toBe(1)
  })

  test('counts a chat line once: the line, and not the push about it', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    await commit(deps, sendSwapMessage, { swapId, senderId: requester.userId, text: 'Hello' })
    await commit(deps, sendSwapMessage, { swapId, senderId: requester.userId, text: 'Are you there?' })
    await drain(service)
    // The proposal was pushed too, and the two lines together.
    expect(await badgeOf(service, owner.userId)).toMatchObject({
      notifications: 2,
      chats: { [swapId]: 2 },
      total: 3,
    })
    expect(await badgeOf(service, requester.userId)).toBeUndefined()
    await commit(deps, readUpTo, { swapId, userId: owner.userId, messageId: 1_000_000 })
    await drain(service)
    expect(await badgeOf(service, owner.userId)).toMatchObject({ notifications: 2, chats: {}, total: 1 })
    await commit(deps, sendSwapMessage, { swapId, senderId: requester.userId, text: 'Well' })
    await drain(service)
    expect(await badgeOf(service, owner.userId)).toMatchObject({ chats: { [swapId]: 1 }, total: 2 })
  })

  test('has no new version when it is counted again and nothing has changed', async ({ service }) => {
    const user = await service.given.user({ devices: [{}] })
    const messageId = await send(service, [user])
    await drain(service)
    const before = await badgeOf(service, user.userId)
    const [copy] = await copiesOf(service, messageId)
    const event = { method: 'POST', url: `/api/notification/${copy!.notification_id}/events` } as const
    await service.app.inject({ ...event, headers: user.headers, payload: { event: 'shown' } })
    await service.deps.db
      .insertInto('badge_marks')
      .values({ urgent: true, user_ids: [user.userId] })
      .execute()
    expect(await countMarked(service.deps, true)).toEqual({ users: 1, changed: [] })
    expect(await badgeOf(service, user.userId)).toEqual(before)
  })

  test('is asked for by a plain GET, which is never behind what was just read', async ({ service }) => {
    const { deps, app } = service
    const { requester, owner, swapId } = await givenProposal(service)
    const asked = async () => (await app.inject({ url: '/api/v1/badge', headers: owner.headers })).json()
    await commit(deps, sendSwapMessage, { swapId, senderId: requester.userId, text: 'Hello' })
    await drain(service)
    const data = { total: 2, notifications: 2, chats: { [swapId]: 1 } }
    expect(await badgeOf(service, owner.userId)).toMatchObject(data)
    expect(await asked()).toEqual({ success: true, data, message: 'Badge' })
    await commit(deps, readUpTo, { swapId, userId: owner.userId, messageId: 1_000_000 })
    expect(await asked()).toMatchObject({ data: { total: 1, notifications: 2, chats: {} } })
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
      lane: 'transactional',
      limit: 9,
    })
    const badges = new Map(requests.flat().map(({ userId, push }) => [userId, push.badge]))
    expect(badges).toEqual(
      new Map([
        [ann.userId, 2],
        [bob.userId, undefined],
      ]),
    )
  })

  test('counts a message that expired unsent, but no deleted users', async ({ service }) => {
    const { deps, clock } = service
    const user = await service.given.user({ devices: [{}] })
    await send(service, [user])
    await clock.setTime(clock.now() + 2 * 86_400_000)
    await drain(service)
    expect(await badgeOf(service, user.userId)).toMatchObject({ notifications: 1, total: 1 })
    await deps.db
      .insertInto('badge_marks')
      .values({ urgent: true, user_ids: [999_999_999, user.userId] })
      .execute()
    expect(await countMarked(deps, true)).toEqual({ users: 2, changed: [] })
  })

  test('is the latest when several workers count at once', async ({ service }) => {
    const { deps } = service
    const { requester, owner, swapId } = await givenProposal(service)
    const counting = { on: true }
    const workers = Array.from({ length: 3 }, async () => {
      while (counting.on) await countMarked(deps, true)
    })
    for (let line = 1; line <= 10; line++)
      await commit(deps, sendSwapMessage, { swapId, senderId: requester.userId, text: `${line}` })
    counting.on = false
    await Promise.all(workers)
    await drain(service)
    expect(await badgeOf(service, owner.userId)).toMatchObject({ chats: { [swapId]: 10 } })
  })
})
