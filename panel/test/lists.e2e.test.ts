// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedInAt, test, type World } from './world.ts'

async function givenHundred({ service: { deps } }: World): Promise<void> {
  const at = new Date(deps.clock.now())
  const users = Array.from({ length: 100 }, (_, place) => {
    const number = String(place + 1).padStart(3, '0')
    const names = { username: `many${number}`, email: `many${number}@example.com`, name: `Many ${number}` }
    return { ...names, password_hash: 'x', created_at: at, updated_at: at }
  })
  await deps.db
    .insertInto('users')
    .values(users)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function firstRow(page: Page) {
  return page.locator('main tbody tr').first()
}

describe.skipIf(CHROMIUM === undefined)('a list of the panel', () => {
  test('shows its old rows, and by what it will be sorted, until the new ones are there', async ({ world }) => {
    await givenHundred(world)
    const page = await signedInAt(world, '/users?search=Many&sort_by=name&sort_order=asc')
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
    const page = await signedInAt(world, '/users')
    await firstRow(page).waitFor()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/v1/users?') && asked.push(request.url()))
    await page.getByLabel('Name, username, e-mail, phone').fill('Many 042')
    await page.keyboard.press('Enter')
    await page.getByText('1 in all').waitFor()
    expect(asked).toHaveLength(1)
    expect(new URL(page.url()).searchParams.get('search')).toBe('Many 042')
  })

  test('is reached from everywhere: Ctrl-K before the search is loaded, and Enter for its first hit', async ({
    world,
  }) => {
    await givenHundred(world)
    const page = await emptyPage(world)
    const loaded = Promise.withResolvers<void>()
    await page.route(/assets\/palette/, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.goto('/users')
    await firstRow(page).waitFor()
    await page.keyboard.press('Control+k')
    loaded.resolve()
    await page.getByRole('textbox', { name: 'Search everything' }).fill('Many 042')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Many 042' }).waitFor()
  })

  test('keeps what is typed while an earlier search runs, and follows the back button', async ({ world }) => {
    await givenHundred(world)
    const page = await signedInAt(world, '/users')
    await firstRow(page).waitFor()
    const field = page.getByLabel('Name, username, e-mail, phone')
    await field.pressSequentially('Many 042', { delay: 90 })
    await page.getByText('1 in all', { exact: true }).waitFor()
    expect(await field.inputValue()).toBe('Many 042')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('101 in all').waitFor()
    expect(await field.inputValue()).toBe('')
    await page.goBack()
    await page.getByText('1 in all', { exact: true }).waitFor()
    expect(await field.inputValue()).toBe('Many 042')
  })

  test('keeps a space that is typed just after a search began', async ({ world }) => {
    const page = await signedInAt(world, '/users')
    await firstRow(page).waitFor()
    const field = page.getByLabel('Name, username, e-mail, phone')
    await field.focus()
    // The router changes the address before it draws the list of it.
    await page.evaluate(`{
      const input = document.activeElement
      const write = (text) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text)
        input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      const pushState = history.pushState.bind(history)
      history.pushState = (...state) => {
        pushState(...state)
        if (input.value === 'Ma') write('Ma ')
      }
      write('Ma')
    }`)
    await page.waitForURL('**/users?search=Ma')
    await page.getByLabel('Loading').waitFor({ state: 'hidden' })
    expect(await field.inputValue()).toBe('Ma ')
  })

  test('that is left for a slow page does not change its address, and a skeleton replaces it', async ({ world }) => {
    const page = await signedInAt(world, '/notifications')
    const search = page.getByLabel('Title or text')
    await search.waitFor()
    const loaded = Promise.withResolvers<void>()
    await page.route(/assets\/compose/, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.clock.install()
    await search.fill('weekend')
    await page.getByRole('link', { name: 'Write a campaign' }).first().click()
    await page.waitForURL('**/notifications/new*')
    await page.clock.runFor(200)
    await page.clock.runFor(200)
    await page.locator('main').getByRole('status', { name: 'Loading' }).waitFor()
    await search.waitFor({ state: 'hidden' })
    loaded.resolve()
    await page.clock.resume()
    await page.getByRole('heading', { level: 1, name: 'Write a campaign' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('draws again only the row that is ticked', async ({ world }) => {
    await givenHundred(world)
    const page = await signedInAt(world, '/users?search=Many&per_page=100')
    const boxes = page.getByLabel(/^Select no/)
    await boxes.nth(99).waitFor()
    // Each row that is drawn reads the moment of its registration.
    await page.evaluate(
      `window.read = 0
       const parse = Date.parse
       Date.parse = (text) => { window.read += 1; return parse(text) }`,
    )
    const read: number[] = []
    for (const place of [0, 1, 2]) {
      await boxes.nth(place).check()
      read.push(await page.evaluate<number>('window.read'))
      await page.evaluate('window.read = 0')
    }
    // All rows are drawn when another minute has begun.
    expect(Math.min(...read)).toBe(1)
  })

  test('shows the exact instant of a moment under the pointer', async ({ world }) => {
    const page = await signedInAt(world, '/users')
    const moment = page.locator('main time').first()
    const instant = await moment.getAttribute('datetime')
    await moment.hover()
    await page.getByRole('tooltip').getByText(instant!).waitFor()
  })

  test('shows a refusal and what the API says of it in the language of the panel', async ({ world }) => {
    const page = await emptyPage(world)
    await page.addInitScript("localStorage.setItem('language', 'es')")
    await page.goto('/users/999999')
    await page.getByRole('alert').getByText('Esto no existe o ya no está').waitFor()
    await page.getByRole('alert').getByText('Este usuario no existe.').waitFor()
  })
})
