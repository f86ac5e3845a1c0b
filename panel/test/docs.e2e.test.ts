// Slow: a browser.
import type { Browser } from 'playwright-core'
import { describe, expect } from 'vitest'
import { startService, type Service } from '../../server/test/support/service.ts'
import { CHROMIUM, test as base } from './chromium.ts'

// The page at /docs in a real browser.
type World = { service: Service; browser: Browser; url: string }

const test = base.extend<'world', World>('world', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  const service = await startService()
  onCleanup(() => service.close())
  return { service, browser, url: await service.app.listen({ port: 0, host: '127.0.0.1' }) }
})

describe.skipIf(CHROMIUM === undefined)(
  `the page at /docs${CHROMIUM === undefined ? ' (SKIPPED: there is no Chromium)' : ''}`,
  () => {
    // To draw it takes seconds, so it is drawn once.
    test('opens a call by its link, makes it after two clicks, finds others by a word, and makes none that reaches everybody', async ({
      world,
    }) => {
      const page = await (await world.browser.newContext()).newPage()
      page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
      await page.goto(`${world.url}/docs#/Health/getHealth`)
      const health = page.locator('[id="operations-Health-getHealth"]')
      await health.locator('.opblock-body').waitFor()
      await health.getByRole('button', { name: 'Try it out' }).click()
      await health.getByRole('button', { name: 'Execute' }).click()
      await health.locator('.live-responses-table').getByText('"healthy"').waitFor()

      const tags = page.locator('.opblock-tag')
      await expect.poll(() => tags.count()).toBeGreaterThan(30)
      const filter = page.getByPlaceholder('Filter by tag')
      for (const word of ['streamBadge', '/API/V1/STREAM', 'server-sent events: how much']) {
        await filter.fill(word)
        await expect.poll(() => tags.count()).toBe(1)
      }
      await filter.fill('no call has these words')
      await expect.poll(() => tags.count()).toBe(0)

      await filter.fill('sendToAll')
      const everybody = page.locator('[id="operations-Sending-sendToAll"]')
      await tags.click()
      await everybody.locator('.opblock-summary-control').click()
      await everybody.locator('.opblock-body').waitFor()
      expect(await everybody.getByRole('button', { name: /Try it out|Execute/ }).count()).toBe(0)
      await expect.poll(() => everybody.getByText('Swap weekend').count()).toBeGreaterThan(0)
    })
  },
)
