// Slow: many costly requests, or long data.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { limited, statuses } from '../../../test/support/limits.ts'
import type { App } from '../../platform/http/routes.ts'

const WRONG = 'wrong horse'
const QUARTER_MS = 15 * 60_000

describe('Logins', () => {
  test('fail 10 times in 15 minutes per account and address; then 429 until the window ends', async ({ deps }) => {
    const { app, time } = await limited(deps)
    const { email } = await insertAccount(deps)
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
    const { email } = await insertAccount(deps)
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

describe('A login budget of an account', () => {
  test('over all addresses leaves each new one fewer tries, and never none', async ({ deps }) => {
    const { app, time } = await limited(deps)
    time.now = Math.ceil(time.now / QUARTER_MS) * QUARTER_MS
    const { email } = await insertAccount(deps)
    const byAddress: Record<number, number>[] = []
    for (let n = 1; n <= 60; n++) {
      // Within the minute, each address may try 30 times.
      byAddress.push(await statuses(Array.from({ length: 12 }, () => login(app, email, WRONG, `198.51.100.${n}`))))
    }
    expect(byAddress.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ({ 401: 10, 429: 2 })))
    expect(byAddress.slice(3, 33)).toEqual(Array.from({ length: 30 }, () => ({ 401: 3, 429: 9 })))
    expect(byAddress.slice(33)).toEqual(Array.from({ length: 27 }, () => ({ 401: 1, 429: 11 })))
    // The owner, from an address that nobody knows.
    expect((await login(app, email, PASSWORD, '203.0.113.1')).statusCode).toBe(200)
  })

  test('that is used up does not limit the networks from which its owner has signed in', async ({ deps }) => {
    const { app } = await limited(deps)
    const { email } = await insertAccount(deps)
    expect((await login(app, email, PASSWORD, '203.0.113.1')).statusCode).toBe(200)
    for (let n = 1; n <= 50; n++)
      await statuses(Array.from({ length: 12 }, () => login(app, email, WRONG, `192.0.2.${n}`)))
    expect((await login(app, email, WRONG, '192.0.2.99')).statusCode).toBe(401)
    expect((await login(app, email, PASSWORD, '192.0.2.99')).statusCode).toBe(429)
    // Mistyped nine times at home, and right at last.
    expect(await statuses(Array.from({ length: 9 }, () => login(app, email, WRONG, '203.0.113.1')))).toEqual({ 401: 9 })
    expect((await login(app, email, PASSWORD, '203.0.113.1')).statusCode).toBe(200)
  })

  test('is that of the account, however its address is written', async ({ deps }) => {
    const { app } = await limited(deps)
    const name = `admin${randomUUID().slice(0, 8)}`
    const { email } = await insertAccount(deps)
    await deps.db
      .updateTable('users')
      .set({ email: `${name}i@example.com` })
      .where('email', '=', email)
      .execute()
    const written = [`${name}i@example.com`, `${name.toUpperCase()}I@EXAMPLE.COM`, `${name}i@Example.com`]
    const tries = written.flatMap((address) => Array.from({ length: 5 }, () => login(app, address, WRONG)))
    expect(await statuses(tries)).toEqual({ 401: 10, 429: 5 })
    // A capital dotted I, which the database takes for an i, is another letter.
    const dotted = await login(app, `${name}\u0130@example.com`, PASSWORD, '203.0.113.5')
    expect([dotted.statusCode, dotted.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  test('is one for all networks of a /56, and for all ports of a forwarded address', async ({ deps }) => {
    const { app } = await limited({ ...deps, config: { ...deps.config, TRUSTED_PROXIES: ['10.0.0.0/8'] } })
    const { email } = await insertAccount(deps)
    const v6 = Array.from({ length: 15 }, (_, n) => login(app, email, WRONG, `2001:db8:0:12${n + 10}::1`))
    expect(await statuses(v6)).toEqual({ 401: 10, 429: 5 })
    const through = (forwarded: string) => login(app, email, WRONG, '10.1.2.3', { 'x-forwarded-for': forwarded })
    const ports = Array.from({ length: 15 }, (_, n) => through(`203.0.113.9, 198.51.100.7:${4_000 + n}`))
    expect(await statuses(ports)).toEqual({ 401: 10, 429: 5 })
    const garbage = Array.from({ length: 15 }, (_, n) => through(`198.51.100.${n}, garbage${n}`))
    expect(await statuses(garbage)).toEqual({ 401: 10, 429: 5 })
  })

  test('counts what is wrong of current_password too', async ({ deps }) => {
    const { app } = await limited(deps)
    const { email } = await insertAccount(deps)
    const { token } = (await login(app, email, PASSWORD)).json().data
    const change = (current: string) =>
      app.inject({
        method: 'PATCH',
        url: '/api/v1/account',
        remoteAddress: '192.0.2.1',
        headers: { authorization: `Bearer ${token}` },
        payload: { password: 'another good password', current_password: current },
      })
    expect(await statuses(Array.from({ length: 6 }, () => change(WRONG)))).toEqual({ 422: 6 })
    expect(await statuses(Array.from({ length: 6 }, () => login(app, email, WRONG)))).toEqual({ 401: 4, 429: 2 })
    expect((await change(PASSWORD)).statusCode).toBe(429)
  })

  test('is the same for an address that has no account', async ({ deps }) => {
    const { app } = await limited(deps)
    const email = `${randomUUID()}@example.com`
    const counts = []
    for (let n = 1; n <= 5; n++)
      counts.push(await statuses(Array.from({ length: 12 }, () => login(app, email, WRONG, `192.0.2.${n}`))))
    expect(counts.slice(2)).toEqual([
      { 401: 10, 429: 2 },
      { 401: 3, 429: 9 },
      { 401: 3, 429: 9 },
    ])
  })
})

function login(app: App, email: string, password: string, remoteAddress = '192.0.2.1', headers = {}) {
  return app.inject({ method: 'POST', url: '/api/v1/login', payload: { email, password }, remoteAddress, headers })
}
