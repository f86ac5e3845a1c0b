// Slow: a browser.
import { describe, expect } from 'vitest'
import { CHROMIUM } from './chromium.ts'
import { signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  test('sorts names from A by the first click, and prints the rows of a list with their headings alone', async ({
    world,
  }) => {
    for (const name of ['Zoe Amsel', 'Ada Amsel']) await world.service.given.user({ name })
    const page = await signedInAt(world, '/users?search=Amsel')
    const heading = page.getByRole('columnheader', { name: 'Name' })
    await heading.getByRole('button').click()
    await page.locator('th[aria-sort="ascending"]').waitFor()
    const names = page.getByRole('link', { name: /Amsel$/ })
    await expect.poll(() => names.allInnerTexts()).toEqual(['Ada Amsel', 'Zoe Amsel'])
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
    for (const part of [page.locator('header'), page.getByRole('search'), page.getByRole('button', { name: 'Export' })])
      expect(await part.first().isVisible()).toBe(false)
    for (const part of [names.first(), heading.getByText('Name')]) expect(await part.isVisible()).toBe(true)
  })

  test('saves once, though Enter is pressed twice', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Ada' })
    const page = await signedInAt(world, `/users/${userId}`)
    let calls = 0
    const answered = Promise.withResolvers<void>()
    await page.route('**/user-update', async (route) => {
      calls++
      await answered.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Grace')
    await name.press('Enter')
    await name.press('Enter')
    answered.resolve()
    await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor()
    expect(calls).toBe(1)
  })

  test('shows a push in Arabic from the right, as a phone does', async ({ world }) => {
    const page = await signedInAt(world, '/notifications/new')
    await page.getByLabel('Title').first().fill('مرحبا')
    const shown = page.getByRole('region', { name: 'Preview' }).getByText('مرحبا').first()
    await shown.waitFor()
    expect(await shown.evaluate((element) => element.matches(':dir(rtl)'))).toBe(true)
  })

  test('says what every permission of a role is for', async ({ world }) => {
    const page = await signedInAt(world, '/administrators')
    await page.getByRole('rowheader', { name: 'approve or refuse requests of other administrators' }).waitFor()
    const rows = await page.getByRole('rowheader').allInnerTexts()
    expect(rows.filter((text) => text.split(' ').length < 3)).toEqual([])
  })
})
