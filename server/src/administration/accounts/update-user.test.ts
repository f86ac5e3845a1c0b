import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { get, post } from '../../../test/support/accounts.ts'
import { countStatuses } from '../../../test/support/counts.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { verifyAudit } from '../audit/verify.ts'

const PASSWORD = 'long enough for everybody'
const HOUR_MS = 3_600_000

describe('changing a user', () => {
  test('stores what is given and nothing else, with what it was before in the audit log', async ({ service }) => {
    const panel = await givenPanel(service)
    const user = await service.given.user()
    await service.deps.db
      .updateTable('users')
      .set({ email_verified_at: new Date() })
      .where('user_id', '=', user.userId)
      .execute()
    const change = { name: 'Another', city: 'Bruges', phone: null, email: `new-${user.email}` }
    const answer = await panel.patch('/user-update', { id: user.userId, ...change })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['etag']).toBe('"v2"')
    expect(answer.json().data).toMatchObject({
      ...change,
      id: user.userId,
      version: 2,
      email_verified: false,
      status: 'active',
    })
    const [entry] = (await panel.get(`/audit-log?action=user.update&entity_id=${user.userId}`)).json().data
    expect(entry.before).toEqual({
      name: user.name,
      city: null,
      email: user.email,
      email_verified_at: expect.any(String),
    })
    expect(entry.after).toEqual({ name: 'Another', city: 'Bruges', email: change.email, email_verified_at: null })
    expect((await get(service.app, '/api/user/settings', toToken(user.headers))).statusCode).toBe(200)
  })

  test('that changes nothing makes no new version', async ({ service }) => {
    const panel = await givenPanel(service)
    const user = await service.given.user()
    const answer = await panel.patch('/user-update', { id: user.userId, name: user.name })
    expect(answer.json().data.version).toBe(1)
    expect((await panel.get(`/audit-log?entity=user&entity_id=${user.userId}`)).json().data).toEqual([])
  })

  test('of another version is 412 with the account as it is, and changes nothing', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    const first = await panel.patch('/user-update', { id: userId, city: 'Ghent' }, { 'if-match': '"v1"' })
    expect(first.statusCode).toBe(200)
    const second = await panel.patch('/user-update', { id: userId, city: 'Liège' }, { 'if-match': '"v1"' })
    expect(second.statusCode).toBe(412)
    expect(second.json()).toMatchObject({ code: 'STALE_VERSION', data: { id: userId, city: 'Ghent', version: 2 } })
    const nonsense = await panel.patch('/user-update', { id: userId, city: 'Liège' }, { 'if-match': 'yes' })
    expect(nonsense.statusCode).toBe(422)
    expect((await panel.delete(`/user/${userId}`, undefined, { 'if-match': '"v1"' })).statusCode).toBe(412)
  })

  test.for<[string, Record<string, unknown>]>([
    ['password', { password: 'another good password' }],
    ['role', { role: 'analyst', password: 'a new one for an analyst' }],
    ['status', { status: 'inactive' }],
  ])('a new %s ends the user’s sessions at once', async ([, change], { service }) => {
    const panel = await givenPanel(service)
    const user = await service.given.user()
    expect((await get(service.app, '/api/user/settings', toToken(user.headers))).statusCode).toBe(200)
    const answer = await panel.patch('/user-update', { id: user.userId, ...change })
    expect(answer.statusCode).toBe(200)
    expect((await get(service.app, '/api/user/settings', toToken(user.headers))).statusCode).toBe(401)
    const [entry] = (await panel.get(`/audit-log?action=user.update&entity_id=${user.userId}`)).json().data
    expect(JSON.stringify(entry.after)).not.toContain('argon2')
    expect(Object.keys(entry.after)).toEqual(Object.keys(change))
  })

  test('a new password is the one that signs in', async ({ service }) => {
    const panel = await givenPanel(service)
    const who = { email: 'renewed@example.com', username: 'renewed', name: 'Ms Renewed' }
    await panel.post('/admin/create-user', { ...who, password: PASSWORD })
    const { data } = (await panel.get('/users?search=renewed')).json()
    await panel.patch('/user-update', { id: data[0].id, password: 'another good password' })
    const signIn = (password: string) => post(service.app, '/api/v1/login', { email: 'renewed@example.com', password })
    expect((await signIn(PASSWORD)).statusCode).toBe(401)
    expect((await signIn('another good password')).statusCode).toBe(200)
  })

  test.for([
    'is_admin',
    'password_hash',
    'user_id',
    'email_verified',
    'email_verified_at',
    'deleted_at',
    'purge_after',
    'created_at',
    'version',
    'last_active_at',
    'constructor',
  ])('refuses %s, which is not its to set, by name', async (field, { service }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    const answer = await panel.patch('/user-update', { id: userId, name: 'Harmless', [field]: 1 })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([field])
    expect((await panel.get(`/user-profile?id=${userId}`)).json().data).toMatchObject({ version: 1 })
  })

  test('refuses __proto__', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    const answer = await service.app.inject({
      method: 'PATCH',
      url: '/api/admin/v1/user-update',
      headers: { ...panel.user.headers, 'content-type': 'application/json' },
      payload: `{"id":${userId},"__proto__":{"role":"admin"}}`,
    })
    expect([400, 422]).toContain(answer.statusCode)
    expect(({} as { role?: string }).role).toBeUndefined()
  })

  test.for<[string, Record<string, unknown>, number, string]>([
    ['no id', { name: 'A' }, 422, 'id'],
    ['an id that is text', { id: '7', name: 'A' }, 422, 'id'],
    ['an id below one', { id: 0, name: 'A' }, 422, 'id'],
    ['an id beyond all', { id: 2 ** 53, name: 'A' }, 422, 'id'],
    ['nothing to change', { id: 1 }, 422, 'body'],
    ['an unknown user', { id: 999_999_999, name: 'A' }, 404, ''],
  ])('with %s is refused', async ([, payload, status, field], { service }) => {
    const panel = await givenPanel(service)
    const answer = await panel.patch('/user-update', payload)
    expect(answer.statusCode).toBe(status)
    expect(Object.keys(answer.json().errors ?? {}).join()).toBe(field)
  })

  test('to a taken address or username is 409, also when two take it at once', async ({ service }) => {
    const panel = await givenPanel(service)
    const [first, second, third] = [await service.given.user(), await service.given.user(), await service.given.user()]
    const taken = await panel.patch('/user-update', { id: second.userId, email: first.email.toUpperCase() })
    expect(taken.json()).toMatchObject({ code: 'DUPLICATE', errors: { email: [expect.any(String)] } })
    const answers = await Promise.all(
      [second, third].map(({ userId }) => panel.patch('/user-update', { id: userId, username: 'wanted' })),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 })
    const own = await panel.patch('/user-update', { id: first.userId, email: first.email.toUpperCase() })
    expect(own.statusCode).toBe(200)
  })

  test('accepts an end only for a suspension, and only in the future', async ({ service, clock }) => {
    const panel = await givenPanel(service)
    const { userId: id } = await service.given.user()
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    const readStatus = async (change: object) => (await panel.patch('/user-update', { id, ...change })).statusCode
    expect(await readStatus({ suspended_until: at(HOUR_MS) })).toBe(422)
    expect(await readStatus({ status: 'suspended', suspended_until: at(-1) })).toBe(422)
    expect(await readStatus({ status: 'banned', suspended_until: at(HOUR_MS) })).toBe(422)
    expect(await readStatus({ status: 'suspended', suspended_until: at(HOUR_MS), status_reason: 'Spam' })).toBe(200)
    const back = await panel.patch('/user-update', { id, status: 'active' })
    expect(back.json().data).toMatchObject({ status: 'active', status_reason: null, suspended_until: null })
    const { history } = (await panel.get(`/user-profile?id=${id}`)).json().data
    expect(history).toMatchObject([
      { from_state: 'suspended', to_state: 'active', note: null },
      { from_state: 'active', to_state: 'suspended', note: 'Spam', actor_id: panel.user.userId },
    ])
  })
})

test('the audit chain holds after all of this', async ({ deps }) => {
  expect((await verifyAudit(deps)).broken).toBeUndefined()
})

function toToken({ authorization }: { authorization: string }): string {
  return authorization.replace('Bearer ', '')
}
