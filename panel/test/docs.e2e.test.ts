// Slow: a browser.
import type { Browser, Page } from 'playwright-core'
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

async function opened({ browser, url }: World): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  await page.goto(`${url}/docs`)
  await page.getByPlaceholder('Filter by tag').waitFor()
  return page
}

/** Opens a call by its link. */
async function openCall({ browser, url }: World, tag: string, name: string) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/docs#/${tag}/${name}`)
  const call = page.locator(`[id="operations-${tag}-${name}"]`)
  await call.locator('.opblock-body').waitFor()
  return call
}

describe.skipIf(CHROMIUM === undefined)(
  `the page at /docs${CHROMIUM === undefined ? ' (SKIPPED: there is no Chromium)' : ''}`,
  () => {
    test('finds calls by a word of their name, address or summary', async ({ world }) => {
      const page = await opened(world)
      const tags = page.locator('.opblock-tag')
      const all = await tags.count()
      expect(all).toBeGreaterThan(30)
      for (const word of ['streamBadge', '/API/V1/STREAM', 'server-sent events: how much']) {
        await page.getByPlaceholder('Filter by tag').fill(word)
        await expect.poll(() => tags.count()).toBe(1)
      }
      await page.getByPlaceholder('Filter by tag').fill('no call has these words')
      await expect.poll(() => tags.count()).toBe(0)
    })

    test('makes a call after two clicks, and never one that reaches everybody', async ({ world }) => {
      const health = await openCall(world, 'Health', 'getHealth')
      await health.getByRole('button', { name: 'Try it out' }).click()
      await health.getByRole('button', { name: 'Execute' }).click()
      await health.locator('.live-responses-table').getByText('"healthy"').waitFor()
      const everybody = await openCall(world, 'Sending', 'sendToAll')
      expect(await everybody.getByRole('button', { name: /Try it out|Execute/ }).count()).toBe(0)
      expect(await everybody.getByText('Swap weekend').count()).toBeGreaterThan(0)
    })
  },
)
