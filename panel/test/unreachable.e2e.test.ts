// Slow: a browser.
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedInAt, test, type World } from './world.ts'

/** A page of somebody who is signed in, with a clock of its own. */
async function emptyPageWithClock(world: World): Promise<Page> {
  const page = await emptyPage(world)
  await page.clock.install()
  return page
}

/** How many there are a second later: what the panel knows becomes old, and it asks again, after some seconds. */
async function countLater(locator: Locator): Promise<number> {
  await locator.page().clock.fastForward(1_000)
  return locator.count()
}

/** Leaves all calls of the API without an answer; gives what restores them. */
async function cut(page: Page): Promise<() => Promise<void>> {
  await page.route('**/api/**', (route) => route.abort())
  return () => page.unroute('**/api/**')
}

describe.skipIf(CHROMIUM === undefined)('a page of the panel whose service cannot be reached', () => {
  test('shows what it knew as of then, until there is an answer again', async ({ world }) => {
    const page = await emptyPageWithClock(world)
    const { userId } = await world.service.given.user({ name: 'Known Before' })
    for (const path of ['/users?search=Known', `/users/${userId}`, '/delivery']) {
      await page.goto(path)
      await page.locator('main h1').waitFor()
      await expect.poll(() => page.locator('main [aria-busy="true"], main .mantine-Skeleton-root').count()).toBe(0)
      const before = await page.locator('main h1').innerText()
      const mend = await cut(page)
      const stale = page.getByRole('status').filter({ hasText: /^As of .*\d{4}, .*The service cannot be reached/ })
      // Old enough to be asked for again when the window is looked at.
      const look = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))")
      await expect.poll(async () => (await look(), countLater(stale))).toBeGreaterThan(0)
      expect(await page.locator('main h1').innerText()).toBe(before)
      await mend()
      // What was still asked for in vain becomes old after a press.
      const press = () => stale.getByRole('button').evaluateAll((all) => all.forEach((one) => one.click()))
      await expect.poll(async () => (await press(), countLater(stale))).toBe(0)
    }
  })

  test('asks again for everything that has failed by one press', async ({ world }) => {
    const page = await emptyPageWithClock(world)
    await page.goto('/account')
    await page.locator('main h1').waitFor()
    const mend = await cut(page)
    await page.getByRole('link', { name: 'Insights', exact: true }).click()
    const failures = page.locator('main').getByRole('alert').filter({ hasText: 'The service cannot be reached' })
    await expect.poll(() => countLater(failures)).toBeGreaterThan(1)
    const skeletons = page.locator('main .mantine-Skeleton-root')
    await expect.poll(() => countLater(skeletons)).toBe(0)
    await mend()
    await failures.first().getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => failures.count()).toBe(0)
  })

  test('says so in place of what it has never known', async ({ world }) => {
    const page = await emptyPageWithClock(world)
    await page.goto('/account')
    await page.locator('main h1').waitFor()
    await cut(page)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'The service cannot be reached' })
    await expect.poll(() => countLater(failure)).toBe(1)
    await page.getByText('No users yet').waitFor({ state: 'hidden' })
  })

  test('claims nothing of what waits, neither on the home page nor in the menu', async ({ world }) => {
    const { deps, given } = world.service
    await givenProduct(deps, await given.user(), { verification: 'pending' })
    const page = await emptyPageWithClock(world)
    await page.goto('/')
    const line = page.getByRole('list', { name: 'What waits for you' }).getByText('product waits for verification')
    await line.waitFor()
    await page.getByRole('link', { name: /^Verification 1/ }).waitFor()
    await page.route('**/api/**', (route) =>
      route.request().url().includes('check-token') ? route.continue() : route.abort(),
    )
    await page.reload()
    const failures = page.getByRole('alert').filter({ hasText: 'The service cannot be reached' })
    await expect.poll(() => countLater(failures)).toBeGreaterThan(0)
    expect(await page.locator('main').innerText()).not.toMatch(/Nothing waits|no alert/i)
    expect(await page.getByRole('link', { name: /^Verification/ }).innerText()).toBe('Verification')
  })

  test('whose number is past the end says so, and leads back', async ({ world }) => {
    const page = await signedInAt(world, '/users?page=9999')
    await page.getByText('This page is past the end').waitFor()
    await page.getByRole('button', { name: 'Go to the first page' }).click()
    await page.locator('main tbody tr').first().waitFor()
  })
})
