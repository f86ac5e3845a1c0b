// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { givenProduct, givenProposal } from '../../server/test/support/marketplace.ts'
import { rebuildInsights } from '../../server/src/administration/insights/refresh.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, test, type World } from './world.ts'

/** The insights of the day on which the test runs, in the zone of the browser. */
async function openToday(world: World): Promise<Page> {
  const { deps, clock } = world.service
  await rebuildInsights(deps)
  const page = await emptyPage(world, { viewport: { width: 1280, height: 860 }, timezoneId: 'Asia/Tokyo' })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(clock.now())
  await page.goto(`/insights?start_date=${today}&end_date=${today}`)
  await page.getByRole('region', { name: 'Accounts' }).getByText('Days are in').waitFor()
  return page
}

describe.skipIf(CHROMIUM === undefined)('the insights in the panel', () => {
  test('count by city and by category what is chosen, with shares and the time before', async ({ world }) => {
    const { service } = world
    const ghent = await givenProposal(service)
    await givenProposal(service)
    await service.deps.db
      .updateTable('products')
      .set({ city: 'Ghent' })
      .where('product_id', '=', ghent.requested)
      .execute()
    await givenProduct(service.deps, await service.given.user(), { city: 'Lyon' })
    const page = await openToday(world)
    const part = page.getByRole('region', { name: 'By city and category' })
    const rows = async () => {
      const texts = await part.getByRole('row').allInnerTexts()
      return texts.map((text) => text.split('\t').map((cell) => cell.trim()))
    }
    await expect.poll(rows).toContainEqual(['Ghent', '1', '50 %', '0', '–'])
    expect(await rows()).toContainEqual(['In all', '2', '100 %', '0', '–'])
    await part.getByRole('combobox', { name: 'What is counted' }).click()
    await page.getByRole('option', { name: 'Products listed' }).click()
    await expect.poll(rows).toContainEqual(expect.arrayContaining(['Lyon', '1']))
    await part.getByText('Category', { exact: true }).first().click()
    await part.getByRole('table', { name: 'Products listed: Category' }).waitFor()
    expect(new URL(page.url()).search).toContain('measure=products_listed&by=category')
    await expectAccessible(page, 'insights by category')
  })

  test('of more than three months are not by city, and say so', async ({ world }) => {
    const page = await openToday(world)
    await page.getByText('a year', { exact: true }).click()
    const part = page.getByRole('region', { name: 'By city and category' })
    await part.getByText('at most 92 days are counted').waitFor()
    expect(await part.getByRole('alert').count()).toBe(0)
  })

  test('say the total of each figure beside the time before, and by which days it is cut', async ({ world }) => {
    const { deps, clock } = world.service
    const { swapId } = await givenProposal(world.service)
    await givenProposal(world.service)
    const yesterday = new Date(clock.now() - 86_400_000)
    await deps.db.updateTable('swaps').set({ created_at: yesterday }).where('swap_id', '=', swapId).execute()
    const page = await openToday(world)
    const proposed = page.getByRole('region', { name: 'Swaps proposed' })
    const today = deps.db.selectFrom('swaps').select('swap_id').where('created_at', '>', yesterday)
    const count = (await today.execute()).length
    const figure = () => proposed.getByRole('group', { name: 'Swap requests' }).innerText()
    await expect.poll(figure).toMatch(new RegExp(`^Swap requests\\s+${count}\\s`))
    expect(await figure()).toMatch(/\n1 before$/)
    await proposed.getByText('Days are in your time zone, Asia/Tokyo.').waitFor()
    const users = page.getByRole('region', { name: 'Active users' })
    await users.getByText('Days are UTC days.').waitFor()
    expect(await users.getByText('time zone').count()).toBe(0)
  })

  test('name figures in one order, those of the time before after them', async ({ world }) => {
    const page = await openToday(world)
    const legend = page.getByRole('region', { name: 'Swaps completed' }).locator('[class*="-legendItemName"]')
    const names = ['Completed swaps', 'Swap requests']
    await expect.poll(() => legend.allInnerTexts()).toEqual([...names, ...names.map((name) => `${name}, before`)])
  })

  test('lead from each dot to the rows of its own figure', async ({ world }) => {
    await world.service.given.user({ status: 'suspended' })
    const page = await openToday(world)
    const chart = page.getByRole('region', { name: 'Accounts' }).locator('.recharts-surface').first()
    await chart.hover()
    await page.locator('circle[data-figure="inactive"]').click()
    await page.getByRole('heading', { level: 1, name: 'Accounts: Inactive accounts' }).waitFor()
    expect(new URL(page.url()).searchParams.get('key')).toBe('inactive')
  })
})
