import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { updateUser } from './change-user.ts'
import { deleteUser } from './deletion.ts'
import { commitWorkBy } from '../../../test/support/commit.ts'

describe('who may change which account', () => {
  test('an administrator can change accounts of lower roles, but not of the same role, and harmless fields of their own', async ({
    service,
  }) => {
    const admin = await givenPanel(service, 'admin')
    const peer = await givenPanel(service, 'admin')
    const root = await givenPanel(service, 'super_admin')
    const { userId } = await service.given.user({ role: 'moderator' })
    const readStatus = async (panel: typeof admin, id: number, change: object) =>
      (await panel.patch('/user-update', { id, ...change })).statusCode
    expect(await readStatus(admin, userId, { role: 'analyst' })).toBe(200)
    expect(await readStatus(admin, userId, { role: 'super_admin' })).toBe(403)
    expect(await readStatus(admin, userId, { role: 'admin', password: 'a new one for an admin' })).toBe(200)
    expect(await readStatus(admin, userId, { role: 'analyst' })).toBe(403)
    expect(await readStatus(admin, peer.user.userId, { name: 'Peer' })).toBe(403)
    expect(await readStatus(admin, root.user.userId, { name: 'Root' })).toBe(403)
    const own = admin.user.userId
    expect(await readStatus(admin, own, { role: 'super_admin' })).toBe(403)
    expect(await readStatus(admin, own, { is_test_user: true })).toBe(403)
    expect(await readStatus(admin, own, { status: 'banned' })).toBe(403)
    expect(await readStatus(root, root.user.userId, { status: 'inactive' })).toBe(409)
    expect(await readStatus(root, peer.user.userId, { role: 'moderator' })).toBe(200)
    expect(await readStatus(admin, own, { name: 'Myself', city: 'Ghent' })).toBe(200)
    expect(await readStatus(admin, own, { password: 'another good password' })).toBe(422)
  })

  test('one super administrator always remains, also when two remove each other at once', async ({ service }) => {
    await service.deps.db.updateTable('users').set({ role: 'user' }).where('role', '=', 'super_admin').execute()
    const [one, other] = [await givenPanel(service, 'super_admin'), await givenPanel(service, 'super_admin')]
    const target = (panel: Panel) => ({ sessions: service.deps.sessions, userId: panel.user.userId })
    const supers = service.deps.db.selectFrom('users').select('user_id').where('role', '=', 'super_admin')
    for (let round = 0; round < 15; round++) {
      await service.deps.db
        .updateTable('users')
        .set({ role: 'super_admin', deleted_at: null, purge_after: null })
        .where('user_id', 'in', [one.user.userId, other.user.userId])
        .execute()
      // Calls the rule, because over HTTP the first call would have signed the second out.
      const removals = await Promise.allSettled([
        commitWorkBy(by(one), service.deps, updateUser, { ...target(other), fields: { role: 'user' } }),
        commitWorkBy(by(other), service.deps, deleteUser, target(one)),
      ])
      expect(removals.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(removals.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
    }
    const left = await supers.where('deleted_at', 'is', null).execute()
    expect(left).toHaveLength(1)
    const demotion = await service.app.inject({
      method: 'PATCH',
      url: '/api/admin/v1/user-update',
      headers: await signedInAgain(service, left[0]?.user_id ?? 0),
      payload: { id: left[0]?.user_id, role: 'admin' },
    })
    expect(demotion.json()).toMatchObject({
      code: 'CONFLICT',
      error: expect.stringContaining('last super administrator'),
    })
  })
})

function by(panel: Panel) {
  return { ...THE_SERVICE, userId: panel.user.userId, role: 'super_admin' } as const
}

async function signedInAgain({ deps }: Service, userId: number) {
  const { token } = await deps.sessions.open({ userId })
  return { authorization: `Bearer ${token}` }
}
