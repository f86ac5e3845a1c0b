import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { hold } from '../../../test/support/holds.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { listPlans } from './catalogue.queries.ts'
import { startSubscription } from '../../marketplace/subscriptions/subscriptions.ts'

type Category = { id: number; parent_id: number | null; name: string; is_used?: boolean }

async function added(panel: Panel, parent_id: number | null = null): Promise<number> {
  const answer = await panel.post('/categories', { name: 'Lamps', slug: randomUUID(), parent_id })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ data: Category }>().data.id
}

async function actionsOn({ deps }: Service, entity: string, id: number): Promise<string[]> {
  const entries = deps.db.selectFrom('audit_log').select('action').where('entity', '=', entity)
  return (await entries.where('entity_id', '=', id).orderBy('audit_id').execute()).map(({ action }) => action)
}

describe('categories', () => {
  test('are added, renamed, moved and deleted, each with an audit entry', async ({ service }) => {
    const panel = await givenPanel(service)
    const [top, other] = [await added(panel), await added(panel)]
    const below = await added(panel, top)
    expect((await panel.patch(`/categories/${below}`, { name: 'Desk lamps', parent_id: other })).json()).toMatchObject({
      data: { id: below, parent_id: other, name: 'Desk lamps' },
    })
    expect((await panel.delete(`/categories/${top}`)).statusCode).toBe(200)
    expectError(await panel.delete(`/categories/${top}`), 404, 'NOT_FOUND')
    expect(await actionsOn(service, 'category', below)).toEqual(['category.create', 'category.update'])
    expect(await actionsOn(service, 'category', top)).toEqual(['category.create', 'category.delete'])
    const { data } = (await panel.get('/categories?per_page=100')).json<{ data: Category[] }>()
    expect(data).toContainEqual(expect.objectContaining({ id: other, is_used: true }))
    expect(data).toContainEqual(expect.objectContaining({ id: below, is_used: false }))
  })

  test('that contain a product or a category are not deleted', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const [full, parent] = [await added(panel), await added(panel)]
    await added(panel, parent)
    await givenProduct(deps, await service.given.user(), { category_id: full, deleted_at: new Date() })
    for (const id of [full, parent]) expectError(await panel.delete(`/categories/${id}`), 409, 'CONFLICT')
  })

  test('are in use while others see a product in them, though its owner has moved it', async ({
    service,
    app,
    deps,
  }) => {
    const panel = await givenPanel(service)
    const [shown, moved] = [await added(panel), await added(panel)]
    const owner = await service.given.user()
    const id = await givenProduct(deps, owner, { category_id: shown })
    const payload = { category_id: moved }
    await app.inject({ method: 'PATCH', url: `/api/v1/products/${id}`, headers: owner.headers, payload })
    const { data } = (await panel.get('/categories?per_page=100')).json<{ data: Category[] }>()
    expect(data).toContainEqual(expect.objectContaining({ id: shown, is_used: true }))
    expectError(await panel.delete(`/categories/${shown}`), 409, 'CONFLICT')
  })

  test('take no product once somebody deletes them, at the same moment too', async ({ service, app }) => {
    const panel = await givenPanel(service)
    const { headers } = await service.given.user()
    const product = { title: 'A lamp', description: 'It shines', condition: 'good', category_id: await added(panel) }
    const other = { ...product, category_id: await added(panel) }
    const created = await app.inject({ method: 'POST', url: '/api/v1/products', headers, payload: other })
    const url = `/api/v1/products/${created.json<{ data: { id: number } }>().data.id}`
    const { category_id } = product
    const { untilWaiting, commit } = await hold(service, `delete from categories where category_id = ${category_id}`)
    const answers = [
      app.inject({ method: 'POST', url: '/api/v1/products', headers, payload: product }),
      app.inject({ method: 'PATCH', url, headers, payload: { category_id } }),
    ]
    await Promise.all([untilWaiting(2).then(commit), ...answers])
    for (const answer of answers) expectInvalid(await answer, 'category_id')
  })

  test('stay a tree of five levels, also when two are moved into each other at once', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const [one, two] = [await added(panel), await added(panel)]
    const moves = await Promise.all([
      panel.patch(`/categories/${one}`, { parent_id: two }),
      panel.patch(`/categories/${two}`, { parent_id: one }),
    ])
    expect(moves.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
    expectInvalid(await panel.patch(`/categories/${one}`, { parent_id: one }), 'parent_id')
    expectInvalid(await panel.patch(`/categories/${one}`, { parent_id: 987_654_321 }), 'parent_id')
    let id = await added(panel)
    const first = id
    for (let level = 2; level <= 5; level++) id = await added(panel, id)
    expectInvalid(await panel.post('/categories', { name: 'x', slug: randomUUID(), parent_id: id }), 'parent_id')
    expectInvalid(await panel.patch(`/categories/${first}`, { parent_id: await added(panel) }), 'parent_id')
    expect(
      await deps.db.selectFrom('categories').select('parent_id').where('category_id', '=', first).execute(),
    ).toEqual([{ parent_id: null }])
  })

  test.for<[string, string, object]>([
    ['no name', 'name', { slug: 'x' }],
    ['no slug', 'slug', { name: 'x' }],
    ['a slug with a space', 'slug', { name: 'x', slug: 'a b' }],
    ['an unknown field', 'more', { name: 'x', slug: 'x', more: 1 }],
  ])('refuse %s', async ([, field, payload], { service }) => {
    expectInvalid(await (await givenPanel(service)).post('/categories', { ...payload }), field)
  })

  test('have a slug each, and are not for moderators', async ({ service }) => {
    const panel = await givenPanel(service)
    const slug = randomUUID()
    expect((await panel.post('/categories', { name: 'x', slug })).statusCode).toBe(201)
    expectError(await panel.post('/categories', { name: 'x', slug }), 409, 'DUPLICATE')
    expectInvalid(await panel.patch(`/categories/${await added(panel)}`, {}), 'body')
    expectError(await (await givenPanel(service, 'moderator')).get('/categories'), 403, 'FORBIDDEN')
  })
})

describe('plans', () => {
  test('are added and changed; once somebody has subscribed, their name alone', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const plan = wish()
    const { id } = (await panel.post('/plans', plan)).json<{ data: { id: number } }>().data
    expectError(await panel.post('/plans', plan), 409, 'DUPLICATE')
    expect((await panel.patch(`/plans/${id}`, { price_cents: 600 })).json()).toMatchObject({
      data: { price_cents: 600, is_used: false },
    })
    await commitWork(deps, startSubscription, {
      userId: (await service.given.user()).userId,
      planCode: plan.code,
      provider: 'manual',
      externalId: randomUUID(),
      status: 'active',
      currentPeriodEnd: new Date(deps.clock.now() + 86_400_000),
    })
    for (const change of [{ price_cents: 700 }, { currency: 'USD' }, { period: 'year' }])
      expectError(await panel.patch(`/plans/${id}`, change), 409, 'CONFLICT')
    expect((await panel.patch(`/plans/${id}`, { name: 'More', price_cents: 600 })).json()).toMatchObject({
      data: { name: 'More', price_cents: 600, is_used: true },
    })
    expect(await actionsOn(service, 'plan', id)).toEqual(['plan.create', 'plan.update', 'plan.update'])
    expectError(await panel.patch('/plans/999999999', { name: 'x' }), 404, 'NOT_FOUND')
    expectInvalid(await panel.post('/plans', { ...wish(), currency: 'euro' }), 'currency')
    expectInvalid(await panel.post('/plans', { ...wish(), price_cents: -1 }), 'price_cents')
    expect((await panel.get('/plans')).json<{ data: object[] }>().data.length).toBeGreaterThan(0)
  })

  test('are listed without reading every subscription, used or not', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const [used, unused] = [wish(), wish()]
    for (const plan of [used, unused]) expect((await panel.post('/plans', plan)).statusCode).toBe(201)
    await deps.pool.query(
      `insert into subscriptions (plan_id, status, provider, external_id, current_period_end, started_at, created_at, updated_at)
      select plan_id, 'expired', 'manual', gen_random_uuid(), now(), now(), now(), now()
      from plans, generate_series(1, 20000) where code = $1`,
      [used.code],
    )
    await deps.pool.query('analyze subscriptions')
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    await listPlans(watch.deps.db, { perPage: 20, offset: 0 })
    expect(watch.plans.length).toBeGreaterThan(1)
    expect(scannedBy(watch.plans)).not.toContain('subscriptions')
  })
})

describe('groups for administrators', () => {
  test('are found, shown with their members, and archived', async ({ service }) => {
    const [panel, owner] = [await givenPanel(service, 'moderator'), await service.given.user()]
    const payload = { name: 'Hidden chandeliers', visibility: 'private' }
    const made = await service.app.inject({ method: 'POST', url: '/api/v1/groups', headers: owner.headers, payload })
    const { id } = made.json<{ data: { id: number } }>().data
    expect((await panel.get('/groups?search=chandelier&visibility=private&status=active')).json()).toMatchObject({
      data: [{ id, name: 'Hidden chandeliers', owner: { id: owner.userId }, member_count: 1 }],
      pagination: { total_items: 1 },
    })
    expect((await panel.get('/groups?search=chandelier&status=archived')).json()).toMatchObject({ data: [] })
    expectInvalid(await panel.get('/groups?status=new'), 'status')
    expect((await panel.get(`/groups/${id}`)).json()).toMatchObject({
      data: [{ user_id: owner.userId, role: 'owner', status: 'approved' }],
      group: { id },
    })
    expectError(await panel.get('/groups/999999999'), 404, 'NOT_FOUND')
    expect((await panel.post(`/groups/${id}/archive`)).json()).toMatchObject({ data: { id, status: 'archived' } })
    expectError(await panel.post(`/groups/${id}/archive`), 404, 'NOT_FOUND')
    expect(await actionsOn(service, 'group', id)).toEqual(['group.archive'])
    expectError(await (await givenPanel(service, 'analyst')).get('/groups'), 403, 'FORBIDDEN')
  })
})

describe('DELETE /api/admin/v1/user/{id}/sessions/{session_id}', () => {
  test('ends one session of a user and no other, at once', async ({ service, deps }) => {
    const [panel, user] = [await givenPanel(service), await service.given.user()]
    const { token } = await deps.sessions.open({ userId: user.userId })
    const other = { headers: { authorization: `Bearer ${token}` } }
    const readStatus = async ({ headers }: { headers: { authorization: string } }) =>
      (await service.app.inject({ url: '/api/v1/me', headers })).statusCode
    expect([await readStatus(user), await readStatus(other)]).toEqual([200, 200])
    const { sessionId } = await deps.sessions.authenticate(token)
    expect((await panel.delete(`/user/${user.userId}/sessions/${sessionId}`)).json()).toMatchObject({
      data: { user_id: user.userId, session_id: sessionId },
    })
    expect([await readStatus(user), await readStatus(other)]).toEqual([200, 401])
    expectError(await panel.delete(`/user/${user.userId}/sessions/${sessionId}`), 404, 'NOT_FOUND')
    expect(await actionsOn(service, 'user', user.userId)).toEqual(['user.session-end'])
  })

  test('is refused for an account of the same role, and for a session of another account', async ({
    service,
    deps,
  }) => {
    const [panel, equal, user] = [await givenPanel(service), await service.given.admin(), await service.given.user()]
    const readSession = async (headers: { authorization: string }) =>
      (await deps.sessions.authenticate(headers.authorization.slice(7))).sessionId
    const equals = await readSession(equal.headers)
    expectError(await panel.delete(`/user/${equal.userId}/sessions/${equals}`), 403, 'FORBIDDEN')
    expectError(await panel.delete(`/user/${user.userId}/sessions/${equals}`), 404, 'NOT_FOUND')
    expectInvalid(await panel.delete(`/user/${user.userId}/sessions/none`), 'session_id')
  })
})

function wish() {
  return { code: randomUUID(), name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' }
}
