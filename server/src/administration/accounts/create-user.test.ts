// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { post } from '../../../test/support/accounts.ts'
import { countStatuses } from '../../../test/support/counts.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Role } from '../../platform/tables/tables.ts'
import type { Deps } from '../../deps.ts'

const PASSWORD = 'long enough for everybody'

const account = (name: string, change = {}) => ({
  email: `${name}@example.com`,
  username: name,
  name: `Ms ${name}`,
  password: PASSWORD,
  ...change,
})

describe('making a user', () => {
  test('gives the account with 201, its version and its audit entry, and it can sign in', async ({ service }) => {
    const panel = await givenPanel(service)
    const about = { phone: '+32 9 123', city: 'Ghent', avatar_url: 'https://example.com/a.png', is_test_user: true }
    const answer = await panel.post('/admin/create-user', account('made', about))
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['etag']).toBe('"v1"')
    const { data } = answer.json()
    expect(data).toMatchObject({ ...about, email: 'made@example.com', role: 'user', status: 'active', version: 1 })
    expect(data.user_id).toBe(data.id)
    expect(answer.body).not.toContain('hash')
    expect((await post(service.app, '/api/v1/login', { email: data.email, password: PASSWORD })).statusCode).toBe(200)
    const entry = (await panel.get(`/audit-log?entity=user&entity_id=${data.id}`)).json().data[0]
    expect(entry).toMatchObject({
      action: 'user.create',
      before: null,
      after: { email: 'made@example.com', city: 'Ghent' },
    })
    expect(await readPreference(service.deps, data.id)).toBe('1')
    const { history } = (await panel.get(`/user-profile?id=${data.id}`)).json().data
    expect(history).toMatchObject([{ from_state: null, to_state: 'active', actor: 'administrator' }])
  })

  test('without a username makes one that tells nothing of the address', async ({ service }) => {
    const panel = await givenPanel(service)
    const first = await panel.post('/admin/create-user', account('twin', { username: undefined }))
    const second = await panel.post('/admin/create-user', {
      ...account('x', { username: undefined }),
      email: 'twin@example.org',
    })
    for (const answer of [first, second]) expect(answer.json().data.username).toMatch(/^user-\d{10}$/)
  })

  test('keeps its answer for an Idempotency-Key', async ({ service }) => {
    const panel = await givenPanel(service)
    const once = () => panel.post('/admin/create-user', account('once'), { 'idempotency-key': 'once' })
    const [first, second] = [await once(), await once()]
    expect(second.json()).toEqual(first.json())
    expect(second.statusCode).toBe(201)
  })

  test('refuses a taken address or username in any case, naming each, and those of deleted accounts', async ({
    service,
  }) => {
    const panel = await givenPanel(service)
    const { data } = (await panel.post('/admin/create-user', account('taken'))).json()
    await panel.delete(`/user/${data.id}`)
    const both = await panel.post('/admin/create-user', account('TAKEN'))
    expect(both.statusCode).toBe(409)
    expect(both.json()).toMatchObject({
      code: 'DUPLICATE',
      errors: { email: [expect.any(String)], username: [expect.any(String)] },
    })
    const one = await panel.post('/admin/create-user', account('taken', { email: 'free@example.com' }))
    expect(Object.keys(one.json().errors)).toEqual(['username'])
  })

  test('fifty at once with one address make one account', async ({ service }) => {
    const panel = await givenPanel(service)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        panel.post('/admin/create-user', account(`race${n}`, { email: 'race@example.com' })),
      ),
    )
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 49 })
    expect(answers.filter(({ statusCode }) => statusCode === 409).map((answer) => answer.json().code)).toEqual(
      Array.from({ length: 49 }, () => 'DUPLICATE'),
    )
    expect((await panel.get('/users?search=race@example.com')).json().pagination.total_items).toBe(1)
  })

  test.for<[string, Record<string, unknown>, string]>([
    ['no address', { email: undefined }, 'email'],
    ['what is no address', { email: 'nobody' }, 'email'],
    ['an address of another type', { email: 7 }, 'email'],
    ['a short password', { password: 'short' }, 'password'],
    ['a long password', { password: 'x'.repeat(129) }, 'password'],
    ['an administrator’s short password', { password: 'eleven char', role: 'analyst' }, 'password'],
    ['an unknown role', { role: 'owner' }, 'role'],
    ['an unknown status', { status: 'deleted' }, 'status'],
    ['a name of blanks', { name: '  ' }, 'name'],
    ['NUL in a name', { name: 'a\u0000b' }, 'name'],
    ['a lone surrogate', { city: '\ud800' }, 'city'],
    ['a script as avatar', { avatar_url: 'javascript:alert(1)' }, 'avatar_url'],
    ['its own id', { id: 1 }, 'id'],
    ['a hash', { password_hash: 'x' }, 'password_hash'],
    ['a verified address', { email_verified_at: '2026-01-01T00:00:00Z' }, 'email_verified_at'],
  ])('with %s is 422 on that field and stores nothing', async ([, change, field], { service }) => {
    const panel = await givenPanel(service)
    const answer = await panel.post('/admin/create-user', account('wrong', change))
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([field])
    expect((await panel.get('/users?search=wrong')).json().data).toEqual([])
  })

  test('gives no role above one’s own, and a refusal is in the audit log', async ({ service }) => {
    const admin = await givenPanel(service, 'admin')
    const root = await givenPanel(service, 'super_admin')
    const readStatus = async (panel: typeof admin, role: Role) =>
      (await panel.post('/admin/create-user', account(`${role}-${panel.user.userId}`, { role }))).statusCode
    expect(await readStatus(admin, 'moderator')).toBe(201)
    expect(await readStatus(admin, 'admin')).toBe(201)
    expect(await readStatus(admin, 'super_admin')).toBe(403)
    expect(await readStatus(root, 'admin')).toBe(201)
    expect(await readStatus(root, 'super_admin')).toBe(201)
    const denied = await admin.get(`/audit-log?action=denied&actor_id=${admin.user.userId}`)
    expect(denied.json().pagination.total_items).toBe(1)
  })
})

async function readPreference({ db }: Deps, userId: number): Promise<string | undefined> {
  const setting = await db
    .selectFrom('user_settings')
    .select('setting_value')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return setting?.setting_value
}
