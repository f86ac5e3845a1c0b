import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import type { Role } from '../../platform/tables/tables.ts'
import type { Service } from '../../../test/support/service.ts'

const PANEL = { 'x-swapbell-panel': '1' }
const WHO = '/api/admin/v1/check-token'

async function credentialsOf(deps: Deps, role: Role) {
  return { email: (await insertAccount(deps, { role })).email, password: PASSWORD }
}

/** Signs an administrator in to the panel; gives the cookie that a browser would keep, and what was said of it. */
async function signedIn({ app, deps }: Service) {
  const payload = await credentialsOf(deps, 'admin')
  const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/session', payload, headers: PANEL })
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
    expect(attributes).toEqual(['Path=/api', expect.stringMatching(/^Max-Age=\d+$/), 'HttpOnly', 'SameSite=Strict'])
    const who = await service.app.inject({ url: WHO, headers: { ...PANEL, cookie } })
    expect([who.statusCode, who.json<{ data: unknown }>().data]).toEqual([200, answer.json<{ data: unknown }>().data])
  })

  test('counts only for requests of our own pages', async ({ service }) => {
    const { cookie } = await signedIn(service)
    const statusOf = async (headers: Record<string, string>) =>
      (await service.app.inject({ url: WHO, headers: { cookie, ...headers } })).statusCode
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await statusOf({ 'sec-fetch-site': 'same-site' })).toBe(401)
    // A download or a stream, of which the browser itself says where it comes from.
    expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await statusOf(PANEL)).toBe(200)
  })

  test('is Secure where the panel was reached by TLS', async ({ service: { app, deps } }) => {
    const payload = await credentialsOf(deps, 'admin')
    const headers = { ...PANEL, 'x-forwarded-proto': 'https' }
    const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/session', payload, headers })
    // No proxy is trusted here, so its header is ignored.
    expect(String(answer.headers['set-cookie'])).not.toContain('Secure')
  })

  test('ends with the sign-out, for a copy of the cookie too', async ({ service }) => {
    const { cookie } = await signedIn(service)
    const headers = { ...PANEL, cookie }
    const out = await service.app.inject({ method: 'DELETE', url: '/api/admin/v1/session', headers })
    expect(out.statusCode).toBe(200)
    expect(String(out.headers['set-cookie'])).toMatch(/^swapbell_session=; Path=\/api; Max-Age=0;/)
    expect((await service.app.inject({ url: WHO, headers })).statusCode).toBe(401)
  })

  test('is not given to people without rights, nor for a wrong password', async ({ service: { app, deps } }) => {
    for (const [payload, status] of [
      [await credentialsOf(deps, 'user'), 403],
      [{ ...(await credentialsOf(deps, 'admin')), password: 'not the password' }, 401],
    ] as const) {
      const answer = await app.inject({ method: 'POST', url: '/api/admin/v1/session', payload })
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([status, undefined])
    }
  })
})
