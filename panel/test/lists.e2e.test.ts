import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, vi } from 'vitest'
import { CHROMIUM } from './chromium.ts'
import { signedIn, test, type World } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const TICKS = 6

async function givenHundred({ service }: World): Promise<void> {
  await sql`insert into users (username, email, name, password_hash, status)
    select 'many' || n, 'many' || n || '@example.com', 'Many ' || lpad(n::text, 3, '0'), 'x', 'active'
    from generate_series(1, 100) n on conflict do nothing`.execute(service.deps.db)
}

function firstRow(page: Page) {
  return page.locator('main tbody tr').first()
}

/** The milliseconds that the page works for some ticks; a busy machine changes them little. */
async function workOfTicks(page: Page, perPage: number): Promise<number> {
  await page.goto(`/users?search=Many&per_page=${perPage}`)
  const boxes = page.getByLabel(/^Select no/)
  await boxes.nth(perPage - 1).waitFor()
  await boxes.first().check()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1_000 * metrics.find(({ name }) => name === 'ScriptDuration')!.value
  }
  const before = await worked()
  for (let place = 1; place <= TICKS; place += 1) await boxes.nth(place).check()
  return (await worked()) - before
}

describe.skipIf(CHROMIUM === undefined)('a list of the panel', () => {
  test('shows its old rows, and by what it will be sorted, until the new ones are there', async ({ world }) => {
    await givenHundred(world)
    const page = await signedIn(world)
    await page.goto('/users?search=Many&sort_by=name&sort_order=asc')
    await firstRow(page).getByText('Many 001').waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route('**/v1/users?*', async (route) => {
      await answer.promise
      await route.continue()
    })
    const heading = page.getByRole('columnheader', { name: 'Name' })
    await heading.getByRole('button').click()
    await page.getByLabel('Loading').waitFor()
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    expect(await firstRow(page).innerText()).toContain('Many 001')
    answer.resolve()
    await firstRow(page).getByText('Many 100').waitFor()
  })

  test('begins a search at Enter, and asks once for what is typed', async ({ world }) => {
    await givenHundred(world)
    const page = await signedIn(world)
    await page.goto('/users')
    await firstRow(page).waitFor()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/v1/users?') && asked.push(request.url()))
    await page.getByLabel('Name, username or e-mail').fill('Many 042')
    await page.keyboard.press('Enter')
    await page.getByText('1 in all').waitFor()
    expect(asked).toHaveLength(1)
    expect(new URL(page.url()).searchParams.get('search')).toBe('Many 042')
  })

  test('draws only the row that is ticked', async ({ world }) => {
    await givenHundred(world)
    const page = await signedIn(world)
    const few = await workOfTicks(page, 10)
    const many = await workOfTicks(page, 100)
    expect(many).toBeLessThan(3 * few)
  })

  test('shows the exact instant of a moment under the pointer', async ({ world }) => {
    const page = await signedIn(world)
    await page.goto('/users')
    const moment = page.locator('main time').first()
    const instant = await moment.getAttribute('datetime')
    await moment.hover()
    await page.getByRole('tooltip').getByText(instant!).waitFor()
  })

  test('tells in the language of the panel why it is refused, and keeps what the API says', async ({ world }) => {
    const page = await signedIn(world)
    await page.evaluate("localStorage.setItem('language', 'es')")
    await page.goto('/users/999999')
    await page.getByRole('alert').getByText('Esto no existe o ya no está').waitFor()
    await page.getByRole('alert').getByText('does not exist').waitFor()
  })
})
