import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel, tally, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { deleteExpiredBulks } from './bulk.queries.ts'
import { runBulk } from './run-bulk.ts'

const test = base.extend<'panel', Panel>('panel', ({ service }) => givenPanel(service))

type Bulk = { id: number; status: string; selected: number; waiting: number; changed: number; skipped: object }

async function prepared(panel: Panel, payload: Record<string, unknown>): Promise<Bulk> {
  const answer = await panel.post('/users-bulk', payload)
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json<{ data: Bulk }>().data
}

async function run(service: Service, panel: Panel, id: number): Promise<Bulk> {
  expect((await panel.post(`/users-bulk/${id}/start`)).statusCode).toBe(202)
  await drain(service)
  return readBulk(panel, id)
}

async function readBulk(panel: Panel, id: number): Promise<Bulk> {
  return (await panel.get(`/users-bulk/${id}`)).json<{ data: Bulk }>().data
}

function toStates({ deps }: Service, userIds: number[]) {
  return deps.db
    .selectFrom('users')
    .select(['user_id', 'status', 'status_reason', 'suspended_until', 'deleted_at'])
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .execute()
}

async function givenUsers({ given }: Service, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await given.user()).userId)
  return ids
}

describe('a change of many accounts', () => {
  test('lists before the start the accounts that it will not change and why, and changes nothing yet', async ({
    service,
    panel,
  }) => {
    const [active, suspended, deleted] = await givenUsers(service, 3)
    const superAdmin = await service.given.user({ role: 'super_admin' })
    await panel.patch('/user-update', { id: suspended, status: 'suspended' })
    await panel.delete(`/user/${deleted}`)
    const ids = [active, suspended, deleted, superAdmin.userId, panel.user.userId]
    const before = await toStates(service, ids as number[])
    const bulk = await prepared(panel, { action: 'suspend', ids })
    expect(bulk).toMatchObject({
      status: 'prepared',
      selected: 5,
      waiting: 1,
      changed: 0,
      skipped: { UNCHANGED: 1, DELETED: 1, NO_RIGHT: 1, OWN_ACCOUNT: 1 },
    })
    expect(await toStates(service, ids as number[])).toEqual(before)
  })

  test('changes each account as a change of one does: sessions end, the reason is kept, the log has both', async ({
    service,
    panel,
  }) => {
    const users = [await service.given.user(), await service.given.user()]
    const ids = users.map(({ userId }) => userId)
    const { id } = await prepared(panel, { action: 'suspend', ids, reason: 'Sold forgeries' })
    expect(await run(service, panel, id)).toMatchObject({ status: 'done', selected: 2, waiting: 0, changed: 2 })
    expect(await toStates(service, ids)).toMatchObject([
      { status: 'suspended', status_reason: 'Sold forgeries' },
      { status: 'suspended', status_reason: 'Sold forgeries' },
    ])
    const seen = await service.app.inject({ url: '/api/user/settings', headers: users[0]!.headers })
    expect(seen.statusCode).toBe(401)
    const entries = await service.deps.db
      .selectFrom('audit_log')
      .select(['action', 'entity_id', 'actor_id'])
      .where('actor_id', '=', panel.user.userId)
      .where('action', 'in', ['users.bulk', 'user.update'])
      .orderBy('audit_id')
      .execute()
    expect(entries).toEqual([
      { action: 'users.bulk', entity_id: id, actor_id: panel.user.userId },
      ...ids.map((entity_id) => ({ action: 'user.update', entity_id, actor_id: panel.user.userId })),
    ])
  })

  test('applies to the accounts that matched when it was prepared, not to later ones', async ({ service, panel }) => {
    const city = `find-${Date.now()}`
    const first = await service.given.user({ name: `${city} one` })
    const { id } = await prepared(panel, { action: 'suspend', filter: { search: city } })
    const second = await service.given.user({ name: `${city} two` })
    expect(await run(service, panel, id)).toMatchObject({ selected: 1, changed: 1 })
    expect(await toStates(service, [first.userId, second.userId])).toMatchObject([
      { status: 'suspended' },
      { status: 'active' },
    ])
  })

  test('skips accounts whose state somebody changed after the selection', async ({ service, panel }) => {
    const [kept, changed] = (await givenUsers(service, 2)) as [number, number]
    const { id } = await prepared(panel, { action: 'delete', ids: [kept, changed] })
    await panel.patch('/user-update', { id: changed, status: 'inactive' })
    expect(await run(service, panel, id)).toMatchObject({ changed: 1, skipped: { CHANGED_SINCE: 1 } })
    const [one, other] = await toStates(service, [kept, changed])
    expect([one?.deleted_at !== null, other?.deleted_at !== null]).toEqual([true, false])
    const rows = await panel.get(`/users-bulk/${id}/users?outcome=skipped`)
    expect(rows.json()).toMatchObject({
      data: [{ user: { id: changed }, outcome: 'skipped', code: 'CHANGED_SINCE' }],
      pagination: { total_items: 1 },
    })
  })

  test('is taken back once: each account gets the state, reason and end that it had', async ({ service, panel }) => {
    const [active, suspended, touched] = (await givenUsers(service, 3)) as [number, number, number]
    const until = new Date(service.clock.now() + 86_400_000).toISOString()
    await panel.patch('/user-update', {
      id: suspended,
      status: 'suspended',
      status_reason: 'Late',
      suspended_until: until,
    })
    const before = await toStates(service, [active, suspended, touched])
    const first = await prepared(panel, { action: 'delete', ids: [active, suspended, touched] })
    await run(service, panel, first.id)
    await panel.post(`/user/${touched}/restore`)
    const undo = await panel.post(`/users-bulk/${first.id}/undo`)
    expect(undo.statusCode).toBe(202)
    await drain(service)
    const done = await readBulk(panel, undo.json<{ data: Bulk }>().data.id)
    expect(done).toMatchObject({ action: 'undo', changed: 2, skipped: { CHANGED_SINCE: 1 }, undoes: first.id })
    expect(await toStates(service, [active, suspended, touched])).toEqual(before)

    const second = await prepared(panel, { action: 'activate', ids: [suspended] })
    await run(service, panel, second.id)
    const back = await panel.post(`/users-bulk/${second.id}/undo`)
    await drain(service)
    expect(await toStates(service, [active, suspended, touched])).toEqual(before)
    expect((await panel.post(`/users-bulk/${second.id}/undo`)).json()).toMatchObject({ code: 'INVALID_STATE' })
    const again = back.json<{ data: Bulk }>().data.id
    expect((await panel.post(`/users-bulk/${again}/undo`)).json()).toMatchObject({ code: 'INVALID_STATE' })
  })

  test('leaves an account whose state was changed and changed back since', async ({ service, panel }) => {
    const [id] = (await givenUsers(service, 1)) as [number]
    const setStatus = (status: string, note: string) => panel.patch('/user-update', { id, status, status_reason: note })
    const selected = await prepared(panel, { action: 'delete', ids: [id] })
    await service.clock.tick(1_000)
    for (const status of ['suspended', 'active']) await setStatus(status, 'A complaint')
    expect(await run(service, panel, selected.id)).toMatchObject({ changed: 0, skipped: { CHANGED_SINCE: 1 } })
    const first = await prepared(panel, { action: 'suspend', ids: [id], reason: 'One of many' })
    await run(service, panel, first.id)
    await service.clock.tick(1_000)
    for (const status of ['active', 'suspended']) await setStatus(status, 'A fraud')
    await service.deps.db.updateTable('bulk_changes').set('finished_at', new Date(service.clock.now())).execute()
    const undo = (await panel.post(`/users-bulk/${first.id}/undo`)).json<{ data: Bulk }>().data
    await drain(service)
    expect(await readBulk(panel, undo.id)).toMatchObject({ changed: 0, skipped: { CHANGED_SINCE: 1 } })
    expect(await toStates(service, [id])).toMatchObject([{ status: 'suspended', status_reason: 'A fraud' }])
  })

  test('is started once, also by two at once, and taken back once by two at once', async ({ service, panel }) => {
    const { id } = await prepared(panel, { action: 'suspend', ids: await givenUsers(service, 2) })
    const both = (path: string) => Promise.all([panel.post(path), panel.post(path)])
    expect(tally(await both(`/users-bulk/${id}/start`))).toEqual({ 202: 1, 409: 1 })
    await drain(service)
    expect(tally(await both(`/users-bulk/${id}/undo`))).toEqual({ 202: 1, 409: 1 })
  })

  test('cannot be taken back before it is done, nor started after its hour', async ({ service, panel }) => {
    const { id } = await prepared(panel, { action: 'suspend', ids: await givenUsers(service, 1) })
    expect((await panel.post(`/users-bulk/${id}/undo`)).json()).toMatchObject({ code: 'INVALID_STATE' })
    await service.clock.setTime(service.clock.now() + 3_600_001)
    expect((await panel.post(`/users-bulk/${id}/start`)).statusCode).toBe(404)
  })

  test('is forgotten after a week, but not while it is taken back', async ({ service, panel }) => {
    const ids = await givenUsers(service, 3)
    const before = await toStates(service, ids)
    const { id } = await prepared(panel, { action: 'suspend', ids })
    await run(service, panel, id)
    await service.clock.setTime(service.clock.now() + 7 * 86_400_000 - 1_000)
    const later = await givenPanel(service)
    const undo = await later.post(`/users-bulk/${id}/undo`)
    expect(undo.statusCode).toBe(202)
    await service.clock.setTime(service.clock.now() + 2_000)
    await deleteExpiredBulks(service.deps.db, new Date(service.clock.now()))
    await drain(service)
    expect(await toStates(service, ids)).toEqual(before)
    expect(await readBulk(later, undo.json<{ data: Bulk }>().data.id)).toMatchObject({ status: 'done', changed: 3 })
    await service.clock.setTime(service.clock.now() + 7 * 86_400_000)
    await deleteExpiredBulks(service.deps.db, new Date(service.clock.now()))
    const bulks = service.deps.db.selectFrom('bulk_changes').select('bulk_id').where('bulk_id', '>=', id)
    expect(await bulks.execute()).toEqual([])
  })

  test('continues an interrupted run, and changes nobody twice', async ({ service, panel }) => {
    const ids = await givenUsers(service, 3)
    const { id } = await prepared(panel, { action: 'suspend', ids })
    await panel.post(`/users-bulk/${id}/start`)
    let looks = 0
    const signal = {
      throwIfAborted: () => {
        if (++looks > 2) throw new Error('broken off')
      },
    } as AbortSignal
    await expect(runBulk(service.deps, id, signal)).rejects.toThrow('broken off')
    expect(await readBulk(panel, id)).toMatchObject({ status: 'running', changed: 2, waiting: 1 })
    await Promise.all([runBulk(service.deps, id, IDLE), runBulk(service.deps, id, IDLE)])
    expect(await readBulk(panel, id)).toMatchObject({ status: 'done', changed: 3, waiting: 0 })
    const moves = await service.deps.db
      .selectFrom('state_changes')
      .select('entity_id')
      .where('entity', '=', 'user')
      .where('entity_id', 'in', ids)
      .execute()
    expect(moves).toHaveLength(3)
  })

  test('stops when the administrator who started it loses the right', async ({ service, panel }) => {
    const ids = await givenUsers(service, 2)
    const { id } = await prepared(panel, { action: 'suspend', ids })
    await panel.post(`/users-bulk/${id}/start`)
    const users = service.deps.db.updateTable('users')
    await users.set({ role: 'analyst' }).where('user_id', '=', panel.user.userId).execute()
    await runBulk(service.deps, id, IDLE)
    const counts = service.deps.db.selectFrom('bulk_items').select(['outcome', 'code']).where('bulk_id', '=', id)
    expect(await counts.execute()).toEqual(ids.map(() => ({ outcome: 'skipped', code: 'NO_RIGHT' })))
    expect(await toStates(service, ids)).toMatchObject([{ status: 'active' }, { status: 'active' }])
  })

  test.for<[string, Record<string, unknown>, string]>([
    ['neither ids nor a filter', { action: 'suspend' }, 'ids'],
    ['both', { action: 'suspend', ids: [1], filter: {} }, 'ids'],
    ['a selection of nobody', { action: 'suspend', filter: { search: 'nobody is called like this' } }, 'filter'],
    ['an unknown action', { action: 'purge', ids: [1] }, 'action'],
    ['an unknown filter', { action: 'suspend', filter: { colour: 'red' } }, 'filter.colour'],
    ['a bad filter', { action: 'suspend', filter: { start_date: '2026-02-30' } }, 'start_date'],
  ])('refuses %s', async ([, body, field], { panel }) => {
    expectInvalid(await panel.post('/users-bulk', body), field)
  })
})

const IDLE = new AbortController().signal
