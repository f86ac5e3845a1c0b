// Slow: a browser.
import { describe, expect } from 'vitest'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, signedInAt, test } from './world.ts'

// What the page has read is a minute old when somebody comes back to it.
const LOOK_LATER = `{ const now = Date.now; Date.now = () => now() + 60_000 }
  dispatchEvent(new Event('visibilitychange'))`

describe.skipIf(CHROMIUM === undefined)('an edit in the panel that meets another one', () => {
  test('merges what two administrators change in one account, and asks where both changed the same', async ({
    world,
  }) => {
    const { userId } = await world.service.given.user({ name: 'Ann Lee' })
    const page = await signedInAt(world, `/users/${userId}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Anna Lee')
    await dialog.getByLabel('City').fill('Ghent')
    const other = await givenPanel(world.service)
    await other.patch('/user-update', { id: userId, city: 'Bruges', phone: '+32 9 123' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else has changed this account').waitFor()
    await dialog.getByLabel('Yours: Ghent').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const saved = world.service.deps.db.selectFrom('users').select(['name', 'city', 'phone'])
    expect(await saved.where('user_id', '=', userId).executeTakeFirst()).toEqual({
      name: 'Anna Lee',
      city: 'Ghent',
      phone: '+32 9 123',
    })
  })

  test('says nothing of a refusal when somebody else has made the same change of an account', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Sam Change' })
    const page = await signedInAt(world, `/users/${userId}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('City').fill('Ghent')
    await (await givenPanel(world.service)).patch('/user-update', { id: userId, city: 'Ghent' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sam Change already is as you want it.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
  })

  test('closes the dialog of a record when the address leads to another one', async ({ world }) => {
    const { given } = world.service
    for (const name of ['Una First', 'Dua Second']) await given.user({ name })
    const page = await signedInAt(world, '/users')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    for (const name of ['Una First', 'Dua Second', 'Una First']) {
      await page.keyboard.press('Control+k')
      const field = page.getByPlaceholder('Users, products, campaigns, pages')
      await field.fill(name)
      await page.locator('[data-action]', { hasText: name }).click()
      await field.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Dua Second', includeHidden: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('refuses to save over what somebody else has changed while the dialog was open', async ({ world }) => {
    const { service } = world
    const productId = await givenProduct(service.deps, await service.given.user(), { title: 'Canoe' })
    const category = service.deps.db.insertInto('categories').values({ slug: 'boats', name: 'Boats' })
    const { category_id: categoryId } = await category.returning('category_id').executeTakeFirstOrThrow()
    const other = await givenPanel(service)
    const page = await emptyPage(world)
    page.on('dialog', (question) => void question.accept())
    const dialog = page.getByRole('dialog')
    const saveAfter = async (field: string, path: string, change: () => Promise<unknown>) => {
      await dialog.getByRole('textbox', { name: field, exact: true }).fill('Mine')
      await change()
      const isRead = page.waitForResponse((answer) => answer.url().includes(path))
      await page.evaluate(LOOK_LATER)
      await isRead
      for (const _ of ['at first', 'again']) {
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.getByText('Somebody else has changed this meanwhile').waitFor()
      }
    }
    await page.goto(`/products/${productId}`)
    await page.getByRole('button', { name: 'Edit…' }).click()
    await saveAfter('Title', `/products/${productId}`, () =>
      other.patch('/product-update', { id: productId, title: 'Theirs' }),
    )
    await page.goto('/categories')
    await page
      .getByRole('row', { name: /^Boats/ })
      .getByRole('button', { name: 'Edit…' })
      .click()
    await saveAfter('Name', '/categories', () => other.patch(`/categories/${categoryId}`, { name: 'Theirs' }))
    const titles = service.deps.db.selectFrom('products').select('title').where('product_id', '=', productId)
    expect(await titles.executeTakeFirst()).toEqual({ title: 'Theirs' })
    const names = service.deps.db.selectFrom('categories').select('name').where('category_id', '=', categoryId)
    expect(await names.executeTakeFirst()).toEqual({ name: 'Theirs' })
  })
})
