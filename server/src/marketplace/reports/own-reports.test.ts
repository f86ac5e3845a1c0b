import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenCaller, walk } from '../../../test/support/app-caller.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { hold } from '../../../test/support/holds.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'

describe('a report', () => {
  test('of a product is made once while it is not decided, and its reporter sees what becomes of it', async ({
    service,
    deps,
  }) => {
    const [reporter, owner] = [await givenCaller(service), await givenCaller(service)]
    const product = await givenProduct(deps, owner)
    const report = { reason: 'scam', details: 'A picture from a catalogue.' }
    const made = await reporter.call('POST', `/products/${product}/report`, report)
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({ data: { product_id: product, status: 'open' } })
    expectError(await reporter.call('POST', `/products/${product}/report`, report), 409, 'DUPLICATE')
    expectError(await owner.call('POST', `/products/${product}/report`, report), 409, 'INVALID_STATE')
    expectInvalid(await reporter.call('POST', `/products/${product}/report`, { reason: 'ugly' }), 'reason')
    expectError(await reporter.call('POST', '/products/987654321/report', report), 404, 'NOT_FOUND')
    expect(await walk(reporter, '/me/reports')).toMatchObject([
      { product: { id: product, title: 'A thing' }, ...report, status: 'open' },
    ])
    await deps.db.updateTable('products').set({ status: 'removed' }).where('product_id', '=', product).execute()
    expect(await walk(reporter, '/me/reports')).toMatchObject([{ product: { id: product, title: null, image: null } }])
    expect(await walk(owner, '/me/reports')).toEqual([])
  })

  test('is not made of a product that is being deleted: it would stay open', async ({ service, deps, given }) => {
    const [owner, reporter] = [await given.user(), await given.user()]
    const productId = await givenProduct(deps, owner)
    const gone = await hold(service, `update products set deleted_at = now() where product_id = ${productId}`)
    const url = `/api/v1/products/${productId}/report`
    const report = service.app.inject({ method: 'POST', url, headers: reporter.headers, payload: { reason: 'scam' } })
    await Promise.race([report, gone.untilWaiting(1)])
    await gone.commit()
    expectError(await report, 404, 'NOT_FOUND')
  })

  test('is not prevented by a block', async ({ service, deps }) => {
    const [reporter, owner] = [await givenCaller(service), await givenCaller(service)]
    const product = await givenProduct(deps, owner)
    await owner.data('POST', `/users/${reporter.userId}/block`)
    expect((await reporter.call('POST', `/products/${product}/report`, { reason: 'unsafe' })).statusCode).toBe(201)
  })

  test.for([
    { status: 'draft' },
    { status: 'removed' },
    { verification: 'rejected' },
    { verification: 'pending', rejected_at: new Date() },
    { deleted_at: new Date() },
    { hidden_at: new Date() },
  ] as const)('is not made about a product that its reporter cannot see: %o', async (unseen, { service, deps }) => {
    const [reporter, owner] = [await givenCaller(service), await givenCaller(service)]
    const product = await givenProduct(deps, owner, unseen)
    expectError(await reporter.call('GET', `/products/${product}`), 404, 'NOT_FOUND')
    expectError(await reporter.call('POST', `/products/${product}/report`, { reason: 'scam' }), 404, 'NOT_FOUND')
  })
})
