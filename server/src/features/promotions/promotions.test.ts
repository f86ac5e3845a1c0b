import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

const URL = '/api/admin/promotional-notifications'

type Page<Item> = {
  data: Item[]
  pagination: { current_page: number; total_pages: number; total_items: number; per_page: number }
}
type Row = {
  notification_id: number
  user_id: number
  name: string
  email: string
  device_id: string
  platform: string
}

async function get({ app, given }: Service, path = '', query: Record<string, string | number> = {}) {
  const { headers } = await given.admin()
  return app.inject({ url: `${URL}${path}`, query: query as Record<string, string>, headers })
}

async function pageOf<Item>(service: Service, path: string, query: Record<string, string | number>) {
  const answer = await get(service, path, query)
  expect(answer.statusCode).toBe(200)
  return answer.json<Page<Item>>()
}

describe('GET /api/admin/promotional-notifications', () => {
  test('of a service without campaigns is an empty page', async ({ service }) => {
    expect((await get(service)).json()).toEqual({
      success: true,
      data: [],
      message: 'Promotional notifications',
      pagination: { current_page: 1, total_pages: 0, total_items: 0, per_page: 20 },
    })
  })

  test('lists promotional messages only, newest first, with content, counts, times and sender', async ({
    service,
    given,
  }) => {
    const user = await given.user({ devices: [{}] })
    const first = await send(service, [user], { title: 'First', data: { link: 'swapbell://a' } })
    await send(service, [user], { promotional: false })
    await drain(service)
    const second = await send(service, [user], { title: 'Second' })
    const { data } = await pageOf<Row>(service, '', {})
    expect(data.map((campaign) => campaign.notification_id)).toEqual([second, first])
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
    expect(data[1]).toEqual({
      notification_id: first,
      title: 'First',
      body: 'There',
      data: { link: 'swapbell://a' },
      audience: 'users',
      status: 'completed',
      pause_reason: null,
      counts: {
        selected: 1,
        skipped: { no_device: 0, opted_out: 0, inactive: 0, deleted: 0, too_big: 0, stopped: 0 },
        notified: 1,
        waiting: 0,
        notifications: 1,
        sent: 1,
        delivered: 0,
        opened: 0,
        failed: 0,
        pending: 1,
        possible_duplicates: 0,
      },
      progress: { percent: 100, batches_left: 0 },
      sender: { user_id: expect.any(Number) as number, name: expect.stringMatching(/^User /) as string },
      created_at: moment,
      started_at: moment,
      completed_at: moment,
      expires_at: moment,
    })
    expect(data[0]).toMatchObject({ status: 'sending', completed_at: null, progress: { batches_left: 1 } })
  })
})

const campaigns = test.extend<'messageId', number>('messageId', { scope: 'file' }, async ({ service }) => {
  const { given } = service
  const people = [
    await given.user({ name: 'Ada 100% Byron', email: 'ada_b@example.com', devices: [{}, { platform: 'android' }] }),
    await given.user({ name: 'Bob 100 Byron', email: 'adaxb@example.com', devices: [{ deviceId: 'bobs phone' }] }),
    await given.user({
      name: 'Cho\\Lee',
      email: 'cho@example.org',
      devices: [{ token: 'ExponentPushToken[dead-cho]' }],
    }),
    await given.user({ name: 'Dan', devices: [{ token: 'ExponentPushToken[gone-dan]', platform: 'android' }] }),
  ]
  for (const title of ['One', 'Two']) await send(service, people.slice(0, 1), { title })
  const messageId = await send(service, people)
  await drain(service)
  await service.app.inject({ url: '/api/admin/process-receipts', headers: (await given.admin()).headers })
  await drain(service)
  const inbox = await service.app.inject({ url: '/api/notification', headers: people[1]!.headers })
  const id = inbox.json<Page<Row>>().data[0]?.notification_id
  await service.app.inject({ url: `/api/notification/${id}/read`, headers: people[1]!.headers })
  return messageId
})

describe('GET /api/admin/promotional-notifications/{notification_id}', () => {
  campaigns(
    'has one row for each recipient device, and the campaign as its summary',
    async ({ service, messageId }) => {
      const answer = await get(service, `/${messageId}`)
      const { data, pagination, ...rest } = answer.json<Page<Row> & { summary: unknown }>()
      expect(pagination).toEqual({ current_page: 1, total_pages: 1, total_items: 5, per_page: 20 })
      expect(rest).toMatchObject({
        success: true,
        summary: {
          notification_id: messageId,
          counts: { notified: 4, notifications: 5, sent: 4, delivered: 3, failed: 2 },
        },
      })
      expect(data.find((row) => row.name === 'Bob 100 Byron')).toEqual({
        notification_id: expect.any(Number) as number,
        user_id: expect.any(Number) as number,
        name: 'Bob 100 Byron',
        email: 'adaxb@example.com',
        device_id: 'bobs phone',
        platform: 'ios',
        is_send: true,
        is_delivered: true,
        is_open: true,
        state: 'Completed',
        error_message: null,
        attempts: 1,
        possible_duplicates: 0,
        created_at: expect.any(String) as string,
        sent_at: expect.any(String) as string,
        settled_at: expect.any(String) as string,
        opened_at: expect.any(String) as string,
        shown_at: null,
        dismissed_at: null,
      })
      expect(data.find((row) => row.name === 'Dan')).toMatchObject({
        is_send: true,
        is_delivered: false,
        state: 'Delivery Failed',
        error_message: 'DeviceNotRegistered',
      })
      expect(data.find((row) => row.name === 'Cho\\Lee')).toMatchObject({ is_send: false, state: 'Permanently Failed' })
    },
  )

  campaigns.for<[Record<string, string>, string[]]>([
    [{ name: 'byron' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron']],
    [{ name: '100%' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ name: 'o\\l' }, ['Cho\\Lee']],
    [{ name: '%' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ name: '_' }, []],
    [{ name: "'; drop table users; --" }, []],
    [{ email: 'ADA_B' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ email: 'example.org' }, ['Cho\\Lee']],
    [{ status: 'sent' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron', 'Dan']],
    [{ status: 'delivered' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron']],
    [{ status: 'opened' }, ['Bob 100 Byron']],
    [{ device_id: 'bobs phone' }, ['Bob 100 Byron']],
    [{ device_id: 'bobs' }, []],
    [{ platform: 'android' }, ['Ada 100% Byron', 'Dan']],
    [{ platform: 'ios', status: 'sent', name: 'ada', email: 'ada_b@' }, ['Ada 100% Byron']],
    [{ colour: 'red' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron', 'Cho\\Lee', 'Dan']],
  ])('filtered by %j shows %j, and counts only those', async ([query, names], { service, messageId }) => {
    const { data, pagination } = await pageOf<Row>(service, `/${messageId}`, query)
    expect(data.map((row) => row.name)).toEqual(names)
    expect(pagination.total_items).toBe(names.length)
    const second = await pageOf<Row>(service, `/${messageId}`, { ...query, per_page: 1, page: 2 })
    expect(second.data.map((row) => row.name)).toEqual(names.slice(1, 2))
    expect(second.pagination).toMatchObject({ total_items: names.length, total_pages: names.length })
  })

  campaigns.for<[string, string]>([
    ['status', 'failed'],
    ['platform', 'web'],
    ['name', 'x'.repeat(201)],
    ['email', 'a\u0000'],
    ['device_id', 'x'.repeat(256)],
  ])('refuses %s = “%s”', async ([field, value], { service, messageId }) => {
    expectInvalid(await get(service, `/${messageId}`, { [field]: value }), field)
  })

  campaigns(
    'of an id that is no campaign is 404: a copy’s, a test send’s, or nobody’s',
    async ({ service, messageId }) => {
      const { data } = await pageOf<Row>(service, `/${messageId}`, {})
      const user = await service.given.user({ devices: [{}] })
      const usual = await send(service, [user], { promotional: false })
      for (const id of [data[0]!.notification_id, usual, Number.MAX_SAFE_INTEGER])
        expectError(await get(service, `/${id}`), 404, 'NOT_FOUND')
      for (const id of ['0', '-1', 'abc', '1e3', '9007199254740992'])
        expectInvalid(await get(service, `/${id}`), 'notification_id')
    },
  )
})

describe.for(['list', 'recipients'])('paging of the %s', (which) => {
  const pathOf = (messageId: number) => (which === 'list' ? '' : `/${messageId}`)

  campaigns('walks through all rows once, in one order', async ({ service, messageId }) => {
    const all = await pageOf<Row>(service, pathOf(messageId), {})
    expect(all.data.length).toBeGreaterThan(2)
    const seen: number[] = []
    for (let page = 1; page <= all.data.length; page++) {
      const { data, pagination } = await pageOf<Row>(service, pathOf(messageId), { page, per_page: 1 })
      seen.push(...data.map((row) => row.notification_id))
      expect(pagination).toEqual({
        current_page: page,
        total_pages: all.data.length,
        total_items: all.data.length,
        per_page: 1,
      })
    }
    expect(seen).toEqual(all.data.map((row) => row.notification_id))
  })

  campaigns(
    'past the end is 200 and empty; above 100 a page is clamped, and says so',
    async ({ service, messageId }) => {
      const total = (await pageOf<Row>(service, pathOf(messageId), {})).data.length
      const far = await pageOf<Row>(service, pathOf(messageId), { page: 1_000_000_000, per_page: '9007199254740991' })
      expect(far.data).toEqual([])
      expect(far.pagination).toEqual({
        current_page: 1_000_000_000,
        total_pages: 1,
        total_items: total,
        per_page: 100,
      })
    },
  )

  campaigns.for(
    ['page', 'per_page'].flatMap((field) =>
      ['0', '-1', 'abc', '1.5', '1e2', ' 1', '01', '99999999999999999999'].map((value) => [field, value] as const),
    ),
  )('refuses %s = “%s”', async ([field, value], { service, messageId }) => {
    expectInvalid(await get(service, pathOf(messageId), { [field]: value }), field)
  })
})
