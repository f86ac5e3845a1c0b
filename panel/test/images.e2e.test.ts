// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, test, type World } from './world.ts'

const HOST = 'https://images.example'
const SIZES: Record<string, [number, number]> = { '/wide.svg': [900, 300], '/tall.svg': [300, 900] }

async function givenImages(world: World): Promise<{ page: Page; productId: number }> {
  const owner = await world.service.given.user()
  const images = JSON.stringify(['/wide.svg', '/tall.svg', '/gone.svg'].map((path) => HOST + path))
  const productId = await givenProduct(world.service.deps, owner, { title: 'Lamp', verification: 'pending', images })
  const page = await emptyPage(world, { viewport: { width: 1000, height: 700 } })
  await page.route(`${HOST}/*`, async (route) => {
    const size = SIZES[new URL(route.request().url()).pathname]
    if (size === undefined) return route.fulfill({ status: 404 })
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}"><circle r="90"/></svg>`
    return route.fulfill({ contentType: 'image/svg+xml', body })
  })
  return { page, productId }
}

/** The image is not cut: the browser fits it into its place, and loaded it. */
async function expectWhole(page: Page, name: string): Promise<void> {
  await page.getByRole('img', { name }).last().waitFor()
  const shown = `[...document.querySelectorAll('img')].findLast(({ alt }) => alt === '${name}')`
  await expect.poll(() => page.evaluate(`${shown}.naturalWidth > 0`)).toBe(true)
  expect(await page.evaluate(`getComputedStyle(${shown}).objectFit`)).toBe('contain')
}

describe.skipIf(CHROMIUM === undefined)('the images of a product', () => {
  test.for(['/verification', '/products/:id'])(
    'are all shown, each whole, and enlarged by keyboard: %s',
    async (path, { world }) => {
      await world.service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
      const { page, productId } = await givenImages(world)
      await page.goto(path.replace(':id', String(productId)))
      await page.getByText('1 of 3').waitFor()
      await expectWhole(page, 'Lamp, image 1 of 3')
      await page.keyboard.press('ArrowRight')
      await page.getByText('2 of 3').waitFor()
      await expectWhole(page, 'Lamp, image 2 of 3')
      await page.getByRole('button', { name: 'Next image' }).click()
      await page.getByText('This image cannot be loaded.').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByText('1 of 3').waitFor()

      await page.getByRole('button', { name: 'Enlarge Lamp, image 1 of 3' }).press('Enter')
      const large = page.getByRole('dialog', { name: 'Lamp, image 1 of 3' })
      await expectWhole(page, 'Lamp, image 1 of 3')
      await expectAccessible(page, 'the enlarged image')
      const width = async () => (await large.getByRole('img', { name: 'Lamp' }).boundingBox())?.width ?? 0
      const before = await width()
      await page.keyboard.press('+')
      await expect.poll(width).toBe(before * 2)
      await page.keyboard.press('0')
      await expect.poll(width).toBe(before)
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog', { name: 'Lamp, image 2 of 3' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.getByText('2 of 3').waitFor()
      await page.getByRole('button', { name: 'Enlarge' }).click()
      await page.getByRole('dialog', { name: 'Lamp, image 2 of 3' }).waitFor()
      await page.context().close()
    },
  )
})
