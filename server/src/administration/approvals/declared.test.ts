// Slow: every route, called by everybody or in many ways.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/approvals.ts'
import { allowedHeaders, make } from '../../../test/support/callers.ts'
import { createCalls, givenWorld } from '../../../test/support/calls.ts'
import { usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'

const CONTENT = { title: 'To many', text: 'Swap weekend' }
const WAITS = '202 waiting'
const REFUSED = '409 INVALID_STATE'

type Request = { url: string; payload?: object; answers: string }

/** Gives, for each route that declares an approval, a request that needs one, and what it is answered without. */
async function needy(service: Service, root: Panel): Promise<Record<string, Request>> {
  const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
  const [first] = users
  const { userId: deleted } = (await givenPanel(service)).user
  await root.delete(`/user/${deleted}`)
  const bulk = await root.post('/users-bulk', { action: 'suspend', ids: users })
  const { id } = bulk.json<{ data: { id: number } }>().data
  const activation = (await root.post('/users-bulk', { action: 'activate', ids: users })).json().data.id as number
  await root.post(`/users-bulk/${activation}/start`)
  await drain(service)
  await service.deps.db
    .updateTable('users')
    .set({ is_test_user: true, has_long_password: true })
    .where('user_id', 'in', users)
    .execute()
  const v1 = '/api/admin/v1'
  const named = { ...CONTENT, user_ids: users }
  const person = { email: `new-${first}@example.com`, name: 'Ada', password: 'a rather long secret of hers' }
  const query = `user_id=${first}&title=Hello&text=There`
  return {
    [`POST ${v1}/admin/create-user`]: {
      url: `${v1}/admin/create-user`,
      payload: { ...person, role: 'admin' },
      answers: '422 VALIDATION_ERROR',
    },
    [`PATCH ${v1}/user-update`]: { url: `${v1}/user-update`, payload: { id: first, role: 'analyst' }, answers: WAITS },
    [`POST ${v1}/user/:id/restore`]: { url: `${v1}/user/${deleted}/restore`, answers: WAITS },
    [`POST ${v1}/users-bulk/:id/start`]: { url: `${v1}/users-bulk/${id}/start`, answers: WAITS },
    [`POST ${v1}/users-bulk/:id/undo`]: { url: `${v1}/users-bulk/${activation}/undo`, answers: '409 CONFLICT' },
    'POST /api/admin/send-notification-all': {
      url: '/api/admin/send-notification-all',
      payload: CONTENT,
      answers: WAITS,
    },
    'POST /api/admin/send-notification-sandbox': {
      url: '/api/admin/send-notification-sandbox',
      payload: CONTENT,
      answers: REFUSED,
    },
    'POST /api/admin/send-notification': { url: '/api/admin/send-notification', payload: named, answers: REFUSED },
    'POST /api/admin/send-notification/approval': {
      url: '/api/admin/send-notification/approval',
      payload: named,
      answers: WAITS,
    },
    'POST /api/admin/send-system-notification': {
      url: '/api/admin/send-system-notification',
      payload: named,
      answers: WAITS,
    },
    'GET /api/send-test-notification': { url: `/api/send-test-notification?${query}`, answers: REFUSED },
    'POST /api/send-test-notification': {
      url: '/api/send-test-notification',
      payload: { user_id: first, title: 'Hello', text: 'There' },
      answers: REFUSED,
    },
  }
}

describe('A route that changes an administrator or sends to many', () => {
  test('declares the approval that it needs, and does nothing without it', async ({ service }) => {
    const root = await givenPanel(service, 'super_admin')
    const requests = await needy(service, root)
    const declared = service.routes.filter(({ approval }) => approval !== undefined)
    expect(declared.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(Object.keys(requests).toSorted())
    // Tests of one person at a time have used up what one administrator reaches alone.
    for (const { userId } of await usersWithPhones(service, 2))
      await service.app.inject({
        url: `/api/send-test-notification?user_id=${userId}&title=Hello&text=There`,
        headers: root.user.headers,
      })
    const before = await readState(service)
    for (const [name, { url, payload, answers }] of Object.entries(requests)) {
      const [method] = name.split(' ') as ['GET' | 'POST' | 'PATCH']
      const answer = await service.app.inject({ method, url, headers: root.user.headers, ...(payload && { payload }) })
      const { code, data } = answer.json<{ code?: string; data?: { approval?: { status: string } } }>()
      expect.soft(`${answer.statusCode} ${code ?? data?.approval?.status}`, `${name} ${answer.body}`).toBe(answers)
    }
    expect(await readState(service)).toEqual(before)
  })

  test('is the only kind that does: no other call of an administrator changes one, or reaches many', async ({
    service,
  }) => {
    const world = await givenWorld(service)
    const calls = Object.entries(createCalls(world))
    const before = await readState(service)
    for (const [name, call] of calls) {
      const route = service.routes.find(({ method, url }) => `${method} ${url}` === name)
      if (route?.approval !== undefined || !route?.url.startsWith('/api/admin/')) continue
      // It carries out what another asked for.
      if (name === 'POST /api/admin/approvals/:id/approve') continue
      await make(service, call, await allowedHeaders(service, world, name))
      expect.soft(await readState(service), name).toEqual(before)
    }
  })
})

/** Whoever has rights, and what was sent to more than one administrator may reach alone. */
async function readState({ deps: { db, config } }: Service) {
  const { rows: people } = await sql`
    select user_id, role, email, password_hash from users
    where role <> 'user' and status = 'active' and deleted_at is null order by user_id`.execute(db)
  const { rows: sends } = await sql`
    select message_id from messages m
    where audience <> 'users' or ${config.APPROVAL_RECIPIENTS} < (
      select count(*) from batches b cross join unnest(b.user_ids) where b.message_id = m.message_id)
    order by message_id`.execute(db)
  return { people, sends }
}
