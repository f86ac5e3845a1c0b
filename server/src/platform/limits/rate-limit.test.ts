// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { limited, passing, processes, statuses } from '../../../test/support/limits.ts'
import { connect, queryBuilder } from '../db/connect.ts'
import { createRateLimits } from './rate-limit.ts'

describe('A limit', () => {
  test('that is low is exact over all processes, for 50 parallel calls too', async ({ deps }) => {
    const { limits } = processes(deps, 2)
    const subject = randomUUID()
    const calls = Array.from({ length: 50 }, (_, index) => limits[index % 2]!.hit('register', subject))
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('that is high is shared between processes without a write for each call', async ({ deps }) => {
    const { limits } = processes(deps, 2)
    const [first, second] = [limits[0]!, limits[1]!]
    const subject = randomUUID()
    let statements = 0
    deps.pool.on('acquire', () => statements++)
    expect(await passing(first, 'anonymous', subject, 700)).toBe(600)
    await first.close()
    expect(statements).toBeLessThanOrEqual(2)

    // A process that has not seen the subject yet gets its count with the first exchange.
    expect(await passing(second, 'anonymous', subject, 3)).toBe(3)
    await second.close()
    expect(await passing(second, 'anonymous', subject, 3)).toBe(0)
  })

  test('ends with its window, which Retry-After shows; refused calls do not count', async ({ deps }) => {
    const { limits, time } = processes(deps, 1)
    const [limit] = limits
    const subject = randomUUID()
    for (const name of ['register', 'user'] as const) {
      time.now = Math.ceil(time.now / 60_000) * 60_000 + 18_000
      const calls = name === 'register' ? 5 : 120
      expect(await passing(limit!, name, subject, calls + 20)).toBe(calls)
      const refused = await limit!.hit(name, subject).catch((error: unknown) => error)
      expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED', extras: { retryAfterSeconds: 42 } })
      time.now += 42_000
      expect(await passing(limit!, name, subject, calls + 20)).toBe(calls)
    }
  })

  test('takes back what did not count, so another call passes', async ({ deps }) => {
    const { limits } = processes(deps, 1)
    const subject = randomUUID()
    expect(await passing(limits[0]!, 'login-failures', subject, 12)).toBe(10)
    await limits[0]!.giveBack('login-failures', subject)
    expect(await passing(limits[0]!, 'login-failures', subject, 12)).toBe(1)
  })

  test('keeps no subject in readable form', async ({ deps }) => {
    const { limits } = processes(deps, 1)
    await limits[0]!.hit('login-failures', 'somebody@example.com 192.0.2.1')
    const rows = await deps.db.selectFrom('rate_limits').selectAll().where('key', 'like', 'login-failures%').execute()
    expect(JSON.stringify(rows)).not.toMatch(/somebody|192\.0\.2/)
    expect(rows.length).toBeGreaterThan(0)
  })

  test('lets calls pass while the database is unreachable', async ({ deps }) => {
    const pool = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, log: deps.log })
    const limits = createRateLimits({ ...deps, db: queryBuilder(pool), config: { ...deps.config, RATE_LIMITS: 'on' } })
    expect(await passing(limits, 'register', randomUUID(), 8)).toBe(8)
    await limits.close()
    await pool.end()
  })
})

describe('A limit for an address', () => {
  test('counts an IPv6 subscriber by the /64, and four times as much by the /56', async ({ deps }) => {
    const { limits } = processes(deps, 1)
    const from = async (network: number, calls: number) => {
      const results = await Promise.allSettled(
        Array.from({ length: calls }, (_, host) => limits[0]!.hitFrom('register', `2001:db8:0:12${network}::${host}`)),
      )
      return results.filter(({ status }) => status === 'fulfilled').length
    }
    expect(await from(10, 8)).toBe(5)
    for (const network of [11, 12, 13]) expect(await from(network, 5)).toBe(5)
    expect(await from(14, 5)).toBe(0)
    await limits[0]!.hitFrom('register', '2001:db8:0:1300::1')
  })
})

describe('Requests', () => {
  test('to register are 5 a minute for one address; refused forms do not count', async ({ deps }) => {
    const { app } = await limited(deps)
    const register = (password: string) => {
      const payload = { email: `${randomUUID()}@example.com`, password, name: 'Ada' }
      return app.inject({ method: 'POST', url: '/api/v1/register', payload, remoteAddress: '192.0.2.1' })
    }
    expect(await statuses(Array.from({ length: 10 }, () => register('short')))).toEqual({ 422: 10 })
    expect(await statuses(Array.from({ length: 8 }, () => register(PASSWORD)))).toEqual({ 201: 5, 429: 3 })
  })

  test('without an account are 600 a minute for one address, unknown ones included; health never counts', async ({
    deps,
  }) => {
    const { app } = await limited(deps)
    const ask = (url: string, count: number) =>
      statuses(Array.from({ length: count }, () => app.inject({ url, remoteAddress: '192.0.2.1' })))
    expect(await ask('/api/health', 700)).toEqual({ 200: 700 })
    expect(await ask('/api/nowhere', 650)).toEqual({ 404: 600, 429: 50 })
    expect(await ask('/api/health', 1)).toEqual({ 200: 1 })
  })

  test('of a user are 120 a minute, from whatever address', async ({ deps }) => {
    const { app } = await limited(deps)
    const { email } = await insertAccount(deps)
    const { token } = (await post(app, '/api/v1/login', { email, password: PASSWORD })).json().data
    const asks = Array.from({ length: 130 }, (_, index) =>
      app.inject({
        url: '/api/admin/v1/check-token',
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: `192.0.2.${index}`,
      }),
    )
    expect(await statuses(asks)).toEqual({ 200: 120, 429: 10 })
  })

  test('of an administrator to the administration are 300 a minute, check-token included', async ({ deps }) => {
    const { app } = await limited(deps)
    const { user_id: userId } = await insertAccount(deps, { role: 'admin' })
    const { token } = await deps.sessions.open({ userId })
    const headers = { authorization: `Bearer ${token}` }
    const ask = (url: string, count: number) =>
      statuses(Array.from({ length: count }, () => app.inject({ url, headers })))
    expect(await ask('/api/admin/v1/check-token', 310)).toEqual({ 200: 300, 429: 10 })
    expect(await ask('/api/notification', 130)).toEqual({ 200: 120, 429: 10 })
  })

  test('with one Idempotency-Key use up a limit once', async ({ deps }) => {
    const { app } = await limited(deps)
    const payload = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' }
    const headers = { 'idempotency-key': randomUUID() }
    const register = () =>
      app.inject({ method: 'POST', url: '/api/v1/register', payload, headers, remoteAddress: '192.0.2.1' })
    const answers = await Promise.all(Array.from({ length: 20 }, register))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(201)
  })
})
