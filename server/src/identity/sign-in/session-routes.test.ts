import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { PASSWORD, bearer, get, insertAccount, post, signedIn } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { ensureFirstAdmin } from './auth.ts'

const LOGIN = '/api/v1/login'
const ADMIN_LOGIN = '/api/admin/v1/login'

describe('A session', () => {
  test('is shown by check-token: 200 with its expiry and its user, else 401', async ({ app, deps }) => {
    const { data } = await signedIn(app, deps, { role: 'moderator' })
    const answer = await get(app, '/api/admin/v1/check-token', data.token)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ success: true, data: { expires_at: data.expires_at, user: data.user } })
    for (const token of [undefined, 'nonsense', `${data.token}x`]) {
      const refused = await get(app, '/api/admin/v1/check-token', token)
      expect([refused.statusCode, refused.json().success]).toEqual([401, false])
    }
  })

  test.for(['/api/v1/logout', '/api/admin/v1/logout'])(
    'ends with GET %s, and nothing else ends',
    async (url, { app, deps }) => {
      const { data, email } = await signedIn(app, deps)
      const second = (await post(app, LOGIN, { email, password: PASSWORD })).json().data.token
      const answer = await get(app, url, data.token)
      expect(answer.json()).toEqual({ success: true, data: {}, message: 'Signed out' })
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await get(app, url, data.token)).statusCode).toBe(401)
      expect((await get(app, '/api/admin/v1/check-token', data.token)).statusCode).toBe(401)
      expect((await get(app, '/api/admin/v1/check-token', second)).statusCode).toBe(200)
      expect((await app.inject({ method: 'HEAD', url, headers: bearer(second) })).statusCode).toBe(405)
      expect((await get(app, '/api/admin/v1/check-token', second)).statusCode).toBe(200)
    },
  )

  test('that ends during requests gives 200 or 401, never 500', async ({ app, deps }) => {
    const { data } = await signedIn(app, deps)
    const urls = Array.from({ length: 50 }, (_, index) => `/api/admin/v1/${index % 5 === 0 ? 'logout' : 'check-token'}`)
    const answers = await Promise.all(urls.map((url) => get(app, url, data.token)))
    for (const { statusCode } of answers) expect([200, 401]).toContain(statusCode)
    expect((await get(app, '/api/admin/v1/check-token', data.token)).statusCode).toBe(401)
  })

  test('that ends with device_id releases that device and no other', async ({ app, deps }) => {
    const { data } = await signedIn(app, deps)
    const device = (name: string) => ({
      user_id: data.user.id,
      token: `ExponentPushToken[${randomUUID()}]`,
      device_id: name,
      platform: 'ios' as const,
      last_registered_at: new Date(0),
    })
    await deps.db
      .insertInto('mobile_devices')
      .values([device('phone'), device('tablet')])
      .execute()
    expect((await get(app, '/api/v1/logout?device_id=phone', data.token)).statusCode).toBe(200)
    const live = deps.db.selectFrom('mobile_devices').select('device_id').where('removed_at', 'is', null)
    expect(await live.where('user_id', '=', data.user.id).execute()).toEqual([{ device_id: 'tablet' }])
  })
})

describe('The first super administrator', () => {
  const settings = { ADMIN_EMAIL: 'first@example.com', ADMIN_PASSWORD: 'a long enough one' }

  test('is made once from ADMIN_EMAIL and ADMIN_PASSWORD, by two processes at once too', async ({ app, deps }) => {
    await deps.db.deleteFrom('users').where('role', '=', 'super_admin').execute()
    const booting = { ...deps, config: { ...deps.config, ...settings } }
    await Promise.all([ensureFirstAdmin(booting), ensureFirstAdmin(booting)])
    await ensureFirstAdmin({ ...booting, config: { ...booting.config, ADMIN_EMAIL: 'second@example.com' } })
    expect(await admins(deps)).toEqual([{ email: settings.ADMIN_EMAIL }])
    const answer = await post(app, ADMIN_LOGIN, { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD })
    expect(answer.json().data.user).toMatchObject({
      role: 'super_admin',
      permissions: expect.arrayContaining(['panel', 'campaigns', 'users']),
    })
  })

  test('is never an account that somebody else registered', async ({ deps }) => {
    await deps.db.deleteFrom('users').where('role', '=', 'super_admin').execute()
    const { email } = await insertAccount(deps)
    await ensureFirstAdmin({ ...deps, config: { ...deps.config, ...settings, ADMIN_EMAIL: email } })
    expect(await admins(deps)).toEqual([])
  })
})

function admins({ db }: Deps) {
  return db.selectFrom('users').select('email').where('role', '=', 'super_admin').execute()
}
