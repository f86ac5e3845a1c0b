import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { publish, type MarketplaceEvent } from './publish.ts'

describe('Events of the marketplace', () => {
  test('send a push to each receiver, and give the id of each', async ({ deps, given }) => {
    const [ann, bob] = [await given.user(), await given.user()]
    const moved = (swapId: number, told: (number | null)[]): MarketplaceEvent => ({
      name: 'swap.moved',
      facts: { swapId, status: 'cancelled', now: 'cancelled', isUnanswered: false },
      by: ann.userId,
      recipients: told,
    })

    const ids = await commitWork(deps, publish, [
      moved(7, [null]),
      moved(8, [bob.userId]),
      { name: 'match', facts: { productId: 1, userId: 1 }, by: null, recipients: [ann.userId, bob.userId] },
    ])

    expect(ids).toEqual([null, expect.any(Number), expect.any(Number)])
    const messages = await deps.db
      .selectFrom('messages')
      .innerJoin('batches', 'batches.message_id', 'messages.message_id')
      .select(['messages.message_id', 'title', 'body', 'data', 'user_ids'])
      .orderBy('messages.message_id')
      .execute()
    expect(messages).toMatchObject([
      {
        message_id: ids[1],
        title: 'Swap update',
        body: 'Your swap was cancelled.',
        data: { event: 'swap_status', transaction_id: 8, status: 'cancelled', link: 'swapbell://swaps/8' },
        user_ids: [bob.userId],
      },
      { message_id: ids[2], title: 'It is a swap match', user_ids: [ann.userId, bob.userId] },
    ])
  })

  test('notify neither the person who acted, nor anybody across a block in either direction', async ({
    deps,
    given,
  }) => {
    const people = [await given.user(), await given.user(), await given.user(), await given.user()]
    const [ann, bob, eve, dan] = people.map((person) => person.userId) as [number, number, number, number]
    const created_at = new Date(deps.clock.now())
    await deps.db
      .insertInto('user_blocks')
      .values([
        { blocker_id: ann, blocked_id: bob, created_at },
        { blocker_id: eve, blocked_id: ann, created_at },
      ])
      .execute()
    const asked = (by: number | null): MarketplaceEvent => ({
      name: 'group.join_requested',
      facts: { groupId: 5, userId: dan },
      by,
      recipients: [ann, bob, eve, dan],
    })

    await commitWork(deps, publish, [asked(ann), asked(bob), asked(null)])

    const messages = await deps.db
      .selectFrom('messages')
      .select('recipient_id')
      .where('subject', '=', 'group:5')
      .orderBy('message_id')
      .execute()
    expect(messages.map((message) => message.recipient_id)).toEqual([dan, eve, dan, ann, bob, eve, dan])
  })

  test.for([
    ['a person', true],
    ['the service', false],
  ])('caused by %s are read with their record by each receiver', async ([, isPersonal], { service, app, deps }) => {
    const { given } = service
    const [ann, bob, eve] = [await given.user(), await given.user(), await given.user()]
    const by = isPersonal ? eve.userId : null
    const recipients = [ann.userId, bob.userId]
    await commitWork(deps, publish, [{ name: 'group.invited', facts: { groupId: 5 }, by, recipients }])
    await drain(service)
    for (const { headers } of [ann, bob]) {
      const badge = async () => (await app.inject({ url: '/api/v1/badge', headers })).json<object>()
      expect(await badge()).toMatchObject({ data: { total: 1 } })
      const read = { method: 'POST', url: '/api/v1/inbox/read', payload: { subject: 'group:5' } } as const
      expect((await app.inject({ ...read, headers })).json()).toMatchObject({ data: { unread: 0 } })
      expect(await badge()).toMatchObject({ data: { total: 0 } })
    }
  })

  test('say whom a match or a message comes from, to those who allow names, and never of others', async ({
    deps,
    given,
  }) => {
    const ann = await given.user({ name: ' Ann “the\u202E”  boss ' })
    const [bob, eve, dan] = [await given.user(), await given.user(), await given.user()]
    await deps.db.updateTable('users').set({ language: 'fr' }).where('user_id', '=', dan.userId).execute()
    const now = new Date(deps.clock.now())
    await deps.db
      .insertInto('push_preferences')
      .values({ user_id: eve.userId, sender_names: false, created_at: now, updated_at: now })
      .execute()
    const told = [bob.userId, eve.userId, dan.userId]
    const by = ann.userId
    const events: MarketplaceEvent[] = [
      { name: 'match', facts: { productId: 1, userId: 1 }, by, recipients: told },
      { name: 'group.join_requested', facts: { groupId: 5, userId: ann.userId }, by, recipients: told },
      ...told.map((userId): MarketplaceEvent => ({
        name: 'swap.message',
        facts: { swapId: 5, messageId: 1 },
        by,
        recipients: [userId],
      })),
    ]
    await commitWork(deps, publish, events)
    const messages = await deps.db
      .selectFrom('messages')
      .innerJoin('batches', 'batches.message_id', 'messages.message_id')
      .select(['event', 'title', 'body', 'user_ids', 'sender_id'])
      .where(({ eb, fn }) => eb(fn<number>('cardinality', ['user_ids']), '>', 0))
      .execute()
    const shown = messages.map(({ event, title, body, user_ids, sender_id }) => [
      event,
      user_ids,
      `${title}: ${body}`,
      sender_id,
    ])
    const match = 'has a product that you like, and is interested in one of yours.'
    expect(shown).toEqual(
      expect.arrayContaining([
        ['swap_match', [bob.userId], `It is a swap match: “Ann the boss” ${match}`, by],
        ['swap_match', [eve.userId], expect.stringContaining('Somebody with a product') as string, by],
        ['swap_match', [dan.userId], expect.stringContaining('« Ann the boss »') as string, by],
        [
          'new_message',
          [bob.userId],
          expect.stringMatching(/^New message from “Ann the boss”: You have/) as string,
          by,
        ],
        ['new_message', [eve.userId], expect.stringMatching(/^New message: You have/) as string, by],
        ...[bob, eve].map(({ userId }) => [
          'group_join_request',
          [userId],
          expect.stringMatching(/^Join request: Somebody/) as string,
          null,
        ]),
      ]),
    )
  })

  test('are lost with the transaction in which they happen', async ({ deps, given }) => {
    const { userId } = await given.user()
    await expect(
      commitWork(deps, publishAndFail, [
        { name: 'match', facts: { productId: 1, userId: 1 }, by: null, recipients: [userId] },
      ]),
    ).rejects.toThrow('the rule failed')
    expect(
      await deps.db.selectFrom('messages').select('message_id').where('recipient_id', '=', userId).execute(),
    ).toEqual([])
  })
})

const publishAndFail: typeof publish = async (...input) => {
  await publish(...input)
  throw new Error('the rule failed')
}
