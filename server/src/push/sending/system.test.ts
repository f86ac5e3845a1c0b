import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

const content = { title: 'Maintenance', text: 'We are back at six.' }

async function post(service: Service, payload: object, headers: object = {}) {
  const admin = await service.given.admin()
  const url = '/api/admin/send-system-notification'
  return service.app.inject({ method: 'POST', url, headers: { ...admin.headers, ...headers }, payload })
}

type Answer = { data: { notification_id: number; notification_ids: number[]; status: string; audience: number } }

describe('A system notification', () => {
  test('reaches named users, each in the language that has words for them', async ({ service, deps }) => {
    const users = await usersWithPhones(service, 4)
    const [en, de, at, fr] = users.map((user) => user.userId)
    for (const [userId, language] of [
      [de, 'de'],
      [at, 'de-AT'],
      [fr, 'fr'],
    ] as const)
      await deps.db.updateTable('users').set({ language }).where('user_id', '=', userId!).execute()
    const german = { title: 'Wartung', text: 'Um sechs sind wir zurück.' }

    const answer = await post(service, { ...content, user_ids: [en, de, at, fr, en], texts: { de: german } })
    expect(answer.statusCode).toBe(202)
    const { data } = answer.json<Answer>()
    expect(data).toMatchObject({ status: 'sending', audience: 4, notification_id: data.notification_ids[0] })
    await drain(service)

    const rows = await deps.db
      .selectFrom('notifications')
      .innerJoin('messages', 'messages.message_id', 'notifications.message_id')
      .select(['user_id', 'title', 'body', 'type', 'event', 'origin', 'is_send', 'data'])
      .where('messages.message_id', 'in', data.notification_ids)
      .orderBy('user_id')
      .execute()
    const common = {
      type: 'non_promotional',
      event: 'system',
      origin: 'system',
      is_send: true,
      data: { event: 'system' },
    }
    expect(rows).toMatchObject([
      { user_id: en, title: content.title, ...common },
      { user_id: de, title: german.title, body: german.text, ...common },
      { user_id: at, title: german.title, ...common },
      { user_id: fr, title: content.title, ...common },
    ])
    for (const messageId of data.notification_ids) await expectTruth(service, messageId)
  })

  test('goes to everyone who wants it, and is no campaign', async ({ service, deps, given, app }) => {
    const [ada] = await usersWithPhones(service, 1)
    const off = await given.user({ notification: '0', devices: [{}] })
    const answer = await post(service, { ...content, all: true })
    expect(answer.statusCode).toBe(202)
    const { notification_id } = answer.json<Answer>().data
    await drain(service)
    const copies = deps.db.selectFrom('notifications').select('user_id').where('message_id', '=', notification_id)
    const reached = (await copies.execute()).map((copy) => copy.user_id)
    expect(reached).toContain(ada!.userId)
    expect(reached).not.toContain(off.userId)
    await expectTruth(service, notification_id)
    const { headers } = await given.admin()
    const campaigns = await app.inject({ url: '/api/admin/promotional-notifications?per_page=100', headers })
    const listed = campaigns.json<{ data: { notification_id: number }[] }>().data
    expect(listed.map((campaign) => campaign.notification_id)).not.toContain(notification_id)
  })

  test('to everyone is in the inbox of who switched pushes off, who counts as opted out', async ({
    service,
    given,
    app,
  }) => {
    const off = await given.user({ notification: '0', devices: [{}] })
    const { notification_id: id } = (await post(service, { ...content, all: true })).json<Answer>().data
    await drain(service)
    const read = async (url: string) => (await app.inject({ url, headers: off.headers })).json<{ data: unknown }>().data
    expect(await read('/api/v1/inbox')).toMatchObject([{ message_id: id, title: content.title }])
    expect(await read('/api/v1/badge')).toMatchObject({ notifications: 1 })
    const skips = service.deps.db.selectFrom('skips').select('reason').where('message_id', '=', id)
    expect(await skips.where(sql<boolean>`${off.userId} = any(user_ids)`).execute()).toEqual([{ reason: 'opted_out' }])
    await expectTruth(service, id)
  })

  test.for<[object, string]>([
    [{}, 'user_ids'],
    [{ all: true, user_ids: [1] }, 'user_ids'],
    [{ user_ids: [987_654_321] }, 'user_ids'],
    [{ all: true, texts: { de: content } }, 'texts'],
    [{ all: true, texts: { xx: content } }, 'texts.xx'],
    [{ user_ids: [] }, 'user_ids'],
  ])('is refused with %j, and nothing is stored', async ([wrong, field], { service, deps }) => {
    const count = () =>
      deps.db
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    const before = await count()
    expectInvalid(await post(service, { ...content, ...wrong }), field)
    expect(await count()).toEqual(before)
  })

  test('leaves an entry in the audit log for each message', async ({ service, deps }) => {
    const [ada] = await usersWithPhones(service, 1)
    const { data } = (await post(service, { ...content, user_ids: [ada!.userId] })).json<Answer>()
    const entries = deps.db.selectFrom('audit_log').select('action').where('entity_id', '=', data.notification_id)
    expect(await entries.execute()).toEqual([{ action: 'notification.send' }])
  })
})
