// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { readApproval, approve, expectApproval, call, people, test } from '../../../test/support/approvals.ts'
import { drain } from '../../../test/support/drain.ts'
import { usersWithPhones } from '../../../test/support/campaign.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import type { Answer } from '../../../test/support/faults.ts'
import { tally, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'

const CONTENT = { title: 'To some', text: 'Swap weekend' }
const NAMED = 'send-notification'
const ASK = 'send-notification/approval'
const SYSTEM = 'send-system-notification'
const HOUR_MS = 3_600_000

describe('A send to more named users than one administrator may reach alone', () => {
  test('needs an approval; then it reaches exactly them and uses up no budget', async ({ service }) => {
    const [author, other] = await people(service)
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    const refused = await call(service, author, NAMED, { ...CONTENT, user_ids: users })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'INVALID_STATE'])
    expect(refused.body).toContain('POST /api/admin/send-notification/approval')
    const approval = await expectApproval(service, author, call(service, author, ASK, { ...CONTENT, user_ids: users }))
    expect(approval).toMatchObject({
      kind: 'send',
      send: {
        ...CONTENT,
        system: false,
        inbox_only: false,
        recipients: 3,
        user_ids: users,
        users: await readNames(service, users),
      },
    })
    const answer = await approve(service, other, approval)
    expect(answer.statusCode).toBe(200)
    const { notification_id: messageId } = answer.json().data.result as { notification_id: number }
    await drain(service)
    const copies = service.deps.db.selectFrom('notifications').select('user_id').where('message_id', '=', messageId)
    expect((await copies.execute()).map(({ user_id }) => user_id).toSorted((a, b) => a - b)).toEqual(users)
    const one = await call(service, author, NAMED, { ...CONTENT, user_ids: users.slice(0, 2) })
    expect(one.statusCode).toBe(202)
  })

  test('is shown with the names of the first twenty, in their order, also after a purge', async ({ service }) => {
    const [author] = await people(service)
    const users = (await Promise.all(Array.from({ length: 25 }, () => service.given.user()))).map(
      ({ userId }) => userId,
    )
    const given = users.toReversed()
    const ofAll = await expectApproval(service, author, call(service, author, 'send-notification-all', CONTENT))
    expect(ofAll).toMatchObject({ send: { user_ids: null, users: null } })
    const approval = await expectApproval(service, author, call(service, author, ASK, { ...CONTENT, user_ids: given }))
    expect(approval).toMatchObject({ send: { recipients: 25, users: await readNames(service, given.slice(0, 20)) } })
    await service.deps.db.deleteFrom('users').where('user_id', '=', given[0]!).execute()
    const send = (await readApproval(service, author, approval.id))['send'] as { users: unknown[] }
    expect(send.users.slice(0, 2)).toEqual([{ id: given[0], name: null }, ...(await readNames(service, [given[1]!]))])
  })

  test('is shown with 500 ids of the named users at most, lists all of them in pages, and goes to all of them', async ({
    service,
  }) => {
    const [author, other] = await people(service)
    await service.given.crowd(600)
    const crowd = await service.deps.db
      .selectFrom('users')
      .select('user_id')
      .orderBy('user_id', 'desc')
      .limit(600)
      .execute()
    const userIds = crowd.map(({ user_id }) => user_id)
    const approval = await expectApproval(
      service,
      author,
      call(service, author, ASK, { ...CONTENT, user_ids: userIds }),
    )
    expect(approval).toMatchObject({ send: { recipients: 600, user_ids: userIds.slice(0, 500) } })
    const shown: number[] = []
    for (let page = 1; page <= 6; page++) {
      const url = `/api/admin/approvals/${approval.id}/users?per_page=100&page=${page}`
      const listed = (await service.app.inject({ url, headers: other.user.headers })).json()
      expect(listed.pagination.total_items).toBe(600)
      shown.push(...listed.data.map(({ id }: { id: number }) => id))
    }
    expect(shown).toEqual(userIds)
    const answer = await approve(service, other, approval)
    const { notification_id: messageId } = answer.json().data.result as { notification_id: number }
    await drain(service)
    const copies = service.deps.db.selectFrom('notifications').select('user_id').where('message_id', '=', messageId)
    expect(await copies.execute()).toHaveLength(600)
  })

  test.for([1, 3])('stores nothing of %i who were purged meanwhile but their number', async (purged, { service }) => {
    const [author, other] = await people(service)
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    const approval = await expectApproval(service, author, call(service, author, ASK, { ...CONTENT, user_ids: users }))
    const { db } = service.deps
    const gone = users.slice(0, purged)
    await db.deleteFrom('users').where('user_id', 'in', gone).execute()
    const answer = await approve(service, other, approval)
    const { notification_id: messageId } = answer.json().data.result as { notification_id: number }
    await drain(service)
    const batches = await db.selectFrom('batches').select('user_ids').where('message_id', '=', messageId).execute()
    const skips = await db.selectFrom('skips').select('user_ids').where('message_id', '=', messageId).execute()
    expect([...batches, ...skips].flatMap(({ user_ids }) => user_ids).filter((id) => gone.includes(id))).toEqual([])
    expect(await storedCounts(service, messageId)).toMatchObject({
      selected: 3,
      skipped: purged,
      notified: 3 - purged,
    })
    const message = db.selectFrom('messages').select('status').where('message_id', '=', messageId)
    expect(await message.execute()).toEqual([{ status: 'completed' }])
  })

  test('counts over all calls, also concurrent ones; after an hour it starts again', async ({ service }) => {
    const [author] = await people(service)
    const users = (await usersWithPhones(service, 4)).map(({ userId }) => userId)
    const each = () => Promise.all(users.map((id) => call(service, author, NAMED, { ...CONTENT, user_ids: [id] })))
    expect(tally(await each())).toEqual({ 202: 2, 409: 2 })
    await service.clock.setTime(service.clock.now() + HOUR_MS + 1_000)
    const [again] = await people(service)
    expect((await call(service, again, NAMED, { ...CONTENT, user_ids: users.slice(0, 2) })).statusCode).toBe(202)
  })

  test('may be a system notification in several languages, which the same call asks for', async ({ service }) => {
    const [author, other] = await people(service)
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    await service.deps.db.updateTable('users').set({ language: 'es' }).where('user_id', '=', users[0]!).execute()
    const wanted = { ...CONTENT, user_ids: users, texts: { es: { title: 'A algunos', text: 'Fin de semana' } } }
    const approval = await expectApproval(service, author, call(service, author, SYSTEM, wanted))
    expect(approval).toMatchObject({
      send: { system: true, inbox_only: false, recipients: 3, user_ids: users, texts: wanted.texts },
    })
    expect((await approve(service, other, approval)).statusCode).toBe(200)
    const messages = await service.deps.db
      .selectFrom('messages')
      .select(['title', 'sender_id', 'origin'])
      .where('sender_id', '=', author.user.userId)
      .orderBy('title')
      .execute()
    const ofAuthor = { sender_id: author.user.userId, origin: 'system' }
    expect(messages).toEqual([
      { title: 'A algunos', ...ofAuthor },
      { title: 'To some', ...ofAuthor },
    ])
    // They were approved, so they use up no budget.
    expect(
      (await call(service, author, SYSTEM, { ...wanted, user_ids: users.slice(0, 2) })).json().data,
    ).toHaveProperty('notification_ids')
  })

  test('is the way to many test users: a send to whoever is one then is refused, and the answer says to name them', async ({
    service,
  }) => {
    await service.deps.db.updateTable('users').set({ is_test_user: false }).execute()
    const [author, other] = await people(service)
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    for (const id of users) await author.patch('/user-update', { id, is_test_user: true })
    const refused = await call(service, author, 'send-notification-sandbox', CONTENT)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'INVALID_STATE',
      error: expect.stringMatching(/name them in user_ids of POST \/api\/admin\/send-notification\/approval/),
    })
    const approval = await expectApproval(service, author, call(service, author, ASK, { ...CONTENT, user_ids: users }))
    expect((await approve(service, other, approval)).statusCode).toBe(200)
  })

  test('is refused at once for content or users that cannot be sent', async ({ service }) => {
    const [author] = await people(service)
    const bad = await call(service, author, ASK, { ...CONTENT, user_ids: [999_999_999, 999_999_998, 999_999_997] })
    expect(bad.json()).toMatchObject({ code: 'VALIDATION_ERROR', errors: { user_ids: [expect.any(String)] } })
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    const texts = { es: { title: 'A algunos', text: '\u{1F514}'.repeat(1_000) } }
    const long = await call(service, author, SYSTEM, { ...CONTENT, user_ids: users, texts })
    expect(long.json()).toMatchObject({ code: 'VALIDATION_ERROR', errors: { 'texts.es.text': [expect.any(String)] } })
  })
})

describe('The people whom one administrator reaches in an hour', () => {
  const SENDS: [what: string, send: (service: Service, author: Panel, userId: number) => Promise<Answer>][] = [
    ['a named send', (service, author, id) => call(service, author, NAMED, { ...CONTENT, user_ids: [id] })],
    ['a system notification', (service, author, id) => call(service, author, SYSTEM, { ...CONTENT, user_ids: [id] })],
    [
      'a test',
      ({ app }, { user }, id) =>
        app.inject({
          method: 'POST',
          url: '/api/send-test-notification',
          headers: user.headers,
          payload: { ...CONTENT, user_id: id },
        }),
    ],
    [
      'a test by GET',
      ({ app }, { user }, id) =>
        app.inject({ url: `/api/send-test-notification?user_id=${id}&title=Hi&text=There`, headers: user.headers }),
    ],
    [
      'a flag of test users and a send to them',
      async (service, author, id) => {
        await author.patch('/user-update', { id, is_test_user: true })
        return call(service, author, 'send-notification-sandbox', CONTENT)
      },
    ],
  ]

  test.for(SENDS)('count however they are reached: %s', async ([, send], { service }) => {
    await service.deps.db.updateTable('users').set({ is_test_user: false }).execute()
    const [author] = await people(service)
    const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
    expect(wasSent(await send(service, author, users[0]!))).toBe(true)
    // Somebody whom it has reached is reached again.
    expect(wasSent(await send(service, author, users[0]!))).toBe(true)
    expect(wasSent(await send(service, author, users[1]!))).toBe(true)
    expect(wasSent(await send(service, author, users[2]!))).toBe(false)
    for (const [, other] of SENDS) expect(wasSent(await other(service, author, users[2]!))).toBe(false)
  })
})

function wasSent({ statusCode, body }: Answer): boolean {
  return statusCode === 202 && !body.includes('"approval"')
}

async function readNames({ deps }: Service, userIds: number[]): Promise<{ id: number; name: string }[]> {
  const rows = await deps.db.selectFrom('users').select(['user_id', 'name']).where('user_id', 'in', userIds).execute()
  const names = new Map(rows.map(({ user_id: id, name }) => [id, name]))
  return userIds.map((id) => ({ id, name: names.get(id)! }))
}
