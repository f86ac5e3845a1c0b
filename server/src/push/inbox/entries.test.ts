// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, tell, usersWithPhones, sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'

type Item = {
  message_id: number
  kind: string
  title: string
  text: string
  link: string | null
  seen: boolean
  read: boolean
  archived: boolean
}

async function readInbox({ app }: Service, { headers }: GivenUser, query = ''): Promise<Item[]> {
  const answer = await app.inject({ url: `/api/v1/inbox?${query}`, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: Item[] }>().data
}

async function readTitles(service: Service, user: GivenUser, query = ''): Promise<string[]> {
  return (await readInbox(service, user, query)).map(({ title }) => title)
}

function post({ app }: Service, { headers }: GivenUser, path: string, payload?: object) {
  return app.inject({ method: 'POST', url: `/api/v1/inbox/${path}`, headers, ...(payload && { payload }) })
}

async function readBadge({ app }: Service, { headers }: GivenUser): Promise<Record<string, unknown>> {
  return (await app.inject({ url: '/api/v1/badge', headers })).json<{ data: Record<string, unknown> }>().data
}

async function listed({ app }: Service, { headers }: GivenUser): Promise<{ title: string; notification_id: number }[]> {
  return (await app.inject({ url: '/api/notification', headers })).json().data
}

function tellOf(service: Service, user: GivenUser, title: string): Promise<number> {
  return tell(service, [user], { content: () => ({ title, text: 'x' }), place: { screen: 'swap', id: 7 } })
}

describe('An inbox', () => {
  test.for<[string, (service: Service, user: GivenUser) => Promise<unknown>, { push: boolean; promotion: boolean }]>([
    ['with a phone', async () => undefined, { push: true, promotion: true }],
    [
      'without a phone',
      ({ deps }, { userId }) =>
        deps.db.updateTable('mobile_devices').set({ removed_at: new Date() }).where('user_id', '=', userId).execute(),
      { push: false, promotion: true },
    ],
    [
      'who muted the kind',
      ({ app }, { headers }) =>
        app.inject({
          method: 'PATCH',
          url: '/api/v1/me/settings',
          headers,
          payload: { events: { swap_status: false } },
        }),
      { push: false, promotion: true },
    ],
    [
      'who switched notifications off',
      ({ deps }, { userId }) =>
        deps.db.updateTable('user_settings').set({ setting_value: '0' }).where('user_id', '=', userId).execute(),
      { push: false, promotion: false },
    ],
    [
      'in quiet hours',
      ({ app, clock }, { headers }) => {
        const hour = new Date(clock.now()).getUTCHours()
        const at = (hours: number) => `${String((hour + 24 + hours) % 24).padStart(2, '0')}:00`
        return app.inject({
          method: 'PATCH',
          url: '/api/v1/me/settings',
          headers,
          payload: { quiet_hours: { start: at(-1), end: at(2) } },
        })
      },
      { push: false, promotion: true },
    ],
  ])('has what is sent to somebody %s', async ([, change, { push, promotion }], { service, clock }) => {
    const [user, other] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await change(service, user)
    const about = await tellOf(service, user, 'About your swap')
    await drain(service)
    expect((await readLedger(service, about)).accepted).toBe(push ? 1 : 0)
    expect(await readInbox(service, user)).toMatchObject([
      {
        kind: 'swap_status',
        title: 'About your swap',
        link: 'swapbell://swaps/7',
        seen: false,
        read: false,
        archived: false,
      },
    ])
    expect(await readBadge(service, user)).toMatchObject({ total: 1, notifications: 1 })
    expect(await listed(service, user)).toHaveLength(push ? 1 : 0)

    // Everybody: through batches, with masks for entries.
    await sendToEveryone(service)
    await drain(service)
    expect(await readTitles(service, user)).toEqual(promotion ? ['To all', 'About your swap'] : ['About your swap'])
    expect(await readTitles(service, other)).toEqual(['To all'])
    await clock.setTime(clock.now() + 4 * 3_600_000)
    await drain(service)
    expect(await readBadge(service, user)).toMatchObject({ total: promotion ? 2 : 1 })
    const { promotions } = await readPromotions(service)
    await expectTruth(service, promotions.at(-1)!)
  })

  test('has nothing of a suspended sender’s audience, nor of chat lines, which the chat shows', async ({ service }) => {
    const { app } = service
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    await service.deps.db.updateTable('users').set({ status: 'suspended' }).where('user_id', '=', user.userId).execute()
    await tellOf(service, user, 'Too late')
    await drain(service)
    await service.deps.db.updateTable('users').set({ status: 'active' }).where('user_id', '=', user.userId).execute()
    expect(await readBadge(service, user)).toMatchObject({ total: 0 })

    const { owner, requester, swapId } = await givenProposal(service)
    const say = { method: 'POST', url: `/api/v1/swaps/${swapId}/messages`, payload: { text: 'Hello' } } as const
    await app.inject({ ...say, headers: requester.headers })
    await drain(service)
    expect((await readInbox(service, owner)).map(({ kind }) => kind)).toEqual(['swap_status'])
    // The push about the line is a notification (decision B18).
    expect(await listed(service, owner)).toHaveLength(2)
    expect(await readBadge(service, owner)).toEqual({ total: 2, notifications: 1, chats: { [swapId]: 1 } })
  })

  test('is read one by one, which opens the copies; archived; up to an entry and about a record, which opens none', async ({
    service,
  }) => {
    const [user, other] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    for (const title of ['First', 'Second', 'Third']) await tellOf(service, user, title)
    const campaign = await send(service, [user, other])
    await drain(service)
    const [, third, second, first] = await readInbox(service, user)
    expect([third, second, first].map((item) => item?.title)).toEqual(['Third', 'Second', 'First'])
    expectInvalid(await service.app.inject({ url: '/api/v1/inbox?state=new', headers: user.headers }), 'state')
    expectInvalid(await service.app.inject({ url: '/api/v1/inbox?cursor=new', headers: user.headers }), 'cursor')

    expect((await post(service, user, `${second!.message_id}/read`)).json()).toMatchObject({
      data: { message_id: second!.message_id },
    })
    expect(await readCopies(service, second!.message_id)).toMatchObject([{ is_open: true }])
    expect(await readTitles(service, user, 'state=unread')).toEqual(['Hello', 'Third', 'First'])
    await post(service, user, `${third!.message_id}/archive`)
    expect(await readTitles(service, user)).toEqual(['Hello', 'Second', 'First'])
    expect(await readTitles(service, user, 'state=archived')).toEqual(['Third'])
    expect(await readBadge(service, user)).toMatchObject({ total: 2 })
    expect(await listed(service, user)).toHaveLength(2)

    expect((await post(service, user, 'read', { subject: 'swap:7' })).json()).toMatchObject({ data: { unread: 1 } })
    expect(await readTitles(service, user, 'state=unread')).toEqual(['Hello'])
    expect((await post(service, user, 'read', { up_to: campaign })).json()).toMatchObject({ data: { unread: 0 } })
    expect(await listed(service, user)).toEqual([])
    expect(await readBadge(service, user)).toMatchObject({ total: 0 })
    expect(await storedCounts(service, campaign)).toMatchObject({ opened: 0 })
    expect(await readInbox(service, user, 'kind=promotion')).toMatchObject([{ title: 'Hello', read: true, seen: true }])
    await send(service, [user])
    await drain(service)
    expect(await readBadge(service, user)).toMatchObject({ total: 1 })
    expect(await readBadge(service, other)).toMatchObject({ total: 1 })
    await expectTruth(service, campaign)

    for (const path of [`${campaign}/read`, `${campaign}/archive`]) {
      expect((await post(service, other, path)).statusCode).toBe(200)
      expectError(await post(service, await service.given.user(), path), 404, 'NOT_FOUND')
    }
    expectError(await post(service, user, 'read', { up_to: 1 }), 404, 'NOT_FOUND')
    expectInvalid(await post(service, user, 'read', {}), 'up_to')
    expectInvalid(await post(service, user, 'read', { up_to: 1, subject: 'swap:7' }), 'up_to')
    expectInvalid(await post(service, user, 'read', { subject: 'moon:7' }), 'subject')
  })

  test('knows what its app has shown', async ({ service }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    await tellOf(service, user, 'Before')
    await drain(service)
    expect((await post(service, user, 'seen')).statusCode).toBe(200)
    await tellOf(service, user, 'After')
    await drain(service)
    expect(await readInbox(service, user)).toMatchObject([
      { title: 'After', seen: false },
      { title: 'Before', seen: true, read: false },
    ])
  })

  test('is read about a record, also behind all that a long chat has said since', async ({ service }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    await tellOf(service, user, 'Accepted')
    await drain(service)
    await sql`insert into messages (type, audience, lane, needs_opt_in, title, body, status, created_at, expires_at, updated_at,
        recipient_id, subject, is_chat)
      select 'non_promotional', 'users', 'transactional', true, 'A line', 'x', 'completed', now(), now(), now(),
        ${user.userId}::bigint, 'swap:7', true
      from generate_series(1, 300::int)`.execute(service.deps.db)
    await sql`insert into entries (user_id, message_id, made_at, is_listed, has_copy)
      select recipient_id, message_id, now(), false, true from messages where title = 'A line'`.execute(service.deps.db)
    expect((await post(service, user, 'read', { subject: 'swap:7' })).json()).toMatchObject({ data: { unread: 0 } })
    expect(await readBadge(service, user)).toMatchObject({ total: 0 })
    expect(await listed(service, user)).toEqual([])
  })

  test('reads what is about a swap when its person opens the swap or the chat', async ({ service }) => {
    const { owner, swapId } = await givenProposal(service)
    await drain(service)
    expect(await readBadge(service, owner)).toMatchObject({ total: 1 })
    const seen = await service.app.inject({ url: `/api/v1/swaps/${swapId}`, headers: owner.headers })
    expect(seen.statusCode).toBe(200)
    expect(await readBadge(service, owner)).toMatchObject({ total: 0 })
    expect(await readInbox(service, owner)).toMatchObject([{ read: true }])
    expect(await listed(service, owner)).toEqual([])
  })
})

async function readPromotions({ deps }: Service): Promise<{ promotions: number[] }> {
  const rows = await deps.db
    .selectFrom('messages')
    .select('message_id')
    .where('audience', '=', 'all')
    .orderBy('created_at')
    .execute()
  return { promotions: rows.map(({ message_id }) => message_id) }
}
