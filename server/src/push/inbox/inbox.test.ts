import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send } from '../../../test/support/campaign.ts'
import { waitingCopies } from '../../../test/support/waiting-copies.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { recountUnread } from '../ledger/badge-counts.ts'

type Entry = { notification_id: number; title: string; state: string; is_open: boolean }
type Inbox = { data: Entry[]; unread_count: number }

async function readInbox({ app }: Service, { headers }: GivenUser): Promise<Inbox> {
  const answer = await app.inject({ url: '/api/notification', headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<Inbox>()
}

function read({ app }: Service, { headers }: GivenUser, id: number | string) {
  return app.inject({ url: `/api/notification/${id}/read`, headers })
}

function report({ app }: Service, { headers }: GivenUser, id: number, payload: Record<string, unknown>) {
  return app.inject({ method: 'POST', url: `/api/notification/${id}/events`, headers, payload })
}

test('is newest first by the time that it shows, also of a message that was paused meanwhile', async ({ service }) => {
  const { app, deps, given, clock } = service
  const [user, { headers }] = [await given.user({ devices: [{}] }), await given.admin()]
  await deps.db.updateTable('users').set({ is_test_user: true }).where('user_id', '=', user.userId).execute()
  const post = (path: string, payload: object = {}) =>
    app.inject({ method: 'POST', url: `/api/admin/${path}`, headers, payload })
  const paused = await post('send-notification-sandbox', { title: 'Paused', text: 'A while' })
  const id = paused.json().data.notification_id
  expect((await post(`promotional-notifications/${id}/pause`)).statusCode).toBe(200)
  await clock.tick(180_000)
  await received(service, user)
  await clock.tick(120_000)
  expect((await post(`promotional-notifications/${id}/resume`)).statusCode).toBe(200)
  await drain(service)
  const shown = (await app.inject({ url: '/api/notification', headers: user.headers })).json().data
  const times = shown.map(({ created_at }: { created_at: string }) => created_at)
  expect(times).toHaveLength(2)
  expect(times).toEqual(times.toSorted().toReversed())
  const inbox = (await app.inject({ url: '/api/v1/inbox', headers: user.headers })).json().data
  expect(inbox.map(({ created_at }: { created_at: string }) => created_at)).toEqual(times)
})

/** A sent message to one user, and the id of their first copy. */
async function received(service: Service, user: GivenUser, overrides: Record<string, unknown> = {}) {
  const messageId = await send(service, [user], overrides)
  await drain(service)
  const { notification_id: id } = await service.deps.db
    .selectFrom('notifications')
    .select('notification_id')
    .where('message_id', '=', messageId)
    .orderBy('notification_id')
    .executeTakeFirstOrThrow()
  return { messageId, id }
}

describe('GET /api/notification', () => {
  test('lists unread notifications, newest first, one for each message however many phones', async ({
    service,
    given,
  }) => {
    const user = await given.user({ devices: [{}, { platform: 'android' }] })
    const data = { link: 'swapbell://swaps/7', transaction_id: 7 }
    await received(service, user, { title: 'First', promotional: false, data })
    await received(service, user, { title: 'Second' })
    const inbox = await readInbox(service, user)
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
    expect(inbox).toEqual({
      success: true,
      message: 'Unread notifications',
      unread_count: 2,
      data: [
        expect.objectContaining({ title: 'Second', notification_type: 'promotional', data: null }) as Entry,
        {
          id: inbox.data[1]!.notification_id,
          notification_id: expect.any(Number) as number,
          user_id: user.userId,
          mobile_devices_id: expect.toBeOneOf(user.devices.map(({ id }) => id)) as number,
          notification_content: { title: 'First', body: 'There', data },
          title: 'First',
          body: 'There',
          data,
          notification_type: 'non_promotional',
          is_send: true,
          is_delivered: null,
          is_open: false,
          state: 'Pending Receipt',
          error_message: null,
          created_at: moment,
          updated_at: moment,
          deleted_at: null,
        },
      ],
    })
  })

  test('keeps a notification whose push failed, and shows nobody another’s', async ({ service, given }) => {
    const user = await given.user({ devices: [{ token: 'ExponentPushToken[dead-inbox]' }] })
    await received(service, user)
    expect(await readInbox(service, user)).toMatchObject({ unread_count: 1, data: [{ state: 'Permanently Failed' }] })
    expect(await readInbox(service, await given.user())).toMatchObject({ unread_count: 0, data: [] })
  })

  test('shows of two copies the one with the later state', async ({ service, given }) => {
    const user = await given.user({ devices: [{ token: 'ExponentPushToken[dead-twin]' }, {}] })
    await received(service, user)
    expect(await readInbox(service, user)).toMatchObject({ data: [{ is_send: true }], unread_count: 1 })
  })

  test('gives 200 at most, and counts all', async ({ service, given, deps }) => {
    const user = await given.user({ devices: [{}] })
    const copies = waitingCopies('1')
    await deps.pool.query(
      `with said as (
        insert into messages (type, audience, lane, needs_opt_in, title, body, created_at, expires_at, updated_at)
        select 'promotional', 'users', 'campaign', false, 'No. ' || n, 'x', now(), now(), now()
        from generate_series(1, 205) n returning message_id),
      entered as (insert into entries (user_id, message_id, made_at, is_listed, has_copy) select $1, message_id, now(), true, true from said)
      insert into batches (message_id, ${copies.columns})
      select message_id, ${copies.values('$1::bigint', 'now()')} from said`,
      [user.userId],
    )
    await commitWork(deps, recountUnread, [user.userId])
    const { data, unread_count } = await readInbox(service, user)
    expect(unread_count).toBe(205)
    expect(data).toHaveLength(200)
    expect(data[0]).toMatchObject({ title: 'No. 205', state: 'Created' })
  })
})

describe('GET /api/notification/{notification_id}/read', () => {
  test('opens the notification and the user’s other copies of its message; repeating it changes nothing', async ({
    service,
    given,
    clock,
  }) => {
    const user = await given.user({ devices: [{}, {}] })
    const other = await given.user({ devices: [{}] })
    const messageId = await send(service, [user, other])
    await drain(service)
    const { data } = await readInbox(service, user)
    const id = data[0]!.notification_id
    const answer = await read(service, user, id)
    expect(answer.json()).toEqual({
      success: true,
      data: { notification_id: id, is_open: true },
      message: 'Notification opened',
    })
    const opened = await readCopies(service, messageId)
    await clock.tick(1_000)
    expect((await read(service, user, id)).statusCode).toBe(200)
    expect(await readCopies(service, messageId)).toEqual(opened)
    expect(opened.map((copy) => (copy as unknown as Entry).is_open)).toEqual([true, true, false])
    expect(await readInbox(service, user)).toMatchObject({ unread_count: 0, data: [] })
    expect(await readInbox(service, other)).toMatchObject({ unread_count: 1 })
    await expectTruth(service, messageId)
  })

  test('counts once when twenty taps come at the same time', async ({ service, given }) => {
    const user = await given.user({ devices: [{}, {}] })
    const { messageId, id } = await received(service, user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(service, user, id)))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    await expectTruth(service, messageId)
  })

  test('has no HEAD: a link preview opens nothing', async ({ service, given }) => {
    const user = await given.user({ devices: [{}] })
    const { id } = await received(service, user)
    const answer = await service.app.inject({
      method: 'HEAD',
      url: `/api/notification/${id}/read`,
      headers: user.headers,
    })
    expect(answer.statusCode).toBe(405)
    expect(await readInbox(service, user)).toMatchObject({ unread_count: 1 })
  })

  test.for(['0', '-1', '1.0', '1e3', '0x1', 'abc', '%00', '1;--', '9007199254740992', '9223372036854775808', '%20'])(
    'refuses %s as an id',
    async (id, { service, given }) => {
      expectInvalid(await read(service, await given.user(), id), 'notification_id')
    },
  )

  test('of an id that names no notification is 404, and so is a message’s own id', async ({ service, given }) => {
    const user = await given.user({ devices: [{}] })
    const { messageId } = await received(service, user)
    for (const id of [messageId, Number.MAX_SAFE_INTEGER]) expectError(await read(service, user, id), 404, 'NOT_FOUND')
  })
})

describe('POST /api/notification/{notification_id}/events', () => {
  test('records what the phone showed, at its first time; opening outranks it', async ({ service, given, clock }) => {
    const user = await given.user({ devices: [{}] })
    const { messageId, id } = await received(service, user)
    const readState = async () => (await readInbox(service, user)).data[0]?.state
    const answer = await report(service, user, id, { event: 'shown' })
    expect(answer.json()).toEqual({
      success: true,
      data: { notification_id: id, event: 'shown' },
      message: 'Event recorded',
    })
    expect(await readState()).toBe('Shown')
    const [shown] = await readCopies(service, messageId)
    await clock.tick(1_000)
    await report(service, user, id, { event: 'shown' })
    expect(await readCopies(service, messageId)).toMatchObject([
      { shown_at: (shown as unknown as { shown_at: Date }).shown_at },
    ])
    await report(service, user, id, { event: 'dismissed' })
    expect(await readState()).toBe('Dismissed')
    expect(await readInbox(service, user)).toMatchObject({ unread_count: 1 })
    await read(service, user, id)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_open: true }])
  })

  test.for<[string, string, Record<string, unknown>]>([
    ['no event', 'event', {}],
    ['another event', 'event', { event: 'opened' }],
    ['a number', 'event', { event: 1 }],
    ['another field', 'at', { event: 'shown', at: '2026-01-01' }],
  ])('refuses %s', async ([, field, body], { service, given }) => {
    const user = await given.user({ devices: [{}] })
    const { id } = await received(service, user)
    expectInvalid(await report(service, user, id, body), field)
  })
})
