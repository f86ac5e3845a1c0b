// For CI: a browser that opens two pages in two languages.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { sendToEveryone } from '../../server/test/support/campaign.ts'
import { drain } from '../../server/test/support/drain.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, test } from './world.ts'

/** As a database that is divided among servers answers while one is away. */
async function loseHomes(page: Page): Promise<void> {
  await page.route(/\/api\/admin\/(promotional-)?notifications(\/\d+(\/people)?)?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object[]; summary?: object }
    const lost = { homes_not_counted: [1, 3] }
    const summary = body.summary && { summary: { ...body.summary, ...lost } }
    await route.fulfill({
      response,
      json: { ...body, data: body.data.map((row) => ({ ...row, ...lost })), ...summary },
    })
  })
}

describe.skipIf(CHROMIUM === undefined)('campaigns of a divided database of which a server is away', () => {
  test.for([
    ['en-GB', 'Without people of homes 1, 3'],
    ['es-ES', 'Sin la gente de las particiones 1, 3'],
  ])('say whose people they do not count (%s)', async ([locale = '', words = ''], { world }) => {
    const messageId = await sendToEveryone(world.service)
    await drain(world.service)
    const page = await emptyPage(world, { locale, viewport: { width: 360, height: 740 } })
    for (const path of ['/notifications', `/notifications/${messageId}`]) {
      await loseHomes(page)
      await page.goto(path)
      await expect.poll(() => page.locator('main').getByText(words).count(), { message: path }).toBeGreaterThan(0)
      // What the page has asked is answered before it asks for another.
      await page.unrouteAll({ behavior: 'wait' })
    }
    await page.close()
  })
})
