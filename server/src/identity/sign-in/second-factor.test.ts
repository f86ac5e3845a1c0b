// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { PASSWORD, get, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { readCode, givenFactor, pendingToken, secondStep, STEP_MS } from '../../../test/support/factors.ts'
import { startService } from '../../../test/support/service.ts'

const OWN = '/api/v1/account/second-factor'
const WHO = '/api/admin/v1/check-token'
const USERS = '/api/admin/v1/users?per_page=1'
const WRONG = 'INVALID_CODE'
const EXPIRED = 'SIGN_IN_EXPIRED'

describe('A sign-in with a second factor', () => {
  test('opens a session only by the code, and its token opens nothing else', async ({ service }) => {
    const { app, deps } = service
    const owner = await givenFactor(service)
    for (const url of ['/api/v1/login', '/api/admin/v1/login', '/api/admin/v1/session']) {
      const first = await post(app, url, { email: owner.email, password: PASSWORD })
      expect([first.statusCode, Object.keys(first.json().data)]).toEqual([
        202,
        ['pending_token', 'expires_at', 'factors'],
      ])
      expect(first.headers['set-cookie']).toBeUndefined()
      expect(first.headers['cache-control']).toBe('no-store')
      expect((await get(app, WHO, first.json().data.pending_token)).statusCode).toBe(401)
    }
    const open = deps.db.selectFrom('sessions').select('session_id').where('user_id', '=', owner.userId)
    expect(await open.execute()).toHaveLength(1)
    const answer = await secondStep(service, await pendingToken(service, owner), owner.code())
    expect(answer.json().data).toMatchObject({ token_type: 'Bearer', user: { role: 'admin' } })
    expect((await get(app, USERS, answer.json().data.token)).statusCode).toBe(200)
  })

  test('to the panel keeps the session in a cookie, for 12 hours, by whatever door its first step came', async ({
    service,
  }) => {
    const owner = await givenFactor(service)
    const first = await post(service.app, '/api/v1/login', { email: owner.email, password: PASSWORD })
    const { pending_token } = first.json().data
    const url = '/api/admin/v1/session/second-factor'
    const answer = await post(service.app, url, { pending_token, code: owner.code() })
    expect([answer.statusCode, Object.keys(answer.json().data)]).toEqual([200, ['expires_at', 'user']])
    expect(answer.headers['set-cookie']).toContain(`; Max-Age=${12 * 3_600};`)
    const cookie = String(answer.headers['set-cookie']).split('; ')[0]!
    const headers = { cookie, 'x-swapbell-panel': '1' }
    expect((await service.app.inject({ url: USERS, headers })).statusCode).toBe(200)
  })

  test('takes the code of the step before or after, and no other', async ({ service }) => {
    const owner = await givenFactor(service)
    await service.clock.setTime(service.clock.now() + 2 * STEP_MS)
    const token = await pendingToken(service, owner)
    for (const steps of [-2, 2]) expect(await readCode(secondStep(service, token, owner.code(steps)))).toBe(WRONG)
    expect(await readCode(secondStep(service, token, owner.code(-1)))).toBe('OK')
    expect(await readCode(secondStep(service, await pendingToken(service, owner), owner.code(1)))).toBe('OK')
  })

  test('takes each code once, also of two that come at once, and none older than the last', async ({ service }) => {
    const owner = await givenFactor(service)
    const tokens = [await pendingToken(service, owner), await pendingToken(service, owner)]
    const code = owner.code()
    const codes = await Promise.all(tokens.map((token) => readCode(secondStep(service, token, code))))
    expect(codes.toSorted()).toEqual([WRONG, 'OK'])
    const again = await pendingToken(service, owner)
    expect(await readCode(secondStep(service, again, code))).toBe(WRONG)
    expect(await readCode(secondStep(service, again, owner.code(-1)))).toBe(WRONG)
  })

  test('ends with its token: used, after 5 minutes, or with another password', async ({ service }) => {
    const { clock, deps } = service
    const owner = await givenFactor(service)
    const used = await pendingToken(service, owner)
    const both = [owner.code(), owner.code(1)].map((code) => readCode(secondStep(service, used, code)))
    expect((await Promise.all(both)).toSorted()).toEqual(['OK', EXPIRED])
    const old = await pendingToken(service, owner)
    await clock.setTime(clock.now() + 5 * 60_000)
    expect(await readCode(secondStep(service, old, owner.code()))).toBe(EXPIRED)
    const before = await pendingToken(service, owner)
    const password_hash = await deps.passwords.hash('another password')
    await deps.db.updateTable('users').set({ password_hash }).where('user_id', '=', owner.userId).execute()
    expect(await readCode(secondStep(service, before, owner.code()))).toBe(EXPIRED)
    expect(await readCode(secondStep(service, 'A'.repeat(43), owner.code()))).toBe(EXPIRED)
  })

  test('is refused to an account that was suspended or demoted between the steps', async ({ service }) => {
    for (const [change, code] of [
      [{ status: 'suspended' }, 'ACCOUNT_SUSPENDED'],
      [{ role: 'user' }, EXPIRED],
      [{ deleted_at: new Date() }, EXPIRED],
    ] as const) {
      const owner = await givenFactor(service)
      const token = await pendingToken(service, owner)
      await service.deps.db.updateTable('users').set(change).where('user_id', '=', owner.userId).execute()
      expect(await readCode(secondStep(service, token, owner.code()))).toBe(code)
    }
  })

  test('takes each recovery code once, in any case and without dashes', async ({ service }) => {
    const owner = await givenFactor(service)
    const [one, other] = owner.recoveryCodes as [string, string]
    expect(new Set(owner.recoveryCodes).size).toBe(10)
    expect(await readCode(secondStep(service, await pendingToken(service, owner), one))).toBe('OK')
    const token = await pendingToken(service, owner)
    expect(await readCode(secondStep(service, token, one))).toBe(WRONG)
    expect(await readCode(secondStep(service, token, other.replaceAll('-', '').toLowerCase()))).toBe('OK')
    const state = await service.app.inject({ url: OWN, headers: owner.headers })
    expect(state.json().data).toMatchObject({ enabled: true, recovery_codes_left: 8 })
  })

  test('is in the audit log with how it was confirmed, and so is each wrong code', async ({ service }) => {
    const owner = await givenFactor(service)
    const token = await pendingToken(service, owner)
    await secondStep(service, token, '000000')
    await secondStep(service, token, owner.recoveryCodes[0]!)
    const { headers } = await service.given.user({ role: 'super_admin' })
    const url = `/api/admin/v1/audit-log?entity=user&entity_id=${owner.userId}`
    const entries = (await service.app.inject({ url, headers })).json().data as { action: string; after: unknown }[]
    const actions = ['login', 'login_failed', 'second_factor.enable', 'login']
    expect(entries.map(({ action }) => action)).toEqual(actions)
    expect(entries[0]!.after).toEqual({ second_factor: 'recovery' })
  })
})

test('Wrong codes are limited for an account, from many addresses together; recovery codes and known sites get in', async () => {
  const service = await startService({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: ['127.0.0.1'],
    RATE_LIMIT_OVERRIDES: { login: { calls: 1_000, seconds: 60 } },
  })
  try {
    const owner = await givenFactor(service)
    const token = await pendingToken(service, owner)
    const from = (ip: string, code: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/v1/login/second-factor',
        payload: { pending_token: token, code },
        headers: { 'x-forwarded-for': ip },
      })
    const wrong = owner.code(5)
    const tries = await Promise.all(
      Array.from({ length: 40 }, (_, n) => readCode(from(`198.51.${Math.floor(n / 4)}.7`, wrong))),
    )
    expect(tries.filter((code) => code === WRONG)).toHaveLength(20)
    expect(tries.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20)
    expect(await readCode(from('203.0.113.9', owner.code()))).toBe('RATE_LIMITED')
    // The owner has signed in from here before.
    const own = Array.from({ length: 11 }, () => readCode(secondStep(service, token, wrong)))
    expect((await Promise.all(own)).filter((code) => code === WRONG)).toHaveLength(10)
    expect(await readCode(from('203.0.113.9', owner.recoveryCodes[0]!))).toBe('OK')
  } finally {
    await service.close()
  }
})
