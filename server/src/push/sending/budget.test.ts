// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { startService, type Service } from '../../../test/support/service.ts'

const NAMED = '/api/admin/send-notification'
const ALL = '/api/admin/send-notification-all'

const test = base.extend<'limitedService', Service>('limitedService', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startService({
    RATE_LIMITS: 'on',
    RATE_LIMIT_OVERRIDES: { 'send-recipients': { calls: 100, seconds: 3_600 } },
  })
  await service.clock.setTime(Math.ceil(service.clock.now() / 3_600_000) * 3_600_000)
  onCleanup(() => service.close())
  return service
})

function sendTo({ app }: Service, { headers }: GivenUser, userIds: number[], overrides: object = {}) {
  const payload = { user_ids: userIds, title: 'Hello', text: 'There', promotional: true, ...overrides }
  return app.inject({ method: 'POST', url: NAMED, headers, payload })
}

async function readIds({ given }: Service, count: number): Promise<number[]> {
  const users = await Promise.all(Array.from({ length: count }, () => given.user()))
  return users.map((user) => user.userId)
}

describe('Sends to named users', () => {
  test('count each user once against the budget of the administrator, and a refused one none', async ({
    limitedService: service,
  }) => {
    const admin = await service.given.admin()
    const ids = await readIds(service, 60)
    expect((await sendTo(service, admin, [...ids, ...ids])).statusCode).toBe(202)
    const refused = await sendTo(service, admin, ids)
    expectError(refused, 429, 'RATE_LIMITED')
    expect(refused.json<{ error: string }>().error).toContain('`send-recipients` allows 100 in 3600 s')
    expect(refused.headers['retry-after']).toBe('3600')
    expectInvalid(await sendTo(service, admin, [888_888_888, ...ids.slice(0, 30)]), 'user_ids')
    expectInvalid(await sendTo(service, admin, ids.slice(0, 30), { data: { link: 'http://a.example' } }), 'data.link')
    expect((await sendTo(service, admin, ids.slice(0, 40))).statusCode).toBe(202)
    expect((await sendTo(service, admin, ids.slice(0, 1))).statusCode).toBe(429)
    expect((await sendTo(service, await service.given.admin(), ids)).statusCode).toBe(202)
  })

  test('that are more than the whole budget say so', async ({ limitedService: service }) => {
    const ids = await readIds(service, 101)
    const answer = await sendTo(service, await service.given.admin(), ids)
    expectError(answer, 429, 'RATE_LIMITED')
    expect(answer.json<{ error: string }>().error).toMatch(/^This call takes 101,/)
  })

  test('under one Idempotency-Key count once', async ({ limitedService: service }) => {
    const admin = await service.given.admin()
    const ids = await readIds(service, 100)
    const headers = { ...admin.headers, 'idempotency-key': 'once' }
    const answers = [
      await sendTo(service, { ...admin, headers }, ids),
      await sendTo(service, { ...admin, headers }, ids),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    expect(answers[0]!.body).toBe(answers[1]!.body)
  })
})

describe('Bulk sends', () => {
  test('are 6 an hour for an administrator; one that is refused for its content counts none', async ({
    limitedService: service,
  }) => {
    const { headers } = await service.given.admin()
    const post = (payload: object) => service.app.inject({ method: 'POST', url: ALL, headers, payload })
    for (let n = 0; n < 8; n++)
      expectInvalid(await post({ title: 'Hello', text: 'There', data: { link: 'http://a.example' } }), 'data.link')
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await post({ title: 'Hello', text: 'There' })).statusCode)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429, 429])
  })
})

describe('Sends to test users and tests', () => {
  test('have budgets of their own: they use up none of each other, of named users or of campaigns', async ({
    limitedService: service,
  }) => {
    const { headers } = await service.given.admin()
    const [userId] = await readIds(service, 1)
    const content = { title: 'Hello', text: 'There' }
    const send = async (url: string, payload: object = content) =>
      (await service.app.inject({ method: 'POST', url, headers, payload })).statusCode
    const sendTest = (n: number) =>
      send('/api/send-test-notification', { user_id: userId, title: `Test ${n}`, text: 'There' })
    expect(await many(60, () => send('/api/admin/send-notification-sandbox'))).toEqual([202])
    expect(await send('/api/admin/send-notification-sandbox')).toBe(429)
    expect(await many(60, sendTest)).toEqual([202])
    expect(await sendTest(61)).toBe(429)
    expect(await many(6, () => send(ALL))).toEqual([202])
    expect(await send(ALL)).toBe(429)
    expect(await send(NAMED, { ...content, user_ids: [userId] })).toBe(202)
  })
})

async function many(count: number, call: (n: number) => Promise<number>): Promise<number[]> {
  const statuses = new Set<number>()
  for (let n = 0; n < count; n++) statuses.add(await call(n))
  return [...statuses]
}
