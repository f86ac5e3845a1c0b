// Slow: many costly requests, or long data.
import { describe, expect } from 'vitest'
import { get, insertAccount, PASSWORD, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { hold } from '../../../test/support/holds.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Role } from '../../platform/tables/tables.ts'

const ACCOUNT = '/api/v1/account'
const LOGIN = '/api/v1/login'
const NEXT = 'another good password'

describe('Your own account', () => {
  test.for<Role>(['user', 'analyst', 'moderator', 'admin', 'super_admin'])(
    'of a %s: name, address and password are one’s own to change',
    async (role, { service }) => {
      const { email, token, userId } = await signedIn(service, role)
      const shown = await get(service.app, ACCOUNT, token)
      expect(shown.json().data).toMatchObject({ id: userId, email, role, version: 1 })
      const named = await patch(service, token, { name: 'Another', city: 'Ghent', phone: null })
      expect(named.statusCode).toBe(200)
      expect(named.headers['etag']).toBe('"v2"')
      expect(named.json().data).toMatchObject({ user_id: userId, name: 'Another', city: 'Ghent', email })
      const address = `new-${email}`
      const change = { email: address, password: NEXT, current_password: PASSWORD }
      expect((await patch(service, token, change)).json().data).toMatchObject({ email: address, email_verified: false })
      expect((await post(service.app, LOGIN, { email: address, password: NEXT })).statusCode).toBe(200)
      expect((await post(service.app, LOGIN, { email, password: PASSWORD })).statusCode).toBe(401)
    },
  )

  test('with a new password ends all sessions but the one that asks', async ({ service }) => {
    const { email, token } = await signedIn(service)
    const other = (await post(service.app, LOGIN, { email, password: PASSWORD })).json().data.token
    expect((await patch(service, token, { password: NEXT, current_password: PASSWORD })).statusCode).toBe(200)
    expect((await get(service.app, ACCOUNT, other)).statusCode).toBe(401)
    expect((await get(service.app, ACCOUNT, token)).statusCode).toBe(200)
  })

  test.for([
    ['a password', { password: NEXT }],
    ['an address', { email: 'elsewhere@example.com' }],
  ] as const)('does not change %s without the present password', async ([, change], { service }) => {
    const { token, email } = await signedIn(service)
    const missing = await patch(service, token, change)
    expect(missing.statusCode).toBe(422)
    expect(missing.json().errors).toEqual({ current_password: [expect.stringContaining('is required')] })
    const wrong = await patch(service, token, { ...change, current_password: 'quite another word' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json().errors).toEqual({ current_password: [expect.stringContaining('is not the password')] })
    expect((await get(service.app, ACCOUNT, token)).json().data).toMatchObject({ email, version: 1 })
    expect((await post(service.app, LOGIN, { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('takes the address as it is without a password, but not one that it stops to be meanwhile', async ({
    service,
  }) => {
    const { token, email, userId } = await signedIn(service)
    expect((await patch(service, token, { email, name: 'Another' })).statusCode).toBe(200)
    const moved = await hold(service, `update users set email = 'moved-' || email where user_id = ${userId}`)
    const back = patch(service, token, { email })
    await moved.untilWaiting(1)
    await moved.commit()
    expect((await back).json().errors).toEqual({ current_password: [expect.stringContaining('is required')] })
    expect((await get(service.app, ACCOUNT, token)).json().data).toMatchObject({ email: `moved-${email}` })
  })

  test.for<[string, object, string]>([
    ['nothing', {}, 'body'],
    ['a password alone that confirms nothing', { current_password: PASSWORD }, 'body'],
    ['a role', { role: 'admin' }, 'role'],
    ['a status', { status: 'active' }, 'status'],
    ['an id', { id: 1, name: 'A' }, 'id'],
    ['a short password', { password: 'short', current_password: PASSWORD }, 'password'],
    ['an address that is not ASCII', { email: 'admİn@example.com', current_password: PASSWORD }, 'email'],
  ])('with %s is refused and names it', async ([, change, field], { service }) => {
    const { token } = await signedIn(service)
    const answer = await patch(service, token, change)
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([field])
  })

  test('of an administrator takes no password under 12 characters', async ({ service }) => {
    const { token } = await signedIn(service, 'moderator')
    const answer = await patch(service, token, { password: 'eleven char', current_password: PASSWORD })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['password']])
  })

  test('has its versions: another one is 412, a taken address 409', async ({ service }) => {
    const { token } = await signedIn(service)
    const stale = await service.app.inject({
      method: 'PATCH',
      url: ACCOUNT,
      headers: { authorization: `Bearer ${token}`, 'if-match': '"v7"' },
      payload: { name: 'Another' },
    })
    expect(stale.statusCode).toBe(412)
    const taken = (await service.given.user()).email
    const answer = await patch(service, token, { email: taken, current_password: PASSWORD })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'DUPLICATE'])
  })

  test('is in the audit log when its owner is an administrator, and else not', async ({ service }) => {
    const panel = await givenPanel(service)
    for (const [role, entries] of [
      ['user', 0],
      ['analyst', 1],
    ] as const) {
      const { token, userId } = await signedIn(service, role)
      await patch(service, token, { password: NEXT, current_password: PASSWORD })
      const log = await panel.get(`/audit-log?action=user.update&entity_id=${userId}`)
      expect(log.json().data).toHaveLength(entries)
      if (entries > 0)
        expect(log.json().data[0]).toMatchObject({ actor: { user_id: userId }, after: { password: 'changed' } })
    }
  })
})

describe('user-update of one’s own account', () => {
  test('asks for the present password too', async ({ service }) => {
    const { token, userId: id } = await signedIn(service, 'super_admin')
    const update = (change: object) => patch(service, token, { id, ...change }, '/api/admin/v1/user-update')
    expect((await update({ password: NEXT })).statusCode).toBe(422)
    expect((await update({ email: 'root@example.com' })).statusCode).toBe(422)
    expect((await update({ password: NEXT, current_password: 'quite another word' })).statusCode).toBe(422)
    expect((await update({ password: NEXT, current_password: PASSWORD })).statusCode).toBe(200)
    expect((await get(service.app, ACCOUNT, token)).statusCode).toBe(200)
  })

  test('takes none for another’s', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId: id } = await service.given.user()
    const answer = await panel.patch('/user-update', { id, password: NEXT, current_password: PASSWORD })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['current_password']])
  })
})

describe('A promotion', () => {
  test('of an account with an unknown or short password needs a new one of 12 characters', async ({ service }) => {
    const panel = await givenPanel(service)
    const short = { email: 'short@example.com', password: 'only 11 cha', name: 'Short' }
    const { user } = (await post(service.app, '/api/v1/register', short)).json().data
    const unknown = await service.given.user()
    for (const id of [user.id, unknown.userId]) {
      for (const change of [{ role: 'admin' }, { role: 'admin', password: 'only 11 cha' }]) {
        const answer = await panel.patch('/user-update', { id, ...change })
        expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['password']])
      }
      expect((await panel.patch('/user-update', { id, role: 'admin', password: NEXT })).statusCode).toBe(200)
    }
    const signIn = (password: string) => post(service.app, '/api/admin/v1/login', { email: short.email, password })
    expect((await signIn(short.password)).statusCode).toBe(401)
    expect((await signIn(NEXT)).statusCode).toBe(200)
  })

  test('of an account that registered or signed in with 12 characters needs no new one', async ({ service }) => {
    const panel = await givenPanel(service)
    const long = { email: 'long@example.com', password: PASSWORD, name: 'Long' }
    const { user } = (await post(service.app, '/api/v1/register', long)).json().data
    const old = await insertAccount(service.deps)
    expect((await panel.patch('/user-update', { id: old.user_id, role: 'analyst' })).statusCode).toBe(422)
    await post(service.app, LOGIN, { email: old.email, password: PASSWORD })
    for (const id of [user.id, old.user_id])
      expect((await panel.patch('/user-update', { id, role: 'analyst' })).statusCode).toBe(200)
  })

  test('asks again when a short password came after a long one', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId: id, token } = await signedIn(service)
    expect((await patch(service, token, { password: 'short one', current_password: PASSWORD })).statusCode).toBe(200)
    expect((await panel.patch('/user-update', { id, role: 'analyst' })).statusCode).toBe(422)
  })

  test('cannot be bypassed: an administrator with a short password cannot sign in', async ({ service }) => {
    const email = 'before@example.com'
    const { user } = (await post(service.app, '/api/v1/register', { email, password: 'only 11 cha', name: 'B' })).json()
      .data
    await service.deps.db.updateTable('users').set({ role: 'admin' }).where('user_id', '=', user.id).execute()
    for (const url of [LOGIN, '/api/admin/v1/login']) {
      const answer = await post(service.app, url, { email, password: 'only 11 cha' })
      expect([answer.statusCode, answer.json().error]).toEqual([403, expect.stringContaining('12 characters')])
    }
  })
})

/** An account with a real password, signed in. */
async function signedIn({ app, deps }: Service, role: Role = 'user') {
  const { email, user_id: userId } = await insertAccount(deps, { role })
  const token: string = (await post(app, LOGIN, { email, password: PASSWORD })).json().data.token
  return { email, userId, token }
}

function patch({ app }: Service, token: string, payload: object, url = ACCOUNT) {
  return app.inject({ method: 'PATCH', url, headers: { authorization: `Bearer ${token}` }, payload })
}
