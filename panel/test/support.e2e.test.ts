// Slow: a browser.
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { get, insertAccount, PASSWORD, post } from '../../server/test/support/accounts.ts'
import { startMailService, type MailService } from '../../server/test/support/mail.ts'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, testOn, type World } from './world.ts'

type MailWorld = World<MailService>

const DAY_MS = 86_400_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

// Failed sign-ins are counted only where limits are on.
const test = testOn(() => startMailService({ RATE_LIMITS: 'on' }))

/** A minute after the last one, so that no limit of calls is reached. */
async function entered(world: MailWorld, email = world.email): Promise<Page> {
  await world.service.clock.tick(60_000)
  return emptyPage({ ...world, email })
}

async function loggedIn({ app }: MailService, email: string, agent: string): Promise<string> {
  const login = await app.inject({
    method: 'POST',
    url: '/api/v1/login',
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': agent },
    payload: { email, password: PASSWORD },
  })
  return login.json().data.token
}

async function goodDialog(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  await expectAccessible(page, name, undefined, '[role="dialog"]')
  return dialog
}

describe.skipIf(CHROMIUM === undefined)('support in the panel', () => {
  test('answers “I cannot sign in”: failures of the day, where somebody is signed in, an end of it, two mails', async ({
    world,
  }) => {
    const { service } = world
    const { user_id: id, email } = await insertAccount(service.deps)
    const [first, second] = [await loggedIn(service, email, FIREFOX), await loggedIn(service, email, 'none')]
    const wrong = { email, password: 'a wrong password' }
    for (let round = 0; round < 2; round++) await post(service.app, '/api/v1/login', wrong)
    const page = await entered(world)
    await page.goto(`/users/${id}`)
    await page.getByText('Failed sign-ins since midnight (UTC): 2').waitFor()
    const firefox = page.getByText('Firefox on Linux', { exact: true })
    await firefox.waitFor()
    await expect.poll(() => page.getByText('203.0.113.0/24').count()).toBe(2)
    await page.setViewportSize({ width: 360, height: 740 })
    const end = page.getByRole('button', { name: 'End the session of Firefox on Linux…' })
    await end.waitFor()
    const label = `document.querySelector('[aria-label="End the session of Firefox on Linux…"] .mantine-Button-label')`
    expect(await page.evaluate(`${label}.scrollWidth - ${label}.clientWidth`)).toBe(0)
    await end.click()
    const one = await goodDialog(page, 'End the session of Firefox on Linux')
    await one.getByRole('button', { name: 'End the session' }).click()
    await firefox.waitFor({ state: 'detached' })
    expect((await get(service.app, '/api/v1/account', first)).statusCode).toBe(401)
    expect((await get(service.app, '/api/v1/account', second)).statusCode).toBe(200)

    await page.getByRole('button', { name: 'End all…' }).click()
    const all = await goodDialog(page, 'End all sessions of')
    await all.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('Nobody is signed in to this account.').waitFor()
    expect((await get(service.app, '/api/v1/account', second)).statusCode).toBe(401)

    const sends = async (opens: string, title: string) => {
      await page.getByRole('button', { name: opens }).click()
      const dialog = await goodDialog(page, title)
      await dialog.getByRole('button', { name: 'Send the mail' }).click()
      await dialog.waitFor({ state: 'hidden' })
      return service.tokenTo(email)
    }
    const address = await sends('Mail to confirm the address…', 'Send a mail to confirm the address')
    expect((await post(service.app, '/api/v1/email/confirm', { token: address })).statusCode).toBe(200)
    const token = await sends('Mail for a new password…', 'Send a mail for a new password')
    const reset = { token, password: 'another good password' }
    expect((await post(service.app, '/api/v1/password/reset', reset)).statusCode).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Mail for a new password…' }).waitFor()
    expect(await page.getByRole('button', { name: 'Mail to confirm the address…' }).count()).toBe(0)
  })

  test('suspends somebody for seven days by one press, and not until yesterday', async ({ world }) => {
    const { service } = world
    const { userId } = await service.given.user({ name: 'Sue Spended' })
    const page = await entered(world)
    const now = Math.floor(service.clock.now() / 60_000) * 60_000
    await page.clock.setFixedTime(now)
    await page.goto(`/users/${userId}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Suspend…' }).click()
    const dialog = await goodDialog(page, 'Suspend Sue Spended')
    await dialog.getByLabel('Reason').fill('Rude to others')
    await dialog.getByLabel('Until').fill('2020-01-01T00:00')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByText('must be in the future').waitFor()
    await dialog.getByRole('button', { name: '7 days' }).click()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.locator('#page :focus').waitFor()
    await page.getByRole('row', { name: /^Suspended until/ }).waitFor()
    const stored = service.deps.db.selectFrom('users').select(['status', 'status_reason', 'suspended_until'])
    expect(await stored.where('user_id', '=', userId).executeTakeFirst()).toEqual({
      status: 'suspended',
      status_reason: 'Rude to others',
      suspended_until: new Date(now + 7 * DAY_MS),
    })
  })

  test('leads from the history of somebody to the audit entries about them, of some days', async ({ world }) => {
    const { service } = world
    const { userId } = await service.given.user({ name: 'Ed Ited' })
    const panel = await givenPanel(service)
    await panel.patch('/user-update', { id: userId, city: 'Ghent' })
    const page = await entered(world)
    await page.goto(`/users/${userId}?tab=history`)
    await page.getByRole('link', { name: 'Every change, in the audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    const change = page.getByRole('row', { name: /Ghent/ })
    await change.waitFor()
    expect(await page.getByRole('combobox', { name: 'About' }).inputValue()).toBe('user')
    const params = () => new URL(page.url()).searchParams
    await page.getByLabel('From').fill('2999-01-01')
    await page.getByText('Nothing matches').waitFor()
    expect(params().get('timezone')).not.toBeNull()
    await page.getByLabel('From').fill('')
    await change.waitFor()
    expect(Object.fromEntries(params())).toEqual({ entity: 'user', entity_id: String(userId) })
    await expectAccessible(page, 'audit')
    await page.getByRole('button', { name: `no. ${userId}: take away` }).click()
    await expect.poll(() => Object.fromEntries(params())).toEqual({ entity: 'user' })
  })

  test('offers a moderator no link and no control that leads to a refusal', async ({ world }) => {
    const { service } = world
    const owner = await service.given.user({ name: 'Olga Owner' })
    const productId = await givenProduct(service.deps, owner, { title: 'Harp', verification: 'pending' })
    const { email, user_id: id } = await insertAccount(service.deps, { role: 'moderator' })
    const page = await entered(world, email)
    await page.goto('/verification')
    const card = page.getByRole('article', { name: 'Harp' })
    await card.getByText('Olga Owner').waitFor()
    expect(await card.getByRole('link').count()).toBe(0)
    await page.goto(`/products/${productId}`)
    await page.getByRole('row', { name: 'Owner Olga Owner' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete)…$/ }).count()).toBe(0)
    for (const path of ['/users', '/notifications', '/audit']) {
      await page.goto(path)
      await page.getByRole('alert').getByText('You have no right to do this').waitFor()
      expect(await page.locator('main').getByRole('button').count()).toBe(0)
      expect(await page.locator('main').getByRole('link').count()).toBe(0)
    }
    await page.goto(`/users/${id}`)
    await page.getByRole('heading', { level: 2, name: 'Sessions' }).waitFor()
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    const admin = await entered(world)
    await admin.goto(`/products/${productId}`)
    await admin.getByRole('link', { name: 'Olga Owner' }).click()
    await admin.getByRole('heading', { level: 1, name: 'Olga Owner' }).waitFor()
  })

  test('adds a user, and says what is wrong beside the field', async ({ world }) => {
    const page = await entered(world)
    await page.goto('/')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: 'Add a user' }).click()
    await page.getByRole('heading', { level: 1, name: 'Add a user' }).waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora New')
    await page.getByLabel('E-mail').fill('nora.new@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('hedgehogs9')
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'moderator' }).click()
    await page.getByRole('button', { name: 'Add the user' }).click()
    await page.getByText('must have at least 12 characters').waitFor()
    await expectAccessible(page, '/users/new')
    await page.getByRole('textbox', { name: 'Password' }).fill('hedgehogs at night')
    await page.getByRole('button', { name: 'Add the user' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nora New' }).waitFor()
    const added = world.service.deps.db.selectFrom('users').select(['name', 'role', 'status'])
    expect(await added.where('email', '=', 'nora.new@example.com').executeTakeFirst()).toEqual({
      name: 'Nora New',
      role: 'moderator',
      status: 'active',
    })
  })

  test('edits a product, and deletes it with a reason', async ({ world }) => {
    const { service } = world
    const id = await givenProduct(service.deps, await service.given.user(), { title: 'Drum', city: 'Lima' })
    const stored = JSON.stringify(['https://images.example/1.png', 'https://images.example/2.png'])
    await service.deps.db.updateTable('products').set({ images: stored }).where('product_id', '=', id).execute()
    const page = await entered(world)
    await page.goto(`/products/${id}`)
    await page.getByRole('button', { name: 'Edit…' }).click()
    const edit = await goodDialog(page, 'Edit Drum')
    await edit.getByLabel('Title').fill('Snare drum')
    await edit.getByLabel('City').fill('')
    await edit.getByLabel(/^Value/).fill('12.50')
    const images = edit.getByRole('list', { name: 'Images' }).getByRole('listitem')
    const [first, second, added] = [1, 2, 3].map((place) => `https://images.example/${place}.png`)
    await expect.poll(() => images.allInnerTexts()).toEqual([first, second])
    const address = edit.getByLabel('Address of another image')
    await address.fill('http://images.example/3.png')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('An address that begins with https://').waitFor()
    await address.fill(first!)
    await edit.getByRole('button', { name: 'Add', exact: true }).click()
    await edit.getByText('This image is there already.').waitFor()
    await address.fill(added!)
    await address.press('Enter')
    await edit.getByRole('button', { name: 'Image 3: forward' }).click()
    await edit.getByRole('button', { name: 'Image 1: remove' }).click()
    expect(await images.allInnerTexts()).toEqual([added, second])
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Snare drum' }).waitFor()
    await edit.waitFor({ state: 'hidden' })
    const product = service.deps.db
      .selectFrom('products')
      .select(['title', 'city', 'condition', 'images', 'estimated_value_cents'])
      .where('product_id', '=', id)
    expect(await product.executeTakeFirst()).toMatchObject({
      title: 'Snare drum',
      city: null,
      condition: 'good',
      images: [added, second],
    })
    expect(Number((await product.executeTakeFirstOrThrow()).estimated_value_cents)).toBe(1_250)
    await page.getByRole('button', { name: 'Delete…' }).click()
    const remove = await goodDialog(page, 'Delete Snare drum')
    await remove.getByLabel('Reason').fill('Stolen')
    await remove.getByRole('button', { name: 'Delete the product' }).click()
    await page.locator('main').getByText('deleted', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete)…$/ }).count()).toBe(0)
    const deleted = service.deps.db.selectFrom('products').select('deleted_at').where('product_id', '=', id)
    expect((await deleted.executeTakeFirstOrThrow()).deleted_at).not.toBeNull()
  })
})
