import { describe, expect } from 'vitest'
import { approve, expectApproval, people, test } from '../../../test/support/approvals.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { sweep } from '../../../test/support/sweep.ts'

const HOUR_MS = 3_600_000

describe('A change of many accounts that must be approved', () => {
  test('runs once another administrator approves exactly what was prepared', async ({ service }) => {
    const [author, other] = await people(service)
    const users = [await service.given.user(), await service.given.user()]
    const prepare = (action: string) => author.post('/users-bulk', { action, ids: users.map(({ userId }) => userId) })
    const { id } = (await prepare('suspend')).json().data
    const approval = await expectApproval(service, author, author.post(`/users-bulk/${id}/start`))
    expect(approval['bulk']).toEqual({ id, action: 'suspend', reason: null, accounts: 2 })
    expect((await author.post(`/users-bulk/${id}/start`)).json().code).toBe('INVALID_STATE')
    // It waits for longer than the hour of a change that needs no approval.
    await service.clock.setTime(service.clock.now() + 2 * HOUR_MS)
    await sweep(service.deps)
    expect((await approve(service, other, approval)).json().data.result).toEqual({ bulk_id: id })
    await drain(service)
    expect((await other.get(`/users-bulk/${id}`)).json().data).toMatchObject({ status: 'done', changed: 2 })

    const back = (await prepare('activate')).json().data
    expect((await author.post(`/users-bulk/${back.id}/start`)).json().data).toMatchObject({ status: 'running' })
  })

  test('is not done when its accounts have changed, and may be asked for again after it expired', async ({
    service,
  }) => {
    const [author, other] = await people(service)
    const user = await service.given.user()
    const { id } = (await author.post('/users-bulk', { action: 'delete', ids: [user.userId] })).json().data
    const approval = await expectApproval(service, author, author.post(`/users-bulk/${id}/start`))
    const added = { bulk_id: id, user_id: other.user.userId, from_status: 'active', from_deleted: false } as const
    await service.deps.db
      .insertInto('bulk_items')
      .values({ ...added, to_status: 'active', to_deleted: true })
      .execute()
    expect((await approve(service, other, approval)).json().code).toBe('CONFLICT')
    const { expires_at } = (await author.get(`/users-bulk/${id}`)).json().data
    const waits = { expires_at: new Date(service.clock.now()) }
    await service.deps.db.updateTable('approvals').set(waits).where('approval_id', '=', approval.id).execute()
    const again = await expectApproval(service, author, author.post(`/users-bulk/${id}/start`))
    expect(again.id).not.toBe(approval.id)
    expect(expires_at).toEqual(expect.any(String))
  })
})

describe('A promotion that must be approved', () => {
  test('is approved by another administrator who may give the role and is not its subject', async ({ service }) => {
    const author = await givenPanel(service, 'super_admin')
    const subject = await givenPanel(service, 'admin')
    const { userId } = subject.user
    const long = { has_long_password: true }
    await service.deps.db.updateTable('users').set(long).where('user_id', '=', userId).execute()
    const approval = await expectApproval(
      service,
      author,
      author.patch('/user-update', { id: userId, role: 'super_admin' }),
    )
    expect(approval['role']).toEqual({ user_id: userId, name: subject.user.name, from: 'admin', to: 'super_admin' })
    const twice = await author.patch('/user-update', { id: userId, role: 'super_admin' })
    expect(twice.json().code).toBe('INVALID_STATE')
    expect((await approve(service, subject, approval)).json().code).toBe('CONFLICT')
    expect((await approve(service, await givenPanel(service, 'admin'), approval)).statusCode).toBe(403)
    const second = await givenPanel(service, 'super_admin')
    expect((await approve(service, second, approval)).json().data).toMatchObject({
      status: 'approved',
      result: { user_id: userId },
    })
    const { role } = await service.deps.db
      .selectFrom('users')
      .select('role')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(role).toBe('super_admin')
    // A lower role needs no approval.
    expect((await author.patch('/user-update', { id: userId, role: 'analyst' })).statusCode).toBe(200)
    const made = { email: 'made@example.com', name: 'Made', password: 'a long password', role: 'analyst' }
    expect(Object.keys((await author.post('/admin/create-user', made)).json().errors)).toEqual(['role'])
  })

  test('is not done when the role has changed meanwhile', async ({ service }) => {
    const [author, second] = [await givenPanel(service, 'super_admin'), await givenPanel(service, 'super_admin')]
    const { userId } = await service.given.user({ role: 'analyst' })
    const change = { has_long_password: true }
    await service.deps.db.updateTable('users').set(change).where('user_id', '=', userId).execute()
    const approval = await expectApproval(service, author, author.patch('/user-update', { id: userId, role: 'admin' }))
    await author.patch('/user-update', { id: userId, role: 'user' })
    expect((await approve(service, second, approval)).json().code).toBe('CONFLICT')
  })
})

describe('A change that gives somebody an account with rights', () => {
  const CHANGES: [what: string, change: Record<string, unknown>, prepare?: Record<string, unknown>][] = [
    ['a password', { password: 'a long password of another' }],
    ['an address', { email: 'another@example.com' }],
    ['a role', { role: 'super_admin', password: 'a long password of another' }],
    ['its activity', { status: 'active' }, { status: 'suspended' }],
    ['its activity after a ban', { status: 'inactive' }, { status: 'banned' }],
  ]

  test.for(CHANGES)('waits, and is done exactly: %s', async ([, change, prepare], { service }) => {
    const [author, second] = [await givenPanel(service, 'super_admin'), await givenPanel(service, 'super_admin')]
    const { userId } = await service.given.user({ role: 'admin' })
    const users = service.deps.db.selectFrom('users').selectAll().where('user_id', '=', userId)
    if (prepare) await service.deps.db.updateTable('users').set(prepare).where('user_id', '=', userId).execute()
    const before = await users.executeTakeFirstOrThrow()
    const approval = await expectApproval(service, author, author.patch('/user-update', { id: userId, ...change }))
    const { password, ...fields } = change
    expect(approval['account']).toMatchObject({ user_id: userId, fields, password: password !== undefined })
    expect(JSON.stringify(approval)).not.toMatch(/scrypt|argon|hash/)
    expect(await users.executeTakeFirstOrThrow()).toEqual(before)
    expect((await approve(service, second, approval)).statusCode).toBe(200)
    const after = await users.executeTakeFirstOrThrow()
    expect(after).toMatchObject(fields)
    expect(after.password_hash !== before.password_hash).toBe(password !== undefined)
    const { request } = await service.deps.db
      .selectFrom('approvals')
      .select('request')
      .where('approval_id', '=', approval.id)
      .executeTakeFirstOrThrow()
    expect(request).not.toHaveProperty('secret')
  })

  test('waits when a deleted administrator is restored', async ({ service }) => {
    const [author, second] = [await givenPanel(service, 'super_admin'), await givenPanel(service, 'super_admin')]
    const { userId } = await service.given.user({ role: 'admin' })
    expect((await author.delete(`/user/${userId}`)).statusCode).toBe(200)
    const approval = await expectApproval(service, author, author.post(`/user/${userId}/restore`))
    expect(approval['account']).toMatchObject({ user_id: userId, fields: null })
    expect((await approve(service, second, approval)).statusCode).toBe(200)
    const { deleted_at } = await service.deps.db
      .selectFrom('users')
      .select('deleted_at')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(deleted_at).toBeNull()
  })

  test('is not done by a change of many accounts', async ({ service }) => {
    const author = await givenPanel(service, 'super_admin')
    const { userId } = await service.given.user({ role: 'admin' })
    await service.deps.db.updateTable('users').set({ status: 'suspended' }).where('user_id', '=', userId).execute()
    const { id } = (await author.post('/users-bulk', { action: 'activate', ids: [userId] })).json().data
    await author.post(`/users-bulk/${id}/start`)
    await drain(service)
    expect((await author.get(`/users-bulk/${id}`)).json().data).toMatchObject({ changed: 0, skipped: { CONFLICT: 1 } })
  })

  test('does not wait for what takes power away, nor for accounts without rights', async ({ service }) => {
    const author = await givenPanel(service, 'super_admin')
    const { userId } = await service.given.user({ role: 'admin' })
    for (const change of [{ status: 'suspended' }, { role: 'analyst' }, { name: 'Another' }])
      expect((await author.patch('/user-update', { id: userId, ...change })).statusCode).toBe(200)
    const user = await service.given.user()
    const change = { email: 'user@example.com', password: 'a new password' }
    expect((await author.patch('/user-update', { id: user.userId, ...change })).statusCode).toBe(200)
  })
})
