import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { badTexts, expectInvalid, type Answer } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

const ALL = '/api/admin/send-notification-all'
const SANDBOX = '/api/admin/send-notification-sandbox'
const PREVIEW = '/api/admin/send-notification-all/preview'
const NAMED = '/api/admin/send-notification'

async function post({ app, given }: Service, url: string, payload: Record<string, unknown>) {
  const { headers } = await given.admin()
  return app.inject({ method: 'POST', url, headers, payload })
}

function toId(answer: Answer): number {
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

function countMessages({ deps }: Service) {
  return deps.db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
}

describe('POST /api/admin/send-notification-sandbox', () => {
  test('reaches test users only', async ({ service, given }) => {
    const tester = await given.user({ isTestUser: true, devices: [{}] })
    await given.user({ isTestUser: true, notification: '0', devices: [{}] })
    await given.user({ devices: [{}] })
    const answer = await post(service, SANDBOX, { title: 'Hello', text: 'There' })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ data: { status: 'queued', audience: 2 }, message: 'Bulk send started' })
    await drain(service)
    const copies = await readCopies(service, toId(answer))
    expect(copies).toMatchObject([{ is_send: true, mobile_devices_id: tester.devices[0]?.id }])
    await expectTruth(service, toId(answer))
  })
})

describe('POST /api/admin/send-notification-all/preview', () => {
  test('shows the audience, the skips, the bytes and the time, and stores nothing', async ({ service, given }) => {
    const before = await post(service, PREVIEW, { title: 'Hello', text: 'There' })
    await given.user({ devices: [{ platform: 'ios' }, { platform: 'android' }] })
    await given.user({ devices: [{ platform: 'android' }] })
    await given.user()
    await given.user({ notification: '0', devices: [{}] })
    await given.user({ notification: null, devices: [{}] })
    await given.user({ status: 'inactive', devices: [{}] })
    const messages = await countMessages(service)
    const answer = await post(service, PREVIEW, { title: 'Hello', text: 'There' })
    expect(answer.statusCode).toBe(200)
    const [was, is] = [before, answer].map((preview) => preview.json<{ data: Preview }>().data)
    // One administrator more, without a setting, asked for the second preview.
    expect({
      selected: is!.selected - was!.selected,
      users: is!.users - was!.users,
      no_device: is!.skipped.no_device - was!.skipped.no_device,
      opted_out: is!.skipped.opted_out - was!.skipped.opted_out,
      inactive: is!.skipped.inactive - was!.skipped.inactive,
      ios: is!.devices.ios - was!.devices.ios,
      android: is!.devices.android - was!.devices.android,
    }).toEqual({ selected: 7, users: 2, no_device: 1, opted_out: 3, inactive: 1, ios: 1, android: 2 })
    expect(is).toMatchObject({ payload_limit: 4_096, seconds_to_finish: 0 })
    expect(is!.devices.total).toBe(is!.devices.ios + is!.devices.android)
    expect(await countMessages(service)).toEqual(messages)
  })

  test('predicts what a send then does', async ({ service, given }) => {
    await given.user({ devices: [{}] })
    const content = { title: 'Hello', text: 'There' }
    const { users, devices, skipped } = (await post(service, PREVIEW, content)).json<{ data: Preview }>().data
    const messageId = toId(await post(service, ALL, content))
    await drain(service)
    const counts = await service.deps.db
      .selectFrom('message_counts')
      .selectAll()
      .where('message_id', '=', messageId)
      .execute()
    const sum = (name: 'notifications' | 'skipped_no_device') => counts.reduce((total, row) => total + row[name], 0)
    expect(sum('notifications')).toBe(devices.total)
    expect(sum('skipped_no_device')).toBe(skipped.no_device)
    expect(new Set((await readCopies(service, messageId)).map((copy) => copy.mobile_devices_id)).size).toBe(
      devices.total,
    )
    expect(users).toBeGreaterThan(0)
  })
})

type Preview = {
  selected: number
  skipped: { no_device: number; opted_out: number; inactive: number }
  users: number
  devices: { ios: number; android: number; total: number }
  payload_bytes: number
}

describe('POST /api/admin/send-notification', () => {
  test('non-promotional skips those who opted out; promotional does not (spec: sending rules 3 and 4)', async ({
    service,
    given,
  }) => {
    const keen = await given.user({ devices: [{}] })
    const optedOut = await given.user({ notification: '0', devices: [{}] })
    const body = { user_ids: [optedOut.userId, keen.userId, keen.userId], title: 'Hello', text: 'There' }
    const usual = await post(service, NAMED, body)
    const promotional = await post(service, NAMED, { ...body, promotional: true })
    expect(usual.json()).toMatchObject({ data: { status: 'sending', audience: 2 }, message: 'Notification accepted' })
    await drain(service)
    expect(await readCopies(service, toId(usual))).toMatchObject([{ mobile_devices_id: keen.devices[0]?.id }])
    expect(await readCopies(service, toId(promotional))).toHaveLength(2)
    for (const answer of [usual, promotional]) await expectTruth(service, toId(answer))
  })

  test('names the users that do not exist, and sends to none', async ({ service, given }) => {
    const user = await given.user({ devices: [{}] })
    const before = await countMessages(service)
    const answer = await post(service, NAMED, { user_ids: [user.userId, 888_888], title: 'Hello', text: 'There' })
    expectInvalid(answer, 'user_ids', /no such user: 888888/)
    expect(await countMessages(service)).toEqual(before)
  })

  test.for<[string, string, unknown]>([
    ['user_ids', 'missing', undefined],
    ['user_ids', 'empty', []],
    ['user_ids', 'one number', 1],
    ['user_ids', 'too many', Array.from({ length: 5_001 }, (_, i) => i + 1)],
    ['user_ids.0', 'text', ['1']],
    ['user_ids.1', 'a fraction', [1, 1.5]],
    ['promotional', 'text', 'true'],
  ])('refuses %s that is %s', async ([field, , value], { service }) => {
    const body = { user_ids: [1], title: 'Hello', text: 'There', [field.split('.')[0]!]: value }
    expectInvalid(await post(service, NAMED, body), field)
  })
})

describe.for([ALL, SANDBOX, PREVIEW, NAMED])('content for %s', (url) => {
  const content = { title: 'Hello', text: 'There', ...(url === NAMED && { user_ids: [1] }) }

  test.for<[string, string, unknown]>([
    ...badTexts(200).map(([what, value]): [string, string, unknown] => ['title', what, value]),
    ...badTexts(2_000).map(([what, value]): [string, string, unknown] => ['text', what, value]),
    ['title', 'blank', '  '],
    ['title', 'turned around', 'Hello \u202Eevil'],
    ['text', 'with a tab', 'Hello\tthere'],
    ['text', 'with a bell', 'Hello\u0007'],
    ['text', 'nothing that shows', '\u200B\u2060'],
    ['text', 'over 4 KB in bytes', '😀'.repeat(1_500)],
    ['data', 'text', 'link'],
    ['data', 'a list', []],
    ['data', 'null', null],
    ['data.link', 'of a foreign scheme', { link: 'http://example.com' }],
    ['data.link', 'of a host that is an IP address', { link: 'https://192.0.2.1/' }],
    ['data.link', 'with a line break', { link: 'https://example.com/\nx' }],
    ['data.link', 'a number', { link: 7 }],
    ['data.link', 'not a link', { link: 'https://' }],
    ['data', 'over 4 KB', { story: 'x'.repeat(4_096) }],
    ['data.note', 'with NUL', { note: '\u0000' }],
    ['data.deep.0', 'with a lone surrogate', { deep: ['\udfff'] }],
    ['body', 'not a field', 'There'],
  ])('is refused when %s is %s, and nothing is stored', async ([field, , value], { service }) => {
    const before = await countMessages(service)
    const answer = await post(service, url, { ...content, [field.split('.')[0]!]: value })
    expectInvalid(answer, field)
    expect(await countMessages(service)).toEqual(before)
  })

  test('above 4 KB is refused with its size', async ({ service }) => {
    const answer = await post(service, url, { ...content, data: { story: 'x'.repeat(5_000) } })
    expectInvalid(answer, 'data', /makes the push 5\d{3} bytes; at most 4096/)
  })

  test('is stored and sent unchanged, in any characters', async ({ service, given }) => {
    const user = await given.user()
    const title = "<img src=x onerror=alert(1)> שלום “ü” 👩‍👩‍👧 \\u0000 '; drop table users; --"
    const data = { ['__proto__x']: 1, link: 'swapbell://a?b=c#d', nested: { list: [1, null, true, 'ü'] } }
    const answer = await post(service, url, {
      ...content,
      title,
      data,
      ...(url === NAMED && { user_ids: [user.userId] }),
    })
    if (url === PREVIEW) return expect(answer.statusCode).toBe(200)
    expect(answer.statusCode).toBe(202)
    const stored = service.deps.db.selectFrom('messages').select(['title', 'data'])
    expect(await stored.where('message_id', '=', toId(answer)).executeTakeFirst()).toEqual({ title, data })
  })
})
