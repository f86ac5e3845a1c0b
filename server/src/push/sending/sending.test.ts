import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid, type Answer } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'

type Started = { data: { notification_id: number; status: string; audience: number } }

const UNKNOWN = 999_999_999

function sendTest({ app }: Service, { headers }: GivenUser, query: Record<string, string | number>) {
  return app.inject({ url: '/api/send-test-notification', query: query as Record<string, string>, headers })
}

async function countMessages({ deps }: Service): Promise<number> {
  const { n } = await deps.db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

function toMessage({ deps }: Service, answer: Answer) {
  const id = answer.json<Started>().data.notification_id
  return deps.db.selectFrom('messages').selectAll().where('message_id', '=', id).executeTakeFirstOrThrow()
}

describe('GET /api/send-test-notification', () => {
  test('sends to oneself, as a non-promotional message of the fast lane', async ({ service, given }) => {
    const user = await given.user({ devices: [{}, {}] })
    const answer = await sendTest(service, user, { user_id: user.userId, title: 'Hi', text: 'There' })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({
      success: true,
      data: {
        notification_id: expect.any(Number) as number,
        status: 'sending',
        audience: 1,
        skipped: { inactive: 0, no_device: 0, opted_out: 0, signed_out: 0 },
      },
      message: 'Test notification accepted',
    })
    const message = await toMessage(service, answer)
    expect(message).toMatchObject({
      type: 'non_promotional',
      lane: 'transactional',
      sender_id: user.userId,
      title: 'Hi',
    })
    await drain(service)
    expect(await readCopies(service, message.message_id)).toMatchObject([{ is_send: true }, { is_send: true }])
  })

  test('respects the preference of the user (spec: sending rule 3)', async ({ service, given }) => {
    const user = await given.user({ notification: '0', devices: [{}] })
    const answer = await sendTest(service, user, { user_id: user.userId, title: 'Hi', text: 'There' })
    const { message_id } = await toMessage(service, answer)
    await drain(service)
    expect(await readCopies(service, message_id)).toEqual([])
  })

  test('to another is for administrators only', async ({ service, given }) => {
    const ann = await given.user({ devices: [{}] })
    const query = { user_id: ann.userId, title: 'Hi', text: 'There' }
    const before = await countMessages(service)
    for (const role of ['user', 'analyst', 'moderator'] as const)
      expectError(await sendTest(service, await given.user({ role }), query), 403, 'FORBIDDEN')
    expect(await countMessages(service)).toBe(before)
    expect((await sendTest(service, await given.admin(), query)).statusCode).toBe(202)
  })

  test('repeated within 10 s sends once, also at the same time; after that, or changed, it sends again', async ({
    service,
    given,
    clock,
  }) => {
    const user = await given.user({ devices: [{}] })
    const query = { user_id: user.userId, title: 'Hi', text: 'There' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendTest(service, user, query)))
    const first = (await toMessage(service, answers[0]!)).message_id
    expect(new Set(answers.map((answer) => answer.json<Started>().data.notification_id))).toEqual(new Set([first]))
    await drain(service)
    await clock.tick(9_000)
    expect((await toMessage(service, await sendTest(service, user, query))).message_id).toBe(first)
    expect(await readCopies(service, first)).toHaveLength(1)

    const changed = await sendTest(service, user, { ...query, text: 'Others' })
    expect((await toMessage(service, changed)).message_id).not.toBe(first)
    await clock.tick(1_001)
    expect((await toMessage(service, await sendTest(service, user, query))).message_id).not.toBe(first)
  })

  test('is sent by each POST, also when an equal one was just sent; only a repeated Idempotency-Key sends nothing', async ({
    service,
    given,
  }) => {
    const user = await given.user({ devices: [{}] })
    const payload = { user_id: user.userId, title: 'Hi', text: 'There' }
    const start = async (key: Record<string, string> = {}) => {
      const headers = { ...user.headers, ...key }
      const answer = await service.app.inject({ method: 'POST', url: '/api/send-test-notification', headers, payload })
      return (await toMessage(service, answer)).message_id
    }
    const key = { 'idempotency-key': 'the same test' }
    const ids = [await start(), await start(), await start(key), await start(key)]
    expect(new Set(ids).size).toBe(3)
    expect(ids[3]).toBe(ids[2])
    await drain(service)
    for (const id of ids) expect(await readCopies(service, id)).toHaveLength(1)
    // A GET is another call.
    const got = await toMessage(service, await sendTest(service, user, payload))
    expect(ids).toContain(got.message_id)
  })

  test('is sent though an equal message of another call was just sent, and the other way round', async ({
    service,
    given,
    deps,
  }) => {
    const admin = await given.admin()
    const user = await given.user({ devices: [{}] })
    const content = { title: 'Hi', text: 'There', data: { link: 'swapbell://notifications' } }
    const real = () =>
      service.app.inject({
        method: 'POST',
        url: '/api/admin/send-notification',
        headers: admin.headers,
        payload: { user_ids: [user.userId], ...content },
      })
    const query = { user_id: user.userId, title: 'Hi', text: 'There' }
    // The call is as it was before tests had a link.
    const bare = { method: 'POST', url: '/api/admin/send-notification', headers: admin.headers } as const
    const payload = { user_ids: [user.userId], title: 'Hi', text: 'There' }
    const answers = [
      await service.app.inject({ ...bare, payload }),
      await real(),
      await sendTest(service, admin, query),
      await real(),
      await sendTest(service, admin, query),
    ]
    const ids = await Promise.all(answers.map(async (answer) => (await toMessage(service, answer)).message_id))
    expect(new Set(ids).size).toBe(4)
    expect(ids[4]).toBe(ids[2])
    const origins = await deps.db.selectFrom('messages').select('origin').where('message_id', 'in', ids).execute()
    expect(Object.groupBy(origins, ({ origin }) => origin ?? 'none')).toMatchObject({
      named: [{}, {}, {}],
      test: [{}],
    })
  })

  test('leads to the list of notifications, or where the caller says', async ({ service, given }) => {
    const user = await given.user()
    const query = { user_id: user.userId, title: 'Hi', text: 'There' }
    const usual = await toMessage(service, await sendTest(service, user, query))
    expect(usual.data).toEqual({ link: 'swapbell://notifications' })
    const link = 'swapbell://swaps/7'
    const chosen = await toMessage(service, await sendTest(service, user, { ...query, link }))
    expect(chosen.message_id).not.toBe(usual.message_id)
    expect(chosen.data).toEqual({ link })
    expectInvalid(await sendTest(service, user, { ...query, link: 'http://example.com' }), 'link')
    expectInvalid(await sendTest(service, user, { ...query, text: 'x\u202Ey' }), 'text')
  })

  test('to an unknown user is refused', async ({ service, given }) => {
    const query = { user_id: UNKNOWN, title: 'Hi', text: 'There' }
    expectInvalid(await sendTest(service, await given.admin(), query), 'user_id', /no such user/)
  })

  test.for<[string, string, string]>([
    ['user_id', 'abc', 'text'],
    ['user_id', '0', 'zero'],
    ['user_id', '-1', 'negative'],
    ['user_id', '9007199254740992', 'above the safe range'],
    ['user_id', '1.5', 'a fraction'],
    ['user_id', '', 'empty'],
    ['title', '', 'empty'],
    ['title', ' ', 'blank'],
    ['title', 'x'.repeat(201), 'too long'],
    ['text', '\n\t', 'blank'],
    ['text', 'a\u0000', 'with NUL'],
    ['text', 'x'.repeat(2_001), 'too long'],
  ])('refuses a %s of “%s”', async ([field, value], { service, given }) => {
    const admin = await given.admin()
    expectInvalid(await sendTest(service, admin, { user_id: 1, title: 'Hi', text: 'There', [field]: value }), field)
  })
})
