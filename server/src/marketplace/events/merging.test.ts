// Slow: a second or more for each test, or five for the file.
import { beforeEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, pushesTo } from '../../../test/support/campaign.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { createGroup, decideMember, requestToJoin } from '../groups/groups.ts'
import { sendSwapMessage } from '../chat/chat.ts'
import { counterSwap, moveSwap } from '../swaps/move.ts'

beforeEach<{ service: Service }>(async ({ service }) => {
  await drain(service)
  service.simulator.reset()
})

describe('A push that is stale when its turn comes is not sent, and counted:', () => {
  test('about a swap that has moved on', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'cancel' })

    await drain(service)

    expect(await pushesTo(service, requester)).toMatchObject([{ body: 'Your swap was cancelled.' }])
    expect(await pushesTo(service, owner)).toEqual([])
    await expectCounts(service, `swap-${swapId}`, [
      { skipped_stale: 1, sent: 0 },
      { skipped_stale: 1, sent: 0 },
      { skipped_stale: 0, sent: 1 },
    ])
  })

  test('about a message that was read', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await commitAs(requester, deps, sendSwapMessage, { swapId, text: 'Hello' })
    await deps.db.updateTable('swap_messages').set({ read_at: new Date() }).where('swap_id', '=', swapId).execute()

    await drain(service)

    expect(await pushesTo(service, owner)).toMatchObject([{ title: 'Swap update' }])
    await expectCounts(service, `chat-${swapId}`, [{ skipped_stale: 1, sent: 0 }])
  })

  test('about a request to join that was answered', async ({ service, deps, given }) => {
    const [owner, ada, bob] = [await given.user({ devices: [{}] }), await given.user(), await given.user()]
    const { group_id: groupId } = await commitAs(owner, deps, createGroup, { name: 'Bikes', join_policy: 'request' })
    await commitAs(ada, deps, requestToJoin, { groupId })
    await commitAs(bob, deps, requestToJoin, { groupId })
    await commitAs(owner, deps, decideMember, { groupId, userId: ada.userId, to: 'approved' })

    await drain(service)

    expect(await pushesTo(service, owner)).toHaveLength(1)
  })

  test('also when it is to be tried again: its copy ends, in both lists', async ({
    service,
    deps,
    clock,
    simulator,
    app,
  }) => {
    const { requester, owner, swapId } = await givenProposal(service)
    simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' } }])
    await drain(service)
    await commitAs(requester, deps, moveSwap, { swapId, move: 'withdraw' })
    await clock.tick(61_000)
    await drain(service)

    const [first] = await toMessages(service, `swap-${swapId}`)
    const copies = await deps.db
      .selectFrom('notifications')
      .select(['error_message', 'settled_at'])
      .where('message_id', '=', first!.message_id)
      .execute()
    expect(copies).toEqual([{ error_message: 'MessageStale', settled_at: expect.any(Date) }])
    const unread = await app.inject({ url: '/api/notification', headers: owner.headers })
    expect(unread.json()).toMatchObject({ unread_count: 0, data: [] })
    await expectTruth(service, first!.message_id)
  })
})

describe('Pushes about one swap', () => {
  test('share a banner on the phone, and only the latest of those that wait is sent', async ({
    service,
    deps,
    clock,
  }) => {
    const { owner, requester, offered, requested, swapId } = await givenProposal(service)
    await drain(service)
    const proposal = { offered: [offered], requested: [requested] }
    await clock.tick(1_000)
    await commitAs(owner, deps, counterSwap, { swapId, proposal })
    await clock.tick(1_000)
    await commitAs(requester, deps, counterSwap, { swapId, proposal })
    await clock.tick(1_000)
    await commitAs(owner, deps, counterSwap, { swapId, proposal })
    await drain(service)

    expect(await pushesTo(service, requester)).toMatchObject([{ collapseId: `swap-${swapId}` }])
    expect(await pushesTo(service, owner)).toMatchObject([{ collapseId: `swap-${swapId}` }])
  })
})

describe('Lines of a chat', () => {
  test('ring at once the first time, then once a minute with their number', async ({ service, deps, clock }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    const say = (text: string) => commitAs(requester, deps, sendSwapMessage, { swapId, text })
    const chats = async () =>
      (await pushesTo(service, owner)).filter(({ collapseId }) => collapseId === `chat-${swapId}`)

    await say('one')
    await drain(service)
    const from = `from “${requester.name}”`
    expect(await chats()).toMatchObject([{ title: `New message ${from}` }])

    const ids = []
    for (const text of ['two', 'three', 'four']) {
      await clock.tick(5_000)
      ids.push((await say(text)).swap_message_id)
      await drain(service)
    }
    expect(await chats()).toHaveLength(1)

    await clock.tick(46_000)
    await drain(service)
    expect(await chats()).toMatchObject([
      {},
      {
        title: `3 new messages ${from}`,
        body: 'You have 3 new messages about a swap.',
        data: { message_id: ids.at(-1) },
      },
    ])

    await clock.tick(61_000)
    await say('five')
    await drain(service)
    expect(await chats()).toMatchObject([{}, {}, { title: `New message ${from}` }])
    for (const { message_id } of await toMessages(service, `chat-${swapId}`)) await expectTruth(service, message_id)
  })

  test('before the first has left are one push, at once', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    for (const text of ['one', 'two']) await commitAs(requester, deps, sendSwapMessage, { swapId, text })
    await drain(service)
    expect((await pushesTo(service, owner)).slice(1)).toMatchObject([
      { title: `2 new messages from “${requester.name}”` },
    ])
  })

  test('of both sides, 50 at the same moment, leave one waiting push for each', async ({ service, deps }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    for (const { userId } of [owner, requester])
      await commitAs({ userId }, deps, sendSwapMessage, { swapId, text: 'First' })
    await drain(service)

    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        commitAs({ userId: (i % 2 === 0 ? owner : requester).userId }, deps, sendSwapMessage, {
          swapId,
          text: `Line ${i}`,
        }),
      ),
    )

    const waiting = (await toMessages(service, `chat-${swapId}`)).filter((message) => message.sleeps_until !== null)
    expect(waiting.map(({ merges, title }) => ({ merges, title }))).toEqual([
      { merges: 25, title: expect.stringMatching(/^25 new messages from “User .+”$/) },
      { merges: 25, title: expect.stringMatching(/^25 new messages from “User .+”$/) },
    ])
  })

  test('in a language that the person reads', async ({ service, deps, clock }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    await deps.db.updateTable('users').set({ language: 'de-AT' }).where('user_id', '=', owner.userId).execute()
    await drain(service)
    for (const text of ['one', 'two', 'three']) {
      await commitAs(requester, deps, sendSwapMessage, { swapId, text })
      await drain(service)
    }
    await clock.tick(61_000)
    await drain(service)
    expect((await pushesTo(service, owner)).slice(-2)).toMatchObject([
      { title: `Neue Nachricht von „${requester.name}“` },
      { title: `2 neue Nachrichten von „${requester.name}“` },
    ])
  })
})

function toMessages({ deps }: Service, mergeKey: string) {
  return deps.db
    .selectFrom('messages')
    .select(['message_id', 'title', 'merges', 'sleeps_until'])
    .where('merge_key', '=', mergeKey)
    .orderBy('created_at')
    .orderBy('message_id')
    .execute()
}

async function expectCounts(service: Service, mergeKey: string, expected: Record<string, number>[]): Promise<void> {
  const messages = await toMessages(service, mergeKey)
  const ids = messages.map((message) => message.message_id)
  const counts = await service.deps.db
    .selectFrom('message_counts')
    .select(({ fn }) => ['message_id', fn.sum('skipped_stale').as('skipped_stale'), fn.sum('sent').as('sent')])
    .where('message_id', 'in', ids)
    .groupBy('message_id')
    .orderBy('skipped_stale', 'desc')
    .execute()
  expect(counts.map((row) => ({ skipped_stale: Number(row.skipped_stale), sent: Number(row.sent) }))).toEqual(expected)
  for (const id of ids) await expectTruth(service, id)
}
