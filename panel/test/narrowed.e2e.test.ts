// Slow: a browser.
import { describe, expect } from 'vitest'
import { givenProduct, givenProposal } from '../../server/test/support/marketplace.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('a list of the records of one person', () => {
  test('says whose products a list shows, and leads to all', async ({ world }) => {
    const { service } = world
    const [owner, other] = [await service.given.user({ name: 'Pia Owner' }), await service.given.user()]
    await givenProduct(service.deps, owner, { title: 'Piano' })
    await givenProduct(service.deps, other, { title: 'Flute' })
    const page = await signedInAt(world, `/users/${owner.userId}`)
    await page
      .getByRole('row', { name: /^Products/ })
      .getByRole('link')
      .click()
    const whose = page.getByRole('button', { name: 'Products of Pia Owner: take away' })
    await whose.waitFor()
    await page.getByRole('link', { name: 'Piano' }).waitFor()
    expect(await page.getByRole('link', { name: 'Flute' }).count()).toBe(0)
    await page.goto(`/products?user_id=${owner.userId}&status=draft`)
    await page.getByText('Nothing matches').waitFor()
    await page.goto(`/products?user_id=${owner.userId}`)
    await whose.click()
    await page.getByRole('link', { name: 'Flute' }).waitFor()
    expect(await whose.count()).toBe(0)
  })

  test('says whose swaps a list shows, and leads to all', async ({ world }) => {
    const { service } = world
    const { owner } = await givenProposal(service)
    const other = await givenProposal(service)
    const page = await emptyPage(world)
    const swap = page.getByRole('link', { name: String(other.swapId), exact: true })
    await page.goto(`/swaps?user_id=${owner.userId}`)
    const whose = page.getByRole('button', { name: `Swaps of ${owner.name}: take away` })
    await whose.waitFor()
    expect(await swap.count()).toBe(0)
    const sums = page.locator('.mantine-Card-root')
    await expect
      .poll(() => sums.allInnerTexts().then((texts) => texts.map((text) => text.replace(/\s+/g, ' '))))
      .toEqual([
        'Swaps in any state 1',
        'Of these, completed 0 %',
        'Half are answered within –',
        'Half of the completed took up to –',
      ])
    await whose.click()
    await swap.waitFor()
    expect(await whose.count()).toBe(0)
    const { userId } = await service.given.user()
    await page.goto(`/swaps?user_id=${userId}`)
    await page.getByRole('button', { name: `Swaps of no. ${userId}: take away` }).waitFor()
  })
})
