// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { createCalls, givenWorld } from '../../../test/support/calls.ts'
import type { Deps } from '../../deps.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { startService, type Service } from '../../../test/support/service.ts'

const PANEL = { 'x-swapbell-panel': '1' }
const WHO = '/api/admin/v1/check-token'

async function readCredentials(deps: Deps, role: Role) {
  return { email: (await insertAccount(deps, { role })).email, password: PASSWORD }
}

/** Signs an administrator in to the panel; gives the cookie that a browser would keep, and what was said of it. */
async function signedIn({ app, deps }: Service, more: Record<string, string> = {}) {
  const payload = await readCredentials(deps, 'admin')
  const headers = { ...PANEL, ...more }
  const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/session', payload, headers })
  const [cookie = '', ...attributes] = String(answer.headers['set-cookie']).split('; ')
  return { answer, cookie, attributes }
}

describe('the session of the panel', () => {
  test('is in a cookie that scripts cannot read and other sites cannot send, and not in the answer', async ({
    service,
  }) => {
    const { answer, cookie, attributes } = await signedIn(service)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(cookie.split('=')[1])
    expect(attributes).toEqual(['Path=/', expect.stringMatching(/^Max-Age=\d+$/), 'HttpOnly', 'SameSite=Strict'])
    const who = await service.app.inject({ url: WHO, headers: { ...PANEL, cookie } })
    expect([who.statusCode, who.json<{ data: unknown }>().data]).toEqual([200, answer.json<{ data: unknown }>().data])
  })

  test('is in the cookie of a repeated sign-in too, whose first answer was lost', async ({ service }) => {
    const payload = await readCredentials(service.deps, 'admin')
    const headers = { ...PANEL, 'idempotency-key': 'the same sign-in' }
    for (let n = 0; n < 2; n++) {
      const answer = await service.app.inject({ method: 'POST', url: '/api/admin/v1/session', payload, headers })
      const [cookie = ''] = String(answer.headers['set-cookie']).split('; ')
      expect((await service.app.inject({ url: WHO, headers: { ...PANEL, cookie } })).statusCode).toBe(200)
    }
  })

  test('counts only for the scripts of the panel, which send its header', async ({ service }) => {
    const { cookie } = await signedIn(service)
    const readStatus = async (headers: Record<string, string>) =>
      (await service.app.inject({ url: WHO, headers: { cookie, ...headers } })).statusCode
    expect(await readStatus({})).toBe(401)
    expect(await readStatus({ 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await readStatus({ 'sec-fetch-site': 'same-site' })).toBe(401)
    // An image, a frame, a form or a link in a page of the panel itself.
    expect(await readStatus({ 'sec-fetch-site': 'same-origin' })).toBe(401)
    expect(await readStatus({ 'sec-fetch-site': 'none' })).toBe(401)
    expect(await readStatus(PANEL)).toBe(200)
  })

  test('opens no GET that writes or exports, which takes a token', async ({ service }) => {
    const { cookie } = await signedIn(service)
    const world = await givenWorld(service)
    const entries = service.deps.db.selectFrom('audit_log').select('audit_id').where('action', '<>', 'denied')
    const effects = () => entries.execute()
    const opened: string[] = []
    for (const [name, { url }] of Object.entries(createCalls(world)).filter(([call]) => call.startsWith('GET '))) {
      const before = await effects()
      await service.app.inject({ url, headers: { ...PANEL, cookie } })
      const after = await effects()
      if (after.length > before.length) opened.push(name)
    }
    expect(opened).toEqual([])
  })

  test.for([
    ['is of this host alone, and Secure, where the panel was reached by TLS', { TRUSTED_PROXIES: ['127.0.0.1/32'] }],
    ['is so in production, also where no proxy says that it was reached by TLS', { NODE_ENV: 'production' }],
  ] as const)('%s', async ([, settings]) => {
    const service = await startService(settings as Partial<Config>)
    try {
      const { cookie, attributes } = await signedIn(service, { 'x-forwarded-proto': 'https' })
      expect(attributes).toEqual([
        'Path=/',
        expect.stringMatching(/^Max-Age=/),
        'HttpOnly',
        'SameSite=Strict',
        'Secure',
      ])
      const readStatus = async (given: string) => {
        const headers = { ...PANEL, cookie: given, 'x-forwarded-proto': 'https' }
        return (await service.app.inject({ url: WHO, headers })).statusCode
      }
      expect(cookie).toMatch(/^__Host-/)
      expect(await readStatus(cookie)).toBe(200)
      expect(await readStatus(`other=1; ${cookie}`)).toBe(200)
      // A cookie without the prefix may come from another host of the same site.
      expect(await readStatus(cookie.replace('__Host-', ''))).toBe(401)
    } finally {
      await service.close()
    }
  })

  test('ends with the sign-out, for a copy of the cookie too', async ({ service }) => {
    const { cookie } = await signedIn(service)
    const headers = { ...PANEL, cookie }
    const out = await service.app.inject({ method: 'DELETE', url: '/api/admin/v1/session', headers })
    expect(out.statusCode).toBe(200)
    expect(String(out.headers['set-cookie'])).toMatch(/^swapbell_session=; Path=\/; Max-Age=0;/)
    expect((await service.app.inject({ url: WHO, headers })).statusCode).toBe(401)
  })

  test('is not given to people without rights, nor for a wrong password', async ({ service: { app, deps } }) => {
    for (const [payload, status] of [
      [await readCredentials(deps, 'user'), 403],
      [{ ...(await readCredentials(deps, 'admin')), password: 'quite another word' }, 401],
    ] as const) {
      const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/session', payload })
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([status, undefined])
    }
  })
})
