// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { badTexts, expectError, expectInvalid, type Answer } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { startService, type Service } from '../../../test/support/service.ts'

const URL = '/api/send-group-join-notification'
const UNKNOWN = 999_999_999
const DAY_MS = 86_400_000
/** The same with limits on. */
const limited = test.extend<'limitedService', Service>(
  'limitedService',
  { scope: 'file' },
  async ({}, { onCleanup }) => {
    const service = await startService({ RATE_LIMITS: 'on' })
    onCleanup(() => service.close())
    return service
  },
)

function askToJoin({ app }: Service, { headers }: GivenUser, payload: Record<string, unknown>, remoteAddress?: string) {
  return app.inject({ method: 'POST', url: URL, headers, payload, ...(remoteAddress && { remoteAddress }) })
}

function bodyTo(userId: number) {
  return { admin_user_id: userId, title: 'Join?', text: 'Please let me in', link: 'swapbell://groups/7' }
}

function toMessage({ deps }: Service, answer: Answer) {
  const id = answer.json<{ data: { notification_id: number } }>().data.notification_id
  return deps.db.selectFrom('messages').selectAll().where('message_id', '=', id).executeTakeFirstOrThrow()
}

async function readRows({ deps }: Service) {
  const count = async (table: 'messages' | 'batches' | 'message_counts') => {
    const query = deps.db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'))
    return (await query.executeTakeFirstOrThrow()).n
  }
  return { messages: await count('messages'), batches: await count('batches'), counts: await count('message_counts') }
}

/** A user whose account is a year old. */
async function givenOldUser(service: Service, wishes: Parameters<Service['given']['user']>[0] = {}) {
  const user = await service.given.user(wishes)
  const created_at = new Date(service.clock.now() - 365 * DAY_MS)
  await service.deps.db.updateTable('users').set({ created_at }).where('user_id', '=', user.userId).execute()
  return user
}

/** How many of the calls pass; each refusal names the limit. */
async function passing(limit: string, calls: (() => PromiseLike<Answer>)[]) {
  let passed = 0
  for (const call of calls) {
    const answer = await call()
    if (answer.statusCode === 202) passed++
    else {
      expectError(answer, 429, 'RATE_LIMITED')
      expect(answer.json<{ error: string }>().error).toContain(limit)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  }
  return passed
}

async function nextHour({ clock }: Service): Promise<void> {
  await clock.setTime(Math.ceil((clock.now() + 1) / 3_600_000) * 3_600_000)
}

describe('POST /api/send-group-join-notification', () => {
  test('sends one push with the caller’s name, words and link', async ({ service, given, simulator }) => {
    const [asker, groupAdmin] = [await given.user({ name: 'Ann' }), await given.user({ devices: [{}] })]
    const answer = await askToJoin(service, asker, bodyTo(groupAdmin.userId))
    expect(answer.statusCode).toBe(202)
    const message = await toMessage(service, answer)
    expect(message).toMatchObject({
      type: 'non_promotional',
      sender_id: asker.userId,
      title: 'Join request from “Ann”: Join?',
      body: 'Please let me in',
      data: { link: 'swapbell://groups/7', event: 'group_join_request', sender_id: asker.userId },
    })
    await drain(service)
    expect(await readCopies(service, message.message_id)).toMatchObject([{ is_send: true }])
    expect(simulator.log().at(-1)?.token).toBe(groupAdmin.devices[0]?.token)
  })

  test.for<[name: string, shown: string]>([
    ['Ann was let in”. Swapbell: “', '“Ann was let in. Swapbell:”'],
    ['A\u202Enn\u200B \n\t Lee', '“Ann Lee”'],
    ['Zoë 👩‍👩‍👧', '“Zoë 👩‍👩‍👧”'],
    ['x'.repeat(300), `“${'x'.repeat(40)}…”`],
    [`Z${'\u0301'.repeat(200)}`, '“Z\u0301\u0301\u0301”'],
  ])(
    'shows the sender’s name %j as %s, and nothing that could pass for other words',
    async ([name, shown], { service, given }) => {
      const groupAdmin = await given.user()
      const answer = await askToJoin(service, await given.user({ name }), bodyTo(groupAdmin.userId))
      expect((await toMessage(service, answer)).title).toBe(`Join request from ${shown}: Join?`)
    },
  )

  test('of a sender without a visible name shows the number of the account', async ({ service, given }) => {
    const asker = await given.user({ name: '\u200B\u202E' })
    const answer = await askToJoin(service, asker, bodyTo((await given.user()).userId))
    expect((await toMessage(service, answer)).title).toBe(`Join request from user ${asker.userId}: Join?`)
  })

  test('sends two pushes for two requests, and one under one Idempotency-Key', async ({ service, given }) => {
    const [asker, groupAdmin] = [await given.user(), await given.user({ devices: [{}] })]
    const request = { method: 'POST', url: URL, payload: bodyTo(groupAdmin.userId) } as const
    const headers = { ...asker.headers, 'idempotency-key': 'one' }
    const first = await service.app.inject({ ...request, headers })
    expect((await service.app.inject({ ...request, headers })).body).toBe(first.body)
    expect((await askToJoin(service, asker, request.payload)).body).not.toBe(first.body)
  })

  test('gives the same answer and stores the same for a user who is active, missing, deleted, suspended or banned', async ({
    service,
    given,
    deps,
    simulator,
  }) => {
    const deleted = await given.user({ devices: [{}] })
    await deps.db.updateTable('users').set({ deleted_at: new Date() }).where('user_id', '=', deleted.userId).execute()
    const recipients = [
      (await given.user({ devices: [{}] })).userId,
      UNKNOWN,
      deleted.userId,
      (await given.user({ status: 'suspended', devices: [{}] })).userId,
      (await given.user({ status: 'banned', devices: [{}] })).userId,
      (await given.user({ notification: '0', devices: [{}] })).userId,
    ]
    await drain(service)
    const pushes = simulator.log().length
    for (const userId of recipients) {
      const before = await readRows(service)
      const answer = await askToJoin(service, await given.user(), bodyTo(userId))
      expect(answer.statusCode).toBe(202)
      expect(answer.json()).toEqual({
        success: true,
        data: { notification_id: expect.any(Number) as number, status: 'sending', audience: 1 },
        message: 'Group join notification accepted',
      })
      const after = await readRows(service)
      expect(after).toEqual({ messages: before.messages + 1, batches: before.batches + 1, counts: before.counts + 1 })
    }
    await drain(service)
    expect(simulator.log()).toHaveLength(pushes + 1)
  })

  test.for<[string, string, unknown]>([
    ...badTexts(200).map(([what, value]): [string, string, unknown] => ['title', what, value]),
    ...badTexts(2_000).map(([what, value]): [string, string, unknown] => ['text', what, value]),
    ...badTexts(2_000).map(([what, value]): [string, string, unknown] => ['link', what, value]),
    ['title', 'blank', ' \n'],
    ['title', 'nothing that shows', '\u200B'],
    ['title', 'turned around', 'a\u202Eb'],
    ['text', 'with a tab', 'a\tb'],
    ['title', 'a web address', 'See https://evil.example'],
    ['text', 'a web address', 'Sign in at WWW.evil.example/login'],
    ['text', 'an address of another scheme', 'intent://evil'],
    ['admin_user_id', 'missing', undefined],
    ['admin_user_id', 'text', '1'],
    ['admin_user_id', 'zero', 0],
    ['admin_user_id', 'above the safe range', 2 ** 53],
    ['link', 'a script', 'javascript:alert(1)'],
    ['link', 'plain http', 'http://127.0.0.1:1'],
    ['link', 'of the web', 'https://evil.example/login'],
    ['link', 'without a scheme', '//evil.example'],
    ['data', 'not a field', {}],
  ])('refuses a %s that is %s', async ([field, , value], { service, given }) => {
    const groupAdmin = await given.user()
    const before = await readRows(service)
    const answer = await askToJoin(service, await given.user(), { ...bodyTo(groupAdmin.userId), [field]: value })
    expectInvalid(answer, field)
    expect(await readRows(service)).toEqual(before)
  })
})

describe('Group join notifications', () => {
  limited(
    'are 5 an hour from one user to another; one that is refused uses up nothing else',
    async ({ limitedService: service }) => {
      await nextHour(service)
      const [asker, first, second] = [
        await givenOldUser(service),
        await givenOldUser(service),
        await givenOldUser(service),
      ]
      const ask = (to: GivenUser) => () => askToJoin(service, asker, bodyTo(to.userId))
      expect(await passing('group-join-pair', Array(40).fill(ask(first)))).toBe(5)
      expect(await passing('group-join-pair', Array(6).fill(ask(second)))).toBe(5)
      // The 36 that were refused did not count as the receiver's either.
      const others = await Promise.all(Array.from({ length: 5 }, () => givenOldUser(service)))
      const more = others.flatMap((other) => Array(5).fill(() => askToJoin(service, other, bodyTo(first.userId))))
      expect(await passing('group-join-recipient', more)).toBe(25)
    },
  )

  limited(
    'are 30 an hour for one receiver, whoever sends, and whether there is such a user or not',
    async ({ limitedService: service }) => {
      await nextHour(service)
      const askers = await Promise.all(Array.from({ length: 8 }, () => givenOldUser(service)))
      for (const userId of [(await givenOldUser(service)).userId, UNKNOWN]) {
        const calls = askers.flatMap((asker) => Array(5).fill(() => askToJoin(service, asker, bodyTo(userId))))
        expect(await passing('group-join-recipient', calls)).toBe(30)
      }
    },
  )

  limited('are 3 an hour for an account that is not a day old', async ({ limitedService: service }) => {
    await nextHour(service)
    const asker = await service.given.user()
    await service.deps.db
      .updateTable('users')
      .set({ created_at: new Date(service.clock.now() - 3_600_000) })
      .where('user_id', '=', asker.userId)
      .execute()
    const calls = Array.from({ length: 6 }, (_, n) => () => askToJoin(service, asker, bodyTo(UNKNOWN + n)))
    expect(await passing('group-join-new', calls)).toBe(3)
  })

  limited(
    'are 60 in 10 minutes for one address, and 20 a minute for one sender',
    async ({ limitedService: service }) => {
      await nextHour(service)
      const askers = await Promise.all(Array.from({ length: 4 }, () => givenOldUser(service)))
      const from = (asker: GivenUser, address: string, first: number) =>
        Array.from({ length: 25 }, (_, n) => () => askToJoin(service, asker, bodyTo(first + n), address))
      expect(await passing('group-join`', from(askers[0]!, '192.0.2.7', 100_000))).toBe(20)
      expect(await passing('group-join`', from(askers[1]!, '192.0.2.7', 200_000))).toBe(20)
      expect(await passing('group-join', from(askers[2]!, '192.0.2.7', 300_000))).toBe(20)
      expect(await passing('group-join-ip', from(askers[3]!, '192.0.2.7', 400_000))).toBe(0)
      expect(await passing('group-join`', from(askers[3]!, '192.0.2.8', 500_000))).toBe(20)
    },
  )

  limited('that are refused as invalid use up no limit', async ({ limitedService: service }) => {
    await nextHour(service)
    const [asker, to] = [await givenOldUser(service), await givenOldUser(service)]
    for (let n = 0; n < 10; n++)
      expectInvalid(await askToJoin(service, asker, { ...bodyTo(to.userId), link: 'https://a.example' }), 'link')
    const calls = Array.from({ length: 8 }, () => () => askToJoin(service, asker, bodyTo(to.userId)))
    expect(await passing('group-join-pair', calls)).toBe(5)
  })
})
