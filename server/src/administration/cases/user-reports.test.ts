import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { userReports } from '../../marketplace/reports/reports.queries.ts'

const DESK = '/report/reported-users'

function report({ app }: Service, { headers }: GivenUser, userId: number, payload: object = { reason: 'scam' }) {
  return app.inject({ method: 'POST', url: `/api/v1/users/${userId}/report`, headers, payload })
}

async function reported(service: Service): Promise<{ reporter: GivenUser; user: GivenUser; id: number }> {
  const [reporter, user] = [await service.given.user(), await service.given.user()]
  const answer = await report(service, reporter, user.userId, { reason: 'no_show', details: 'Did not come.\nTwice.' })
  expect(answer.statusCode).toBe(201)
  return { reporter, user, id: answer.json<{ data: { id: number } }>().data.id }
}

describe('POST /api/v1/users/{id}/report', () => {
  test('reports a person once, until it is decided', async ({ service }) => {
    const { reporter, user, id } = await reported(service)
    expectError(await report(service, reporter, user.userId), 409, 'DUPLICATE')
    expect((await report(service, await service.given.user(), user.userId)).statusCode).toBe(201)
    const panel = await givenPanel(service)
    await panel.post(`${DESK}/${id}/resolve`, { action: 'dismiss' })
    expect((await report(service, reporter, user.userId)).json()).toMatchObject({
      success: true,
      data: { user_id: user.userId, status: 'open' },
    })
  })

  test('counts one of fifty that come at once', async ({ service, deps }) => {
    const [reporter, user] = [await service.given.user(), await service.given.user()]
    // The limit of a user is twenty an hour.
    const answers = await Promise.all(Array.from({ length: 15 }, () => report(service, reporter, user.userId)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    const rows = deps.db.selectFrom('user_reports').select('report_id').where('user_id', '=', user.userId)
    expect(await rows.execute()).toHaveLength(1)
  })

  test('cannot be about oneself or an unknown account', async ({ service }) => {
    const user = await service.given.user()
    expectInvalid(await report(service, user, user.userId), 'id')
    expectError(await report(service, user, 987_654_321), 404, 'NOT_FOUND')
  })

  test.for<[string, string, object]>([
    ['no reason', 'reason', {}],
    ['another reason', 'reason', { reason: 'ugly' }],
    ['long details', 'details', { reason: 'scam', details: 'x'.repeat(2_001) }],
    ['an unknown field', 'note', { reason: 'scam', note: 'x' }],
  ])('refuses %s', async ([, field, payload], { service, given }) => {
    expectInvalid(await report(service, await given.user(), (await given.user()).userId, payload), field)
  })
})

describe('the desk of reported users', () => {
  test('lists, assigns and resolves a report, and each step leaves an event and an audit entry', async ({
    service,
    deps,
  }) => {
    const { reporter, user, id } = await reported(service)
    const panel = await givenPanel(service, 'moderator')
    const listed = await panel.get(`${DESK}?user_id=${user.userId}&status=open,in_review&reason=no_show`)
    expect(listed.json()).toMatchObject({
      data: [
        {
          id,
          user: { id: user.userId, name: user.name, status: 'active', undecided_count: 1 },
          reporter: { user_id: reporter.userId },
          details: 'Did not come.\nTwice.',
          status: 'open',
          version: 1,
        },
      ],
      pagination: { total_items: 1 },
    })
    expect((await panel.get(`${DESK}?user_id=${user.userId}&reason=scam`)).json()).toMatchObject({ data: [] })
    expectInvalid(await panel.get(`${DESK}?reason=ugly`), 'reason')
    expect((await panel.post(`${DESK}/${id}/assign`)).json()).toMatchObject({
      data: { status: 'in_review', assigned_to: { user_id: panel.user.userId }, version: 2 },
    })
    const stale = await panel.post(`${DESK}/${id}/resolve`, { action: 'other' }, { 'if-match': '"v1"' })
    expectError(stale, 412, 'STALE_VERSION')
    expect((await panel.post(`${DESK}/${id}/resolve`, { action: 'other', note: 'Talked.' })).json()).toMatchObject({
      data: { status: 'actioned', resolution: 'other', resolution_note: 'Talked.', user: { undecided_count: 0 } },
    })
    for (const path of ['assign', 'resolve'])
      expectError(
        await panel.post(`${DESK}/${id}/${path}`, path === 'assign' ? {} : { action: 'dismiss' }),
        409,
        'INVALID_STATE',
      )
    const events = deps.db.selectFrom('state_changes').select('to_state').where('entity', '=', 'user_report')
    const states = await events.where('entity_id', '=', id).orderBy('state_change_id').execute()
    expect(states.map((change) => change.to_state)).toEqual(['open', 'in_review', 'actioned'])
    const entries = deps.db.selectFrom('audit_log').select('action').where('entity', '=', 'user_report')
    expect(await entries.where('entity_id', '=', id).orderBy('audit_id').execute()).toEqual([
      { action: 'user-report.assign' },
      { action: 'user-report.resolve' },
    ])
  })

  test('suspends the person, if the administrator has the right to users and a higher role', async ({
    service,
    deps,
  }) => {
    const { user, id } = await reported(service)
    const [moderator, admin] = [await givenPanel(service, 'moderator'), await givenPanel(service)]
    const resolve = { action: 'suspend_user', note: 'Did not come twice.' }
    expectError(await moderator.post(`${DESK}/${id}/resolve`, resolve), 403, 'FORBIDDEN')
    const role = { role: 'admin' as const }
    await deps.db.updateTable('users').set(role).where('user_id', '=', user.userId).execute()
    expectError(await admin.post(`${DESK}/${id}/resolve`, resolve), 403, 'FORBIDDEN')
    await deps.db.updateTable('users').set({ role: 'user' }).where('user_id', '=', user.userId).execute()
    expect((await admin.post(`${DESK}/${id}/resolve`, resolve)).json()).toMatchObject({
      data: { status: 'actioned', resolution: 'suspended', user: { status: 'suspended' } },
    })
    const account = deps.db.selectFrom('users').select(['status', 'status_reason']).where('user_id', '=', user.userId)
    expect(await account.executeTakeFirst()).toEqual({ status: 'suspended', status_reason: 'Did not come twice.' })
    expect((await service.app.inject({ url: '/api/v1/me', headers: user.headers })).statusCode).toBe(401)
  })

  test('suspends without an end, and leaves a ban', async ({ service, deps }) => {
    const admin = await givenPanel(service)
    const account = (id: number) =>
      deps.db.selectFrom('users').select(['status', 'suspended_until']).where('user_id', '=', id)
    const barred = [
      { change: { status: 'banned' }, after: { status: 'banned', suspended_until: null } },
      {
        change: { status: 'suspended', suspended_until: new Date(service.clock.now() + 86_400_000).toISOString() },
        after: { status: 'suspended', suspended_until: null },
      },
    ]
    for (const { change, after } of barred) {
      const { user, id } = await reported(service)
      expect((await admin.patch('/user-update', { id: user.userId, ...change })).statusCode).toBe(200)
      const resolve = { action: 'suspend_user', note: 'Did not come twice.' }
      expect((await admin.post(`${DESK}/${id}/resolve`, resolve)).statusCode).toBe(200)
      expect(await account(user.userId).executeTakeFirst()).toEqual(after)
    }
  })

  test('is assigned only to those who may decide, and one of fifty decisions at once wins', async ({ service }) => {
    const { id } = await reported(service)
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    expectInvalid(await panel.post(`${DESK}/${id}/assign`, { assignee_id: userId }), 'assignee_id')
    expectError(await panel.post(`${DESK}/999999999/assign`), 404, 'NOT_FOUND')
    expectError(await (await givenPanel(service, 'analyst')).get(DESK), 403, 'FORBIDDEN')
    const decide = () => panel.post(`${DESK}/${id}/resolve`, { action: 'dismiss' })
    const answers = await Promise.all(Array.from({ length: 50 }, decide))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('reads no table from end to end with 20,000 reports', async ({ service, deps }) => {
    const { user } = await reported(service)
    await deps.pool.query(
      `insert into user_reports (user_id, reason, status, created_at, updated_at)
       select $1, 'spam', case when n % 100 = 0 then 'in_review' else 'dismissed' end, now() - n * interval '1 minute', now()
       from generate_series(1, 20000) n`,
      [user.userId],
    )
    await deps.pool.query('analyze user_reports')
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    const page = { perPage: 20, offset: 0, by: 'created_at', direction: 'desc' } as const
    for (const filter of [{ subjectId: 1 }, { statuses: ['in_review' as const] }])
      await userReports.page(watch.deps, { filter, page })
    expect(watch.plans.length).toBeGreaterThan(1)
    expect(scannedBy(watch.plans)).toEqual([])
  })
})
