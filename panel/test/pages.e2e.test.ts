// For CI: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { givenProposal } from '../../server/test/support/marketplace.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, test } from './world.ts'

const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 360, height: 740 }

describe.skipIf(CHROMIUM === undefined)('the panel in Chromium', () => {
  test('has no page that axe faults or that is wider than its window: wide, in the dark, and 360 pixels wide', async ({
    world,
  }) => {
    const page = await signedIn(world, { viewport: WIDE })
    // The name is as long as one may be, and has no place to break it.
    const { userId } = await world.service.given.user({ name: 'N'.repeat(100) })
    const prepared = await (await givenPanel(world.service)).post('/users-bulk', { action: 'suspend', ids: [userId] })
    const bulkId = prepared.json<{ data: { id: number } }>().data.id
    const { swapId } = await givenProposal(world.service)
    const entries = (await listEntries(page)).filter((address) => address.startsWith('/'))
    expect(entries.length).toBeGreaterThan(20)
    for (const known of [...entries, ...PAGES]) {
      const path = known
        .replace(':swap', String(swapId))
        .replace(':user', String(userId))
        .replace(':bulk', String(bulkId))
      await show(page, path)
      await expectAccessible(page, path)
      // Structure is the same everywhere; colours differ in the dark, sizes in a narrow window.
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
      await expectAccessible(page, `${path}, dark`, ['color-contrast'])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(NARROW)
      await expectAccessible(page, `${path}, narrow`, ['target-size'])
      await page.setViewportSize(WIDE)
    }
  })
})

/** Goes to another page without loading the panel anew, and waits until it has what it shows. */
async function show(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `if (location.pathname + location.search !== '${path}') document.querySelector('main h1')?.setAttribute('data-before', '')
     history.pushState({}, '', '${path}')
     dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.locator('main h1:not([data-before])').waitFor()
  await expect.poll(() => page.locator('main [aria-busy="true"], main .mantine-Skeleton-root').count()).toBe(0)
}

/** What the menu of an administrator leads to. */
function listEntries(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('nav[aria-label="Pages"] a')].map((link) => link.getAttribute('href'))`,
  )
}

/** The pages that are not in the menu. */
const PAGES = [
  '/users/new',
  '/users/:user',
  '/users/:user/report',
  '/users/bulk/:bulk',
  '/reported-users?user_id=:user',
  '/swaps/:swap',
  '/notifications/new',
  '/notifications/system',
  '/audit/record?entity=user&entity_id=:user&at=2026-01-01T00:00:00Z',
  '/account',
]
