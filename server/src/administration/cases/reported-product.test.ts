import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { automaticMessages, givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

async function givenReported({ deps, given }: Service, reports = 3) {
  const owner = await given.user({ devices: [{}] })
  const productId = await givenProduct(deps, owner)
  const reporters = []
  for (let n = 0; n < reports; n++) {
    const { userId } = await given.user({ devices: [{}] })
    await givenReport(deps, { productId, reporterId: userId, ...(n === 1 && { status: 'in_review' }) })
    reporters.push(userId)
  }
  return { owner, productId, reporters, path: `/report/reported-product/${productId}` }
}

function toStatuses({ deps }: Service, productId: number) {
  const rows = deps.db
    .selectFrom('product_reports')
    .select(['status', 'resolution'])
    .where('product_id', '=', productId)
  return rows.execute()
}

describe('All reports of a product', () => {
  test('are dismissed together, and every reporter is notified', async ({ service }) => {
    const { productId, reporters, path } = await givenReported(service)
    const panel = await givenPanel(service, 'moderator')
    const answer = await panel.post(`${path}/decide`, { action: 'dismiss', note: 'It is real.' })
    expect(answer.json()).toMatchObject({ data: { product_id: productId, decided: 3 } })
    expect(await toStatuses(service, productId)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'dismissed', resolution: null })),
    )
    const told = (await automaticMessages(service.deps)).flatMap(({ to }) => to)
    expect(told).toEqual(expect.arrayContaining(reporters))
    expect((await panel.post(`${path}/decide`, { action: 'dismiss' })).json()).toMatchObject({ code: 'INVALID_STATE' })
  })

  test('end with one warning to the owner for all reports', async ({ service }) => {
    const { owner, productId, path } = await givenReported(service)
    const panel = await givenPanel(service, 'moderator')
    await panel.post(`${path}/decide`, { action: 'warn_owner' })
    expect(await toStatuses(service, productId)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'actioned', resolution: 'warned' })),
    )
    const warnings = (await automaticMessages(service.deps)).filter(({ to }) => to.includes(owner.userId))
    expect(warnings).toHaveLength(1)
  })

  test('end with the words of the moderator to the owner, when there are some', async ({ service }) => {
    const panel = await givenPanel(service, 'moderator')
    for (const action of ['warn_owner', 'remove_product']) {
      const { owner, path } = await givenReported(service, 1)
      const message = `The brand is not the one that it shows (${action}).`
      await panel.post(`${path}/decide`, { action, message })
      const told = service.deps.db.selectFrom('messages').select('body').where('recipient_id', '=', owner.userId)
      expect(await told.execute()).toEqual([{ body: message }])
    }
    const { path } = await givenReported(service, 1)
    const refused = await panel.post(`${path}/decide`, { action: 'dismiss', message: 'Nothing.' })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['message']])
  })

  test('end with the removal of the product', async ({ service }) => {
    const { productId, path } = await givenReported(service)
    await (await givenPanel(service, 'moderator')).post(`${path}/decide`, { action: 'remove_product' })
    expect(await toStatuses(service, productId)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'actioned', resolution: 'removed' })),
    )
    const product = service.deps.db.selectFrom('products').select('status').where('product_id', '=', productId)
    expect(await product.executeTakeFirst()).toEqual({ status: 'removed' })
  })

  test('are not decided by one moderator while another looks at the product', async ({ service }) => {
    const { productId, path } = await givenReported(service, 1)
    const [one, other] = [await givenPanel(service, 'moderator'), await givenPanel(service, 'moderator')]
    await one.post(`/desk/reports/${productId}`)
    for (const action of ['dismiss', 'warn_owner', 'remove_product'])
      expect((await other.post(`${path}/decide`, { action })).json()).toMatchObject({ code: 'CONFLICT' })
    expect((await one.post(`${path}/decide`, { action: 'dismiss' })).statusCode).toBe(200)
  })
})
