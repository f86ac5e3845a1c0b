import type { BrowserContextOptions } from 'playwright-core'
import { describe, vi } from 'vitest'
import { givenProposal } from '../../server/test/support/marketplace.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, test } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

describe.skipIf(CHROMIUM === undefined)('the panel in Chromium', () => {
  test.for<[string, BrowserContextOptions]>([
    ['wide', { viewport: { width: 1280, height: 860 } }],
    ['wide and dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }],
    ['360 pixels wide', { viewport: { width: 360, height: 740 } }],
  ])('has no page that axe faults or that is wider than its window: %s', async ([, options], { world }) => {
    const page = await signedIn(world, options)
    const { userId } = await world.service.given.user()
    const prepared = await (await givenPanel(world.service)).post('/users-bulk', { action: 'suspend', ids: [userId] })
    const bulkId = prepared.json<{ data: { id: number } }>().data.id
    const { swapId } = await givenProposal(world.service)
    for (const known of PAGES) {
      const path = known
        .replace(':swap', String(swapId))
        .replace(':user', String(userId))
        .replace(':bulk', String(bulkId))
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expectAccessible(page, path)
    }
  })
})

const PAGES = [
  '/',
  '/users',
  '/users/:user',
  '/users/bulk/:bulk',
  '/products',
  '/verification',
  '/reports',
  '/reports-desk',
  '/reported-users',
  '/swaps',
  '/swaps/:swap',
  '/approvals',
  '/disputes',
  '/subscriptions',
  '/notifications',
  '/notifications/new',
  '/notifications/system',
  '/delivery',
  '/insights',
  '/groups',
  '/categories',
  '/plans',
  '/exports',
  '/administrators',
  '/settings',
  '/audit',
  '/account',
]
