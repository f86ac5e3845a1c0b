// Slow: a browser.
import { describe, expect } from 'vitest'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { givenReport } from '../../server/test/support/product-reports.ts'
import { CHROMIUM } from './chromium.ts'
import { givenWaitingProduct, passTime } from './desks.ts'
import { signedIn, signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('a desk that asks why', () => {
  test('decides about a reported product by keyboard, with a reason', async ({ world }) => {
    const { service } = world
    const productId = await givenProduct(service.deps, await service.given.user(), { title: 'Watch' })
    await givenReport(service.deps, { productId, reporterId: (await service.given.user()).userId })
    const page = await signedInAt(world, '/reports-desk')
    await page.getByRole('article', { name: 'Watch' }).getByText('scam').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByText('It appears to be a counterfeit.').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the product' }).click()
    await page.getByText('Watch: remove. Nobody is informed yet.').waitFor()
    // The outcome is told on every page.
    await page.getByRole('link', { name: 'Groups' }).click()
    await passTime(service)
    await page.getByText('Watch: removed.').waitFor()
    const products = service.deps.db.selectFrom('products').select('status').where('product_id', '=', productId)
    expect(await products.executeTakeFirst()).toEqual({ status: 'removed' })
  })

  test('decides about the product for which it asked why, also when that has left the queue meanwhile', async ({
    world,
  }) => {
    const { service } = world
    const reported = async (title: string) => {
      const productId = await givenProduct(service.deps, await service.given.user(), { title })
      await givenReport(service.deps, { productId, reporterId: (await service.given.user()).userId })
      await service.clock.tick(1_000)
      return productId
    }
    const [helmetId] = [await reported('Helmet'), await reported('Gloves')]
    const page = await signedIn(world)
    await page.clock.install()
    await page.goto('/reports-desk')
    await page.getByRole('article', { name: 'Helmet' }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Remove the product: Helmet: why?' })
    await dialog.getByText('It appears to be a counterfeit.').click()
    await service.deps.db
      .updateTable('product_reports')
      .set({ status: 'dismissed' })
      .where('product_id', '=', helmetId)
      .execute()
    const asksAgain = page.waitForResponse(
      async (answer) => answer.url().includes('/reported-product/all') && !(await answer.text()).includes('Helmet'),
    )
    await page.clock.fastForward('01:00')
    await asksAgain
    await dialog.getByRole('button', { name: 'Remove the product' }).click()
    await page.getByText('Helmet: nothing was decided').waitFor()
    await page.getByRole('article', { name: 'Gloves' }).waitFor()
    expect(
      await service.deps.db.selectFrom('desk_decisions').select('status').where('record_id', '>=', helmetId).execute(),
    ).toEqual([])
  })

  test('forgets a decision whose end the panel slept through', async ({ world }) => {
    const { service } = world
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    await givenWaitingProduct(service, 'Tripod')
    const page = await signedInAt(world, '/verification')
    await page.getByRole('article', { name: 'Tripod' }).waitFor()
    await page.keyboard.press('a')
    const told = page.getByText('Tripod: approved. Nobody is informed yet.')
    await told.waitFor()
    await page.route('**/v1/decisions', (route) => route.fulfill({ json: { success: true, data: [] } }))
    await passTime(service)
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000 }')
    await told.waitFor({ state: 'hidden' })
  })
})
