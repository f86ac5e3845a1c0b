import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel } from '../../../test/support/panel.ts'

const PATH = '/user-profile'

test('one’s own profile needs no id and is for every role of the panel', async ({ service }) => {
  for (const role of ['analyst', 'moderator', 'admin', 'super_admin'] as const) {
    const panel = await givenPanel(service, role)
    const { userId } = panel.user
    const answer = await panel.get(PATH)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['etag']).toBe('"v1"')
    expect(answer.json().data).toMatchObject({ id: userId, role, devices: [], subscription: null, history: [] })
    expect(answer.json().data.sessions).toHaveLength(1)
    expect((await panel.get(`${PATH}?id=${userId}`)).json().data.id).toBe(userId)
  }
})

test('another’s profile needs the right to users, and the audit log keeps who tried without', async ({ service }) => {
  const other = await service.given.user()
  const moderator = await givenPanel(service, 'moderator')
  const refused = await moderator.get(`${PATH}?id=${other.userId}`)
  expect(refused.json()).toMatchObject({ code: 'FORBIDDEN' })
  expect((await moderator.get(`${PATH}?id=999999999`)).statusCode).toBe(403)
  const admin = await givenPanel(service)
  const denied = await admin.get(`/audit-log?action=denied&actor_id=${moderator.user.userId}&entity_id=${other.userId}`)
  expect(denied.json().data).toHaveLength(1)
  expect((await admin.get(`${PATH}?id=999999999`)).statusCode).toBe(404)
  for (const id of ['0', '-1', 'me', '1.5', '99999999999999999999'])
    expectInvalid(await admin.get(`${PATH}?id=${id}`), 'id')
})

test('a profile has open sessions, phones without tokens, the subscription and the history', async ({
  service,
  clock,
}) => {
  const { deps, given } = service
  const panel = await givenPanel(service)
  const user = await given.user({ devices: [{ platform: 'android' }, { platform: 'ios' }] })
  const [phone, old] = user.devices
  await deps.db
    .updateTable('mobile_devices')
    .set({ removed_at: new Date() })
    .where('id', '=', old?.id ?? 0)
    .execute()
  await deps.sessions.open({ userId: user.userId })
  const now = new Date(clock.now())
  const { plan_id } = await deps.db
    .insertInto('plans')
    .values({ code: 'plus', name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' })
    .returning('plan_id')
    .executeTakeFirstOrThrow()
  const paid = {
    user_id: user.userId,
    plan_id,
    provider: 'stripe',
    current_period_end: now,
    created_at: now,
    updated_at: now,
  } as const
  await deps.db
    .insertInto('subscriptions')
    .values([
      { ...paid, status: 'active', external_id: 'one', started_at: now },
      { ...paid, status: 'expired', external_id: 'two', started_at: now },
    ])
    .execute()
  const devices = [{ id: phone?.id, platform: 'android', last_seen_at: now.toISOString() }]
  expect((await panel.get(`${PATH}?id=${user.userId}`)).json().data.devices).toEqual(devices)
  await panel.patch('/user-update', { id: user.userId, status: 'inactive' })
  const answer = await panel.get(`${PATH}?id=${user.userId}`)
  const { data } = answer.json()
  expect(answer.headers['etag']).toBe('"v2"')
  expect(data.sessions).toEqual([])
  // The change ended the sessions, and with them the phones (decision B27).
  expect(data.devices).toEqual([])
  expect(data.subscription).toMatchObject({ plan: 'plus', status: 'active', current_period_end: now.toISOString() })
  expect(data.history).toEqual([
    {
      from_state: 'active',
      to_state: 'inactive',
      actor: 'administrator',
      actor_id: panel.user.userId,
      note: null,
      at: now.toISOString(),
    },
  ])
  expect(answer.body).not.toMatch(/PushToken|hash/)
})
