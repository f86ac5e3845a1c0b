import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { badTexts, expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { toAudit, toDecisions, toProduct, toldTo } from '../../../test/support/moderation.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import { forgetInModeration } from '../../marketplace/products/moderation.ts'

const VERDICT = { reason_code: 'unclear_photos', message: 'Please take photos by daylight.' }

describe.for([
  ['reject-product', 'rejected', 'reject'],
  ['request-product-changes', 'changes_requested', 'request_changes'],
] as const)('POST /api/admin/v1/%s/:id', ([path, verification, action]) => {
  test('stores reason and message, and notifies the owner', async ({ service, deps, given }) => {
    const panel = await givenPanel(service, 'moderator')
    const owner = await given.user()
    const id = await givenProduct(deps, owner, { verification: 'pending' })
    const answer = await panel.post(`/${path}/${id}`, { ...VERDICT, note: 'Second time' })
    expect(answer.json()).toMatchObject({
      data: {
        verification,
        moderation: [{ action, reason_code: 'unclear_photos', message: VERDICT.message, note: 'Second time' }],
      },
    })
    expect(await toldTo(service, owner.userId)).toMatchObject([
      { body: VERDICT.message, data: { product_id: id, verification, reason_code: 'unclear_photos' } },
    ])
    expect(await toAudit(service, id)).toEqual([{ action: `product.${action}` }])
    expectError(await panel.post(`/${path}/${id}`, VERDICT), 409, 'INVALID_STATE')
    expect(await toDecisions(service, id)).toHaveLength(1)
  })

  test('fifty times at the same time decides once, and the others get a conflict', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const id = await givenProduct(deps, owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => panel.post(`/${path}/${id}`, VERDICT)))
    expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
    expect(await toldTo(service, owner.userId)).toHaveLength(1)
  })

  test('ends the product’s reports when it is a rejection', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const reporter = await given.user()
    const id = await givenProduct(deps, await given.user())
    await givenReport(deps, { productId: id, reporterId: reporter.userId })
    await panel.post(`/${path}/${id}`, VERDICT)
    const report = await deps.db
      .selectFrom('product_reports')
      .selectAll()
      .where('product_id', '=', id)
      .executeTakeFirst()
    const isEnded = verification === 'rejected'
    expect(report).toMatchObject(isEnded ? { status: 'actioned', resolution: 'rejected' } : { status: 'open' })
    expect(await toldTo(service, reporter.userId)).toHaveLength(isEnded ? 1 : 0)
  })

  test('of another version is 412 and notifies nobody', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const id = await givenProduct(deps, owner, { verification: 'pending', version: 4 })
    expectError(await panel.post(`/${path}/${id}`, VERDICT, { 'if-match': '"v3"' }), 412, 'STALE_VERSION')
    expect(await toldTo(service, owner.userId)).toEqual([])
    expect(await toProduct(service, id)).toMatchObject({ verification: 'pending', version: 4 })
  })

  test.for<[string, string, unknown]>([
    ...badTexts(500).map(([what, value]): [string, string, unknown] => ['message', what, value]),
    ['message', 'blank', ' \n'],
    ['reason_code', 'missing', undefined],
    ['reason_code', 'not of the list', 'ugly'],
    ['verification', 'not a field', 'verified'],
  ])('refuses a body whose %s is %s', async ([field, , value], { service }) => {
    const panel = await givenPanel(service)
    expectInvalid(await panel.post(`/${path}/1`, { ...VERDICT, [field]: value }), field)
  })
})

describe('a message to an owner', () => {
  test('fits into a push, however many bytes its characters take', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    const message = '🧑🏽'.repeat(250)
    expect((await panel.post(`/reject-product/${id}`, { ...VERDICT, message })).statusCode).toBe(200)
  })

  test('is emptied when the owner is purged', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const [owner, other] = [await given.user(), await given.user()]
    for (const { userId } of [owner, other])
      await panel.post(`/reject-product/${await givenProduct(deps, { ...owner, userId })}`, VERDICT)
    await deps.db.transaction().execute((tx) => forgetInModeration(tx, [owner.userId]))
    expect(await toldTo(service, owner.userId)).toMatchObject([{ title: '', body: '', data: null }])
    expect(await toldTo(service, other.userId)).toMatchObject([{ body: VERDICT.message }])
  })
})
