import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../test/support/app.ts'
import { buildApp } from '../app.ts'
import { connect, queryBuilder } from '../db/connect.ts'
import type { Deps } from '../deps.ts'
import { createRateLimits, networkOf, type RateLimits } from './rate-limit.ts'
import type { App } from './routes.ts'

const PASSWORD = 'correct horse'

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

    // A process that has not met the subject yet learns of it with its first exchange.
    expect(await passing(second, 'anonymous', subject, 3)).toBe(3)
    await second.close()
    expect(await passing(second, 'anonymous', subject, 3)).toBe(0)
  })

  test('ends with its window, which Retry-After tells; refused calls do not count', async ({ deps }) => {
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

  test('takes back what did not count, so that another call passes', async ({ deps }) => {
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

  test('lets calls pass while the database is away', async ({ deps }) => {
    const pool = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, log: deps.log })
    const limits = createRateLimits({ ...deps, db: queryBuilder(pool), enabled: true })
    expect(await passing(limits, 'register', randomUUID(), 8)).toBe(8)
    await limits.close()
    await pool.end()
  })

  test('counts an IPv6 subscriber by the /64, an IPv4 one by the address', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('2001:db8:0:7::1')).toBe('2001:db8:0:7')
    expect(networkOf('2001:db8::7:1:2:3:4')).toBe('2001:db8:0:7')
    expect(networkOf('2001:0DB8:0000:0007:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:7')
    expect(networkOf('::1')).toBe('0:0:0:0')
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  })
})

describe('Logins', () => {
  test('fail 10 times in 15 minutes per account and address; then 429 until the window ends', async ({ deps }) => {
    const { app, time } = await limited(deps)
    const email = await insertAccount(deps)
    const wrong = await statuses(Array.from({ length: 15 }, () => login(app, email, 'wrong horse')))
    expect(wrong).toEqual({ 401: 10, 429: 5 })
    const refused = await login(app, email.toUpperCase(), PASSWORD)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ success: false, code: 'RATE_LIMITED' })
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(900)

    expect((await login(app, email, PASSWORD, '192.0.2.200')).statusCode).toBe(200)
    time.now += seconds * 1_000
    expect((await login(app, email, PASSWORD)).statusCode).toBe(200)
  })

  test('that succeed never count as failures', async ({ deps }) => {
    const { app } = await limited(deps)
    const email = await insertAccount(deps)
    for (let round = 0; round < 12; round++) expect((await login(app, email, PASSWORD)).statusCode).toBe(200)
  })

  test('over many accounts are 30 a minute for one address, whatever it forwards', async ({ deps }) => {
    const { app } = await limited(deps)
    const tries = Array.from({ length: 50 }, (_, index) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/login',
        remoteAddress: '192.0.2.1',
        headers: {
          'x-forwarded-for': `198.51.100.${index}`,
          'x-real-ip': `198.51.100.${index}`,
          forwarded: `for=${index}`,
        },
        payload: { email: `${randomUUID()}@example.com`, password: 'wrong horse' },
      }),
    )
    expect(await statuses(tries)).toEqual({ 401: 30, 429: 20 })
  })

  test('through a trusted proxy count for the client that it names, not for what the client made up', async ({
    deps,
  }) => {
    const { app } = await limited({ ...deps, config: { ...deps.config, TRUSTED_PROXIES: ['10.0.0.0/8'] } })
    const through = (client: string, madeUp: string) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/login',
        remoteAddress: '10.1.2.3',
        headers: { 'x-forwarded-for': `${madeUp}, ${client}` },
        payload: { email: `${randomUUID()}@example.com`, password: 'wrong horse' },
      })
    const tries = Array.from({ length: 35 }, (_, index) => through('198.51.100.1', `203.0.113.${index}`))
    expect(await statuses(tries)).toEqual({ 401: 30, 429: 5 })
    expect((await through('198.51.100.2', '203.0.113.1')).statusCode).toBe(401)
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
    const token = (await login(app, await insertAccount(deps), PASSWORD)).json().data.token
    const asks = Array.from({ length: 130 }, (_, index) =>
      app.inject({
        url: '/api/admin/v1/check-token',
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: `192.0.2.${index}`,
      }),
    )
    expect(await statuses(asks)).toEqual({ 200: 120, 429: 10 })
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

/** The limits of `count` processes, at a moment that no other test shares and that the test may move. */
function processes(deps: Deps, count: number) {
  const time = { now: Math.floor(Math.random() * 1e12) }
  const clock = { now: () => time.now }
  const limits = Array.from({ length: count }, () => createRateLimits({ ...deps, clock, enabled: true }))
  onTestFinished(async () => {
    for (const limit of limits) await limit.close()
  })
  return { time, limits }
}

/** The application with limits on. */
async function limited(deps: Deps) {
  const { limits, time } = processes(deps, 1)
  const { app } = await buildApp({ ...deps, rateLimits: limits[0]! })
  onTestFinished(() => app.close())
  return { app, time }
}

async function passing(limits: RateLimits, name: Parameters<RateLimits['hit']>[0], subject: string, calls: number) {
  const results = await Promise.allSettled(Array.from({ length: calls }, () => limits.hit(name, subject)))
  return results.filter(({ status }) => status === 'fulfilled').length
}

async function statuses(answers: PromiseLike<{ statusCode: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of await Promise.all(answers)) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

function login(app: App, email: string, password: string, remoteAddress = '192.0.2.1') {
  return app.inject({ method: 'POST', url: '/api/v1/login', payload: { email, password }, remoteAddress })
}

async function insertAccount({ db, passwords }: Deps): Promise<string> {
  const name = randomUUID()
  const account = { username: name, email: `${name}@example.com`, name, password_hash: await passwords.hash(PASSWORD) }
  await db.insertInto('users').values(account).execute()
  return account.email
}
