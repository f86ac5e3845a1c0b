import { randomUUID } from 'node:crypto'
import type { Call } from './calls.ts'
import type { Service } from './service.ts'

/** An account to change, and one that is deleted. */
export type UserWorld = { userId: number; deletedId: number }

export async function givenUserWorld({ deps, given }: Service): Promise<UserWorld> {
  const { userId } = await given.user()
  const deleted = await given.user()
  const deletion = { deleted_at: new Date(deps.clock.now()), purge_after: new Date(deps.clock.now() + 86_400_000) }
  await deps.db.updateTable('users').set(deletion).where('user_id', '=', deleted.userId).execute()
  return { userId, deletedId: deleted.userId }
}

export function userCallsOf({ userId, deletedId }: UserWorld): Record<string, Call> {
  const admin = '/api/admin/v1'
  const account = { email: `${randomUUID()}@example.com`, name: 'Ada', password: randomUUID() }
  return {
    [`GET ${admin}/users`]: { method: 'GET', url: `${admin}/users`, status: 200 },
    [`GET ${admin}/user-profile`]: { method: 'GET', url: `${admin}/user-profile`, status: 200 },
    [`POST ${admin}/admin/create-user`]: {
      method: 'POST',
      url: `${admin}/admin/create-user`,
      payload: account,
      status: 201,
    },
    [`PATCH ${admin}/user-update`]: {
      method: 'PATCH',
      url: `${admin}/user-update`,
      payload: { id: userId, city: 'Ghent' },
      status: 200,
    },
    [`DELETE ${admin}/user/:id`]: { method: 'DELETE', url: `${admin}/user/${userId}`, status: 200 },
    [`POST ${admin}/user/:id/restore`]: { method: 'POST', url: `${admin}/user/${deletedId}/restore`, status: 200 },
  }
}
