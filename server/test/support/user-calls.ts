import { randomUUID } from 'node:crypto'
import type { Call } from './calls.ts'
import type { Service } from './service.ts'

/** An account to change, one that is deleted, and changes of many: one prepared and one done. */
export type UserWorld = { userId: number; deletedId: number; preparedId: number; doneId: number }

export async function givenUserWorld({ deps, given }: Service): Promise<UserWorld> {
  const { userId } = await given.user()
  const deleted = await given.user()
  const deletion = { deleted_at: new Date(deps.clock.now()), purge_after: new Date(deps.clock.now() + 86_400_000) }
  await deps.db.updateTable('users').set(deletion).where('user_id', '=', deleted.userId).execute()
  const [preparedId, doneId] = [await givenBulk(deps, 'prepared'), await givenBulk(deps, 'done')]
  return { userId, deletedId: deleted.userId, preparedId, doneId }
}

async function givenBulk({ db, clock }: Service['deps'], status: 'prepared' | 'done'): Promise<number> {
  const [created_at, expires_at] = [new Date(clock.now()), new Date(clock.now() + 86_400_000)]
  const { bulk_id } = await db
    .insertInto('bulk_changes')
    .values({ action: 'suspend', status, created_at, expires_at })
    .returning('bulk_id')
    .executeTakeFirstOrThrow()
  return bulk_id
}

export function createUserCalls({ userId, deletedId, preparedId, doneId }: UserWorld): Record<string, Call> {
  const admin = '/api/admin/v1'
  const account = { email: `${randomUUID()}@example.com`, name: 'Ada', password: randomUUID() }
  return {
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
    [`POST ${admin}/users-bulk`]: {
      method: 'POST',
      url: `${admin}/users-bulk`,
      payload: { action: 'activate', ids: [userId] },
      status: 201,
    },
    [`POST ${admin}/users-bulk/:id/start`]: {
      method: 'POST',
      url: `${admin}/users-bulk/${preparedId}/start`,
      status: 202,
    },
    [`POST ${admin}/users-bulk/:id/undo`]: { method: 'POST', url: `${admin}/users-bulk/${doneId}/undo`, status: 202 },
    [`GET ${admin}/users-bulk/:id`]: { method: 'GET', url: `${admin}/users-bulk/${doneId}`, status: 200 },
    [`GET ${admin}/users-bulk/:id/users`]: { method: 'GET', url: `${admin}/users-bulk/${doneId}/users`, status: 200 },
    [`POST ${admin}/user/:id/restore`]: { method: 'POST', url: `${admin}/user/${deletedId}/restore`, status: 200 },
  }
}
