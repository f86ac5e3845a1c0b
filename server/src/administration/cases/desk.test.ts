import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

const LEASE_MS = 120_000

async function givenDesk(service: Service) {
  const [one, other] = [await givenPanel(service, 'moderator'), await givenPanel(service, 'moderator')]
  const productId = await givenProduct(service.deps, await service.given.user(), { verification: 'pending' })
  return { one, other, productId, path: `/desk/verification/${productId}` }
}

describe('the desk of the moderators', () => {
  test('gives a product to one of two who take it at once, and names them to the other', async ({ service }) => {
    const { one, other, path } = await givenDesk(service)
    const answers = await Promise.all([one.post(path), other.post(path)])
    expect(tally(answers)).toEqual({ 200: 1, 409: 1 })
    const holder = answers[0].statusCode === 200 ? one : other
    const refused = answers.find(({ statusCode }) => statusCode === 409)
    const name = (await holder.get('/user-profile')).json().data.name as string
    expect(refused?.json()).toMatchObject({ code: 'CONFLICT', error: `${name} has taken this product.` })
  })

  test('is shown with who looks at what until when; renewing prolongs it', async ({ service }) => {
    const { one, productId, path } = await givenDesk(service)
    await one.post(path)
    await service.clock.tick(60_000)
    await one.post(path)
    const until = new Date(service.clock.now() + LEASE_MS).toISOString()
    const held = (await one.get('/desk/verification')).json().data as { product_id: number }[]
    expect(held.filter((lease) => lease.product_id === productId)).toEqual([
      { product_id: productId, holder: { id: one.user.userId, name: expect.any(String) }, until },
    ])
  })

  test('lets nobody else decide while somebody has taken a product, and anybody after its release or its time', async ({
    service,
  }) => {
    const { one, other, productId, path } = await givenDesk(service)
    await one.post(path)
    const verify = () => other.post(`/mark-product-verified/${productId}`)
    expect((await verify()).statusCode).toBe(409)
    await service.clock.tick(LEASE_MS + 1)
    expect((await verify()).statusCode).toBe(200)

    const second = await givenDesk(service)
    await second.one.post(second.path)
    expect((await second.other.delete(second.path)).statusCode).toBe(200)
    expect((await second.other.post(second.path)).statusCode).toBe(409)
    await second.one.delete(second.path)
    expect((await second.other.post(second.path)).statusCode).toBe(200)
  })

  test('covers the reports of a product as well: neither resolved nor dismissed by another', async ({ service }) => {
    const { one, other, productId } = await givenDesk(service)
    const reporter = await service.given.user()
    const reportId = await givenReport(service.deps, { productId, reporterId: reporter.userId })
    await one.post(`/desk/reports/${productId}`)
    const report = `/report/reported-product/${reportId}`
    const body = { action: 'other', note: 'Talked to the owner.' }
    expect((await other.post(`${report}/resolve`, body)).statusCode).toBe(409)
    expect((await other.post(`${report}/dismiss`)).statusCode).toBe(409)
    expect((await one.post(`${report}/dismiss`)).statusCode).toBe(200)
  })

  test('answers 404 for a product that does not exist', async ({ service }) => {
    const { one } = await givenDesk(service)
    expect((await one.post('/desk/verification/999999999')).statusCode).toBe(404)
  })
})
