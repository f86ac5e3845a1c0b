// Slow: two seconds or more for the file.

import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { badTexts, expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { toProduct, toldTo } from '../../../test/support/moderation.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { reportProduct } from '../../marketplace/reports/reports.ts'
import { commitWorkBy } from '../../../test/support/commit.ts'

const DESK = '/report/reported-product'

async function givenReported({ deps, given }: Service) {
  const [owner, reporter] = [await given.user(), await given.user()]
  const productId = await givenProduct(deps, owner)
  const reportId = await givenReport(deps, { productId, reporterId: reporter.userId })
  return { owner, reporter, productId, reportId }
}

function defineReport({ deps }: Service, reportId: number) {
  return deps.db.selectFrom('product_reports').selectAll().where('report_id', '=', reportId).executeTakeFirstOrThrow()
}

async function readPath({ deps }: Service, reportId: number): Promise<string[]> {
  const rows = await deps.db
    .selectFrom('state_changes')
    .select('to_state')
    .where('entity', '=', 'report')
    .where('entity_id', '=', reportId)
    .orderBy('state_change_id')
    .execute()
  return rows.map((row) => row.to_state)
}

function toAudit({ deps }: Service, reportId: number) {
  return deps.db
    .selectFrom('audit_log as l')
    .innerJoin('audit_details as d', (join) => join.onRef('d.audit_id', '=', 'l.audit_id').on('d.part', '=', 'change'))
    .select(['l.action', 'd.content'])
    .where('l.entity', '=', 'report')
    .where('l.entity_id', '=', reportId)
    .orderBy('l.audit_id')
    .execute()
}

function reportBy(deps: Deps, userId: number, given: { subjectId: number; details?: string | null }) {
  const by = { ...THE_SERVICE, userId }
  return commitWorkBy(by, deps, reportProduct, { reason: 'scam', details: null, ...given })
}

describe('a user', () => {
  test('reports a product once while the report is not decided', async ({ service, deps }) => {
    const { productId, reporter, reportId } = await givenReported(service)
    const report = (details: string | null = null) => reportBy(deps, reporter.userId, { subjectId: productId, details })
    await expect(report()).rejects.toMatchObject({ code: 'DUPLICATE', status: 409 })
    const panel = await givenPanel(service)
    await panel.post(`${DESK}/${reportId}/dismiss`)
    const again = await report('It came back.')
    expect(await defineReport(service, again.report_id)).toMatchObject({ status: 'open', details: 'It came back.' })
    expect(await readPath(service, again.report_id)).toEqual(['open'])
  })

  test('fifty times at once reports it once', async ({ deps, given }) => {
    const [owner, reporter] = [await given.user(), await given.user()]
    const productId = await givenProduct(deps, owner)
    const report = () => reportBy(deps, reporter.userId, { subjectId: productId })
    const results = await Promise.allSettled(Array.from({ length: 50 }, report))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const sums = deps.db.selectFrom('reported_products').selectAll().where('product_id', '=', productId)
    expect(await sums.executeTakeFirst()).toMatchObject({ undecided_count: 1, total_count: 1, status: 'open' })
  })

  test('cannot report their own product, nor one that others cannot see', async ({ service, deps, given }) => {
    const { productId, owner } = await givenReported(service)
    const report = (subjectId: number) => reportBy(deps, owner.userId, { subjectId })
    await expect(report(productId)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    const stranger = await given.user()
    for (const wish of [
      { status: 'draft' },
      { status: 'removed' },
      { hidden_at: new Date() },
      { deleted_at: new Date() },
    ] as const) {
      const hidden = await givenProduct(deps, stranger, wish)
      await expect(report(hidden)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('POST …/report/reported-product/:report_id/assign', () => {
  test('takes a report into review, by default oneself, and gives it on', async ({ service, given }) => {
    const panel = await givenPanel(service, 'moderator')
    const colleague = await given.user({ role: 'moderator' })
    const { reportId } = await givenReported(service)
    const answer = await panel.post(`${DESK}/${reportId}/assign`)
    expect(answer.headers['etag']).toBe('"v2"')
    expect(answer.json()).toMatchObject({ data: { status: 'in_review', assigned_to: { user_id: panel.user.userId } } })
    await panel.post(`${DESK}/${reportId}/assign`, { assignee_id: colleague.userId })
    expect(await defineReport(service, reportId)).toMatchObject({ assigned_to: colleague.userId, version: 3 })
    expect(await readPath(service, reportId)).toEqual(['in_review'])
    expect(await toAudit(service, reportId)).toMatchObject([
      { action: 'report.assign', content: { before: { status: 'open', assigned_to: null } } },
      { content: { before: { assigned_to: panel.user.userId }, after: { assigned_to: colleague.userId } } },
    ])
  })

  test('refuses an assignee who may not decide reports', async ({ service, given }) => {
    const panel = await givenPanel(service)
    const { reportId } = await givenReported(service)
    const suspended = await given.user({ role: 'moderator', status: 'suspended' })
    for (const id of [
      (await given.user()).userId,
      (await given.user({ role: 'analyst' })).userId,
      suspended.userId,
      999_999_999,
    ])
      expectInvalid(await panel.post(`${DESK}/${reportId}/assign`, { assignee_id: id }), 'assignee_id')
    expect(await defineReport(service, reportId)).toMatchObject({ status: 'open', version: 1 })
  })
})

describe('POST …/report/reported-product/:report_id/resolve', () => {
  test('with another action ends this report, and notifies only its reporter', async ({ service, deps, given }) => {
    const panel = await givenPanel(service, 'moderator')
    const { reportId, productId, reporter, owner } = await givenReported(service)
    const another = await givenReport(deps, { productId, reporterId: (await given.user()).userId })
    const answer = await panel.post(`${DESK}/${reportId}/resolve`, { action: 'other', note: 'Called them.' })
    expect(answer.json()).toMatchObject({
      data: {
        status: 'actioned',
        resolution: 'other',
        resolution_note: 'Called them.',
        resolved_by: panel.user.userId,
      },
    })
    expect(await readPath(service, reportId)).toEqual(['in_review', 'actioned'])
    expect(await defineReport(service, another)).toMatchObject({ status: 'open' })
    expect(await toldTo(service, reporter.userId)).toMatchObject([
      { data: { product_id: productId, report_status: 'actioned' } },
    ])
    expect(await toldTo(service, owner.userId)).toEqual([])
    expect(await toAudit(service, reportId)).toMatchObject([
      { action: 'report.resolve', content: { after: { resolution: 'other' } } },
    ])
  })

  test('with a warning notifies the owner too', async ({ service }) => {
    const panel = await givenPanel(service)
    const { reportId, owner } = await givenReported(service)
    await panel.post(`${DESK}/${reportId}/resolve`, { action: 'warn_owner' })
    expect(await defineReport(service, reportId)).toMatchObject({ resolution: 'warned' })
    expect(await toldTo(service, owner.userId)).toMatchObject([{ title: 'A warning' }])
  })

  test('with removal removes the product, and closes its swaps and all its reports', async ({
    service,
    deps,
    given,
  }) => {
    const panel = await givenPanel(service, 'moderator')
    const { requested, swapId } = await givenProposal(service)
    const report = async () => givenReport(deps, { productId: requested, reporterId: (await given.user()).userId })
    const [first, second] = [await report(), await report()]
    const answer = await panel.post(`${DESK}/${first}/resolve`, { action: 'remove_product', note: 'Stolen goods' })
    expect(answer.json()).toMatchObject({ data: { status: 'actioned', resolution: 'removed' } })
    expect(await toProduct(service, requested)).toMatchObject({ status: 'removed' })
    expect(await defineReport(service, second)).toMatchObject({ status: 'actioned', resolution_note: 'Stolen goods' })
    const swap = deps.db.selectFrom('swaps').select('status').where('swap_id', '=', swapId)
    expect(await swap.executeTakeFirst()).toEqual({ status: 'invalidated' })
  })
})

describe.for([
  ['resolve', { action: 'other' }],
  ['resolve', { action: 'remove_product' }],
  ['dismiss', {}],
] as const)('POST …/report/reported-product/:report_id/%s %o', ([path, payload]) => {
  test('fifty times at the same time decides once, and the others get a conflict', async ({ service }) => {
    const panel = await givenPanel(service)
    const { reportId, reporter } = await givenReported(service)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => panel.post(`${DESK}/${reportId}/${path}`, payload)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
    expect(await toldTo(service, reporter.userId)).toHaveLength(1)
    expect(await toAudit(service, reportId)).toHaveLength(1)
  })

  test('of another version is 412 with the report as it is', async ({ service }) => {
    const panel = await givenPanel(service)
    const { reportId, productId } = await givenReported(service)
    await panel.post(`${DESK}/${reportId}/assign`)
    const stale = await panel.post(`${DESK}/${reportId}/${path}`, payload, { 'if-match': '"v1"' })
    expectError(stale, 412, 'STALE_VERSION')
    expect(stale.json()).toMatchObject({ data: { id: reportId, status: 'in_review', version: 2 } })
    expect(await toProduct(service, productId)).toMatchObject({ status: 'active' })
    expect((await panel.post(`${DESK}/${reportId}/${path}`, payload, { 'if-match': '"v2"' })).statusCode).toBe(200)
  })

  test('of a decided one that was seen undecided is 412 when it dismisses, else 409', async ({ service }) => {
    const panel = await givenPanel(service)
    const { reportId } = await givenReported(service)
    await panel.post(`${DESK}/${reportId}/dismiss`)
    const stale = await panel.post(`${DESK}/${reportId}/${path}`, payload, { 'if-match': '"v1"' })
    if (path === 'dismiss') expectError(stale, 412, 'STALE_VERSION')
    else expectError(stale, 409, 'INVALID_STATE')
  })

  test('of none is 404; of a decided one 409; for analysts 403', async ({ service }) => {
    const panel = await givenPanel(service)
    const { reportId } = await givenReported(service)
    expectError(await panel.post(`${DESK}/999999999/${path}`, payload), 404, 'NOT_FOUND')
    await panel.post(`${DESK}/${reportId}/dismiss`)
    expectError(await panel.post(`${DESK}/${reportId}/${path}`, payload), 409, 'INVALID_STATE')
    expectError(await panel.post(`${DESK}/${reportId}/assign`), 409, 'INVALID_STATE')
    const analyst = await givenPanel(service, 'analyst')
    expectError(await analyst.post(`${DESK}/${reportId}/${path}`, payload), 403, 'FORBIDDEN')
  })

  test.for<[string, string, unknown]>([
    ...badTexts(1_000)
      .slice(1)
      .map(([what, value]): [string, string, unknown] => ['note', what, value]),
    ['status', 'not a field', 'open'],
  ])('refuses a body whose %s is %s', async ([field, , value], { service }) => {
    expectInvalid(await (await givenPanel(service)).post(`${DESK}/1/${path}`, { ...payload, [field]: value }), field)
  })
})

test('a report is resolved by an action of the list', async ({ service }) => {
  const panel = await givenPanel(service)
  for (const action of [undefined, null, 'reject', 1])
    expectInvalid(await panel.post(`${DESK}/1/resolve`, { action }), 'action')
  for (const id of ['0', 'x', '1e3']) expectInvalid(await panel.post(`${DESK}/${id}/dismiss`), 'report_id')
})
