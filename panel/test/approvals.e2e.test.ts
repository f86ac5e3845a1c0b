import { describe, expect, vi } from 'vitest'
import { givenApprovals } from '../../server/test/support/factor-calls.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedIn, test } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

describe.skipIf(CHROMIUM === undefined)('approvals in the panel', () => {
  test('show all that would be sent; another administrator approves one and refuses one', async ({ world }) => {
    const asked = await givenApprovals(world.service)
    const page = await signedIn(world, { viewport: { width: 360, height: 740 } })
    await page.goto('/approvals')
    await page.getByText('Together').first().waitFor()
    await expectAccessible(page, '/approvals')
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('It was approved and is done.').waitFor()
    await page.getByRole('button', { name: 'Refuse' }).first().click()
    await page.getByLabel('Reason').fill('Not today')
    await page.getByRole('button', { name: 'Refuse it' }).click()
    await page.getByText('It was refused and is not done.').waitFor()
    const rows = await world.service.deps.db.selectFrom('approvals').select(['status', 'reason']).execute()
    expect(rows).toHaveLength(asked.length)
    expect(rows).toEqual(
      expect.arrayContaining([
        { status: 'approved', reason: null },
        { status: 'refused', reason: 'Not today' },
      ]),
    )
  })
})
