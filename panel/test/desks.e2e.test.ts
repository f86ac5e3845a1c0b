// Slow: a browser.
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { CHROMIUM } from './chromium.ts'
import { givenWaitingProduct, passTime, untilWaiting } from './desks.ts'
import { emptyPage, signedInAt, test } from './world.ts'

const LEASE_MS = 120_000

describe.skipIf(CHROMIUM === undefined)('the desks of the panel', () => {
  test('approves the product that waits longest with one key', async ({ world }) => {
    const first = await givenWaitingProduct(world.service, 'Board game')
    await world.service.clock.tick(1_000)
    await givenWaitingProduct(world.service, 'Tent')
    const page = await signedInAt(world, '/verification')
    await page.getByRole('article', { name: 'Board game' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('article', { name: 'Tent' }).waitFor()
    const verification = async () => {
      const products = world.service.deps.db.selectFrom('products').select('verification')
      return (await products.where('product_id', '=', first).executeTakeFirstOrThrow()).verification
    }
    // Nobody is told for five seconds: until then one key takes the decision back.
    await page.getByText('Board game: approved. Nobody is informed yet.').waitFor()
    await untilWaiting(world.service, 1)
    await page.keyboard.press('z')
    await page.getByRole('article', { name: 'Board game' }).waitFor()
    await untilWaiting(world.service, 0)
    expect(await verification()).toBe('pending')
    await page.keyboard.press('a')
    await page.getByText('Board game: approved. Nobody is informed yet.').waitFor()
    await passTime(world.service)
    await page.getByText('Board game: approved. The owner is informed.').waitFor()
    expect(await verification()).toBe('verified')
  })

  test('keeps each decision, however fast they are made, also when the panel is left; Z undoes one after the other', async ({
    world,
  }) => {
    const { service } = world
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    for (const title of ['Chair', 'Desk', 'Shelf', 'Stool']) {
      await givenWaitingProduct(service, title)
      await service.clock.tick(1_000)
    }
    const pending = service.deps.db.selectFrom('products').select('title').where('verification', '=', 'pending')
    const page = await signedInAt(world, '/verification')
    for (const title of ['Chair', 'Desk', 'Shelf']) {
      await page.getByRole('article', { name: title }).waitFor()
      await page.keyboard.press('a')
      await page.getByText(`${title}: approved. Nobody is informed yet.`).waitFor()
    }
    await untilWaiting(service, 3)
    await page.keyboard.press('z')
    await page.getByRole('article', { name: 'Shelf' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('article', { name: 'Desk' }).waitFor()
    await untilWaiting(service, 1)
    expect(await pending.execute()).toHaveLength(4)
    await page.reload()
    await page.getByText('Nobody is informed yet.').waitFor()
    await page.close()
    await passTime(service)
    expect((await pending.execute()).map(({ title }) => title).toSorted()).toEqual(['Desk', 'Shelf', 'Stool'])
  })

  test('names the product when nothing was decided, and asks for a sign-in without losing the decision', async ({
    world,
  }) => {
    const { service } = world
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    await givenWaitingProduct(service, 'Kettle')
    const page = await signedInAt(world, '/verification')
    await page.getByRole('article', { name: 'Kettle' }).waitFor()
    await page.context().setOffline(true)
    await page.keyboard.press('a')
    await page.getByText('Kettle').and(page.locator('.mantine-Notification-title')).waitFor()
    await page.getByText('it is not known whether this was done').waitFor()
    await page.getByRole('article', { name: 'Kettle' }).waitFor()
    await page.context().setOffline(false)
    const over = { success: false, error: 'Not signed in.', code: 'UNAUTHENTICATED' }
    await page.route('**/mark-product-verified/*', (route) => route.fulfill({ status: 401, json: over }), { times: 1 })
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').first().fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Kettle: approved. Nobody is informed yet.').waitFor()
    await passTime(service)
    await page.getByText('Kettle: approved. The owner is informed.').waitFor()
  })

  test('decides nothing by a key of a sequence, and once by a key that is held down', async ({ world }) => {
    const { service } = world
    const products = service.deps.db.updateTable('products')
    await products.set({ verification: 'verified' }).execute()
    for (const title of ['Lamp', 'Rug', 'Vase']) {
      await givenWaitingProduct(service, title)
      await service.clock.tick(1_000)
    }
    const pending = service.deps.db.selectFrom('products').select('title').where('verification', '=', 'pending')
    const page = await signedInAt(world, '/verification')
    await page.getByRole('article', { name: 'Lamp' }).waitFor()
    await page.keyboard.press('?')
    const shown = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await shown.getByRole('row', { name: 'A Approve', exact: true }).waitFor()
    await page.keyboard.press('a')
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    expect(await pending.execute()).toHaveLength(3)
    await page.goBack()
    await page.getByRole('article', { name: 'Lamp' }).waitFor()
    for (let times = 0; times < 6; times++) await page.keyboard.down('a')
    await page.keyboard.up('a')
    await page.getByText('Lamp: approved. Nobody is informed yet.').waitFor()
    await passTime(service)
    await page.getByText('Lamp: approved. The owner is informed.').waitFor()
    expect((await pending.execute()).map(({ title }) => title).toSorted()).toEqual(['Rug', 'Vase'])
  })

  test('takes the key after G for a page however late it comes, and no letter where they are switched off', async ({
    world,
  }) => {
    const { service } = world
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    await givenWaitingProduct(service, 'Tent')
    const pending = service.deps.db.selectFrom('products').select('title').where('verification', '=', 'pending')
    const page = await emptyPage(world)
    const atDesk = async () => {
      await page.goto('/verification')
      await page.getByRole('article', { name: 'Tent' }).waitFor()
    }
    await atDesk()
    await page.keyboard.press('g')
    await page.evaluate(`{
      const late = new KeyboardEvent('keydown', { key: 'a' })
      Object.defineProperty(late, 'timeStamp', { value: performance.now() + 60_000 })
      dispatchEvent(late)
    }`)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.goto('/account')
    await page.getByRole('switch', { name: 'Letters as shortcuts' }).uncheck()
    await atDesk()
    for (const key of ['a', 'r', '?', 'g', 'a']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    expect(await pending.execute()).toHaveLength(1)
  })

  test('never shows the same product to two moderators', async ({ world }) => {
    const { service } = world
    // Browsers that were closed at a desk have left their leases.
    await service.clock.tick(LEASE_MS + 1)
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    await givenWaitingProduct(service, 'Kayak')
    await service.clock.tick(1_000)
    await givenWaitingProduct(service, 'Sledge')
    const { email } = await insertAccount(service.deps, { role: 'moderator' })
    const first = await signedInAt(world, '/verification')
    await first.getByRole('article', { name: 'Kayak' }).waitFor()
    const second = await signedInAt({ ...world, email }, '/verification')
    await second.getByRole('article', { name: 'Sledge' }).waitFor()
    await second.getByText('looks at one of them now').waitFor()
    await first.goto('/')
    await second.getByText('looks at one of them now').waitFor({ state: 'hidden' })
    await second.getByRole('article', { name: 'Sledge' }).waitFor()
    await second.keyboard.press('a')
    await second.getByRole('article', { name: 'Kayak' }).waitFor()
  })
})
