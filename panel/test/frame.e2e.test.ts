// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedIn, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the frame of the panel', () => {
  test.for<[string, (page: Page) => Promise<unknown>]>([
    ['offline', (page) => page.context().setOffline(true)],
    ['in a deploy', (page) => page.route('**/assets/**', (route) => route.fulfill({ status: 503, body: 'no' }))],
  ])(
    'stays when the script of a page cannot be loaded, and shows the page when it can: %s',
    async ([, cut], { world }) => {
      const page = await signedIn(world)
      await page.waitForLoadState('networkidle')
      await cut(page)
      await page.getByRole('link', { name: 'Plans' }).click()
      await page.getByText('The service cannot be reached.').first().waitFor()
      await page.getByRole('link', { name: 'Groups' }).waitFor()
      await page.context().setOffline(false)
      await page.unroute('**/assets/**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
    },
  )

  test('stays without its search, which is loaded again when it is opened', async ({ world }) => {
    const page = await signedIn(world)
    let isBroken = true
    await page.route('**/assets/palette-*', (route) => (isBroken ? route.fulfill({ status: 503 }) : route.continue()))
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByText('The service cannot be reached.').first().waitFor()
    await page.getByRole('link', { name: 'Groups' }).waitFor()
    isBroken = false
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').waitFor()
  })

  test('puts the focus on the heading of a page that is come to, says it, and has it as its title', async ({
    world,
  }) => {
    const { userId } = await world.service.given.user({ name: 'Ada' })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('heading', { level: 1, name: 'Groups' }).and(page.locator(':focus')).waitFor()
    await page.locator('[role="status"]', { hasText: 'Groups' }).waitFor({ state: 'attached' })
    await expect.poll(() => page.title()).toBe('Groups · Swapbell')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: 'Ada' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).and(page.locator(':focus')).waitFor()
    await expect.poll(() => page.title()).toBe('Ada · Swapbell')
    await page.getByRole('tab', { name: 'History' }).click()
    await expect.poll(() => page.url()).toMatch(new RegExp(`/users/${userId}\\?tab=history$`))
    await page.reload()
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
  })

  test('has the whole menu in sight in a window of 1280 by 720', async ({ world }) => {
    const page = await signedIn(world, { viewport: { width: 1280, height: 720 } })
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await expect.poll(() => menu.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0)
  })

  test('shows the rows behind a figure, which nothing narrows', async ({ world }) => {
    await world.service.given.user()
    const page = await emptyPage(world)
    const day = new Date(world.service.deps.clock.now()).toISOString().slice(0, 10)
    await page.goto(`/insights/rows?metric=engagement-overview&key=new_users&start_date=${day}&end_date=${day}`)
    await page.getByRole('heading', { level: 1, name: 'Engagement: New' }).waitFor()
    await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0)
  })
})
