import { readFile } from 'node:fs/promises'
import { describe, expect, test as plainTest, vi } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { parseCsv } from '../../server/test/support/downloads.ts'
import { drain } from '../../server/test/support/drain.ts'
import { givenProduct } from '../../server/test/support/marketplace.ts'
import { givenPanel } from '../../server/test/support/panel.ts'
import { givenReport } from '../../server/test/support/product-reports.ts'
import type { Service } from '../../server/test/support/service.ts'
import { createHandlers } from '../../server/src/handlers.ts'
import { CHROMIUM } from './chromium.ts'
import { opened, signedIn, test } from './world.ts'

// The panel in a real browser against the real service.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

async function givenWaitingProduct({ deps, given }: Service, title: string): Promise<number> {
  const { userId } = await given.user()
  const { category_id } = await deps.db
    .insertInto('categories')
    .values({ slug: `games-${userId}`, name: 'Games' })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  const at = new Date(deps.clock.now())
  const product = { user_id: userId, category_id, title, description: 'As new', condition: 'good' as const }
  const { product_id } = await deps.db
    .insertInto('products')
    .values({
      ...product,
      images: JSON.stringify([]),
      status: 'active',
      submitted_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('product_id')
    .executeTakeFirstOrThrow()
  return product_id
}

describe.skipIf(CHROMIUM === undefined)('the panel in Chromium', () => {
  test('says what is wrong with a sign-in, and leads back to where one was', async ({ world }) => {
    const page = await opened(world, '/users?status=active', {})
    await page.getByLabel('E-mail').fill(world.email)
    await page.getByLabel('Password').first().fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is not right.').waitFor()
    await page.getByLabel('Password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=active')
    const [cookie] = await page.context().cookies(`${world.url}/api`)
    expect(cookie).toMatchObject({ name: 'swapbell_session', httpOnly: true, sameSite: 'Strict' })
  })

  test('speaks the language of the browser, or the one that is chosen', async ({ world }) => {
    const page = await opened(world, '/users', { locale: 'es-ES' })
    await page.getByLabel('Correo electrónico').fill(world.email)
    await page.getByLabel('Contraseña').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usuarios' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    await page.getByText('administrador').first().waitFor()
    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Idioma' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('shows whom a campaign reaches, sends it once, and tells what became of it', async ({ world }) => {
    const { service } = world
    await service.given.user({ name: 'Ann', devices: [{}] })
    await service.given.user({ name: 'Ben', devices: [{}], notification: '0' })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('link', { name: 'Write a campaign' }).first().click()
    const title = '<img src=x onerror=alert(1)> Swap weekend'
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text').fill('Three new items near you')
    await page.getByText(/^Reaches 1 of/).waitFor()
    await page.getByRole('button', { name: 'Send…' }).click()
    await page.getByRole('button', { name: 'Send to one user' }).dblclick()
    await page.getByRole('heading', { level: 2, name: 'Recipients' }).waitFor()
    await drain(service)
    await page.getByText('Pending Receipt').waitFor()
    expect(await page.getByRole('heading', { level: 1, name: title }).count()).toBe(1)
    const sent = await service.deps.db.selectFrom('messages').select('title').where('title', '=', title).execute()
    expect(sent).toHaveLength(1)
  })

  test('halts all sending for a reason after a typed word, says who did, and resumes', async ({ world }) => {
    const page = await signedIn(world)
    await page.goto('/delivery')
    await page.getByRole('button', { name: 'Halt sending' }).click()
    const confirm = page.getByRole('button', { name: 'Halt all sending' })
    await page.getByLabel('Why').fill('The text names the wrong shop')
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type HALT to confirm').fill('HALT')
    await confirm.click()
    await page.getByRole('alert').getByText('The text names the wrong shop').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^Sending was halted by /)
      .waitFor()
    const state = world.service.deps.db.selectFrom('provider_state').select(['breaker', 'breaker_code'])
    expect(await state.execute()).toEqual([{ breaker: 'halted', breaker_code: 'HaltedByHand' }])
    await page.getByRole('button', { name: 'Resume sending' }).click()
    await page.getByRole('button', { name: 'Halt sending' }).waitFor()
    expect(await state.execute()).toEqual([{ breaker: 'closed', breaker_code: null }])
  })

  test('brings back the devices that the provider called gone on a day', async ({ world }) => {
    const { given, deps } = world.service
    const users = [await given.user({ devices: [{}] }), await given.user({ devices: [{}] })]
    const ids = users.map(({ userId }) => userId)
    const removed = { removed_at: new Date(deps.clock.now()), removed_reason: 'DeviceNotRegistered' }
    await deps.db.updateTable('mobile_devices').set(removed).where('user_id', 'in', ids).execute()
    const page = await signedIn(world)
    await page.goto('/delivery')
    await page.getByRole('button', { name: /^Bring back those of/ }).click()
    await page.getByRole('button', { name: 'Bring back 2' }).click()
    await page.getByText('2 devices are back.').waitFor()
    const live = deps.db.selectFrom('mobile_devices').select('id').where('user_id', 'in', ids)
    expect(await live.where('removed_at', 'is', null).execute()).toHaveLength(2)
  })

  test('approves the product that waits longest with one key', async ({ world }) => {
    const first = await givenWaitingProduct(world.service, 'Board game')
    await world.service.clock.tick(1_000)
    await givenWaitingProduct(world.service, 'Tent')
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Verification' }).click()
    await page.getByRole('article', { name: 'Board game' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('article', { name: 'Tent' }).waitFor()
    const verification = async () => {
      const products = world.service.deps.db.selectFrom('products').select('verification')
      return (await products.where('product_id', '=', first).executeTakeFirstOrThrow()).verification
    }
    // Nobody is told for five seconds: until then one key takes the decision back.
    await page.keyboard.press('z')
    await page.getByRole('article', { name: 'Board game' }).waitFor()
    expect(await verification()).toBe('pending')
    await page.keyboard.press('a')
    await page.getByText('Board game: approved. The owner is told.').waitFor()
    expect(await verification()).toBe('verified')
  })

  test('decides about a reported product by keyboard, with a reason', async ({ world }) => {
    const { service } = world
    const productId = await givenProduct(service.deps, await service.given.user(), { title: 'Watch' })
    await givenReport(service.deps, { productId, reporterId: (await service.given.user()).userId })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Reports desk' }).click()
    await page.getByRole('article', { name: 'Watch' }).getByText('scam').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByText('It appears to be a counterfeit.').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the product' }).click()
    await page.getByText('Watch: remove. Nobody is told yet.').waitFor()
    // Leaving the desk makes the decision final.
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByText('Watch: removed.').waitFor()
    const products = service.deps.db.selectFrom('products').select('status').where('product_id', '=', productId)
    expect(await products.executeTakeFirst()).toEqual({ status: 'removed' })
  })

  test('gives and takes a role after the name was typed', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Mo Derator' })
    const page = await signedIn(world)
    const account = world.service.deps.db.selectFrom('users').select(['role', 'username'])
    const stored = () => account.where('user_id', '=', userId).executeTakeFirstOrThrow()
    const { username } = await stored()
    await page.getByRole('link', { name: 'Administrators' }).click()
    await page.getByRole('button', { name: 'Give a role…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Account' }).fill('Mo Derator')
    await page.getByRole('option', { name: /^Mo Derator/ }).click()
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'moderator' }).click()
    const give = dialog.getByRole('button', { name: 'Give the role' })
    expect(await give.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${username} to confirm`).fill(username)
    await give.click()
    await dialog.getByLabel('New password').first().fill('a long password indeed')
    await give.click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).role).toBe('moderator')
    await page
      .getByRole('row', { name: /Mo Derator/ })
      .getByRole('button', { name: 'Take away…' })
      .click()
    await dialog.getByLabel(`Type ${username} to confirm`).fill(username)
    await dialog.getByRole('button', { name: 'Take the role away' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).role).toBe('user')
  })

  test('makes an export in the background, whose file has every user of the database', async ({ world }) => {
    const { service } = world
    await service.given.user({ name: 'Zoë "Quote", Comma' })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'In the background (CSV)' }).click()
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor()
    await page.getByText('queued').waitFor()
    const [{ export_id: exportId } = { export_id: 0 }] = await service.deps.db
      .selectFrom('exports')
      .select('export_id')
      .execute()
    await createHandlers(service.deps)['run-export']({ exportId }, new AbortController().signal)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await (await downloading).path()
    const [header = [], ...rows] = parseCsv(await readFile(file, 'utf8'))
    const users = service.deps.db.selectFrom('users').select(['user_id', 'name']).where('deleted_at', 'is', null)
    const stored = (await users.execute()).map(({ user_id, name }) => [String(user_id), name])
    const [id, name] = [header.indexOf('id'), header.indexOf('name')]
    const written = rows.map((row) => [row[id], row[name]])
    expect(written).toHaveLength(stored.length)
    expect(new Map(written as [string, string][])).toEqual(new Map(stored as [string, string][]))
  })

  test('says that the service cannot be reached, and goes on when it is back', async ({ world }) => {
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByText('No groups yet').waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Plans' }).click()
    await page.getByText('The service cannot be reached.').waitFor({ timeout: 20_000 })
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No plans yet').waitFor()
  })

  test('pauses and resumes a campaign', async ({ world }) => {
    const { service } = world
    await service.given.user({ devices: [{}] })
    const panel = await service.given.admin()
    const sent = await service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification-all',
      headers: panel.headers,
      payload: { title: 'Pause me', text: 'Near you' },
    })
    const id = sent.json<{ data: { notification_id: number } }>().data.notification_id
    const status = async () => {
      const rows = service.deps.db.selectFrom('messages').select('status').where('message_id', '=', id)
      return (await rows.executeTakeFirstOrThrow()).status
    }
    const page = await signedIn(world)
    await page.goto(`/notifications/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await drain(service)
    expect(await status()).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await drain(service)
    expect(await status()).toBe('completed')
  })

  test('never shows the same product to two moderators', async ({ world }) => {
    const { service } = world
    await service.deps.db.updateTable('products').set({ verification: 'verified' }).execute()
    await givenWaitingProduct(service, 'Kayak')
    await service.clock.tick(1_000)
    await givenWaitingProduct(service, 'Sledge')
    const { email } = await insertAccount(service.deps, { role: 'moderator' })
    const first = await signedIn(world)
    await first.goto('/verification')
    await first.getByRole('article', { name: 'Kayak' }).waitFor()
    const second = await signedIn({ ...world, email })
    await second.goto('/verification')
    await second.getByRole('article', { name: 'Sledge' }).waitFor()
    await second.getByText('looks at one of them now').waitFor()
    await first.goto('/')
    await second.getByText('looks at one of them now').waitFor({ state: 'hidden' })
    await second.getByRole('article', { name: 'Sledge' }).waitFor()
    await second.keyboard.press('a')
    await second.getByRole('article', { name: 'Kayak' }).waitFor()
  })

  test('goes to the sign-in page when the session was ended elsewhere', async ({ world }) => {
    const { deps } = world.service
    const page = await signedIn(world)
    const { user_id } = await deps.db
      .selectFrom('users')
      .select('user_id')
      .where('email', '=', world.email)
      .executeTakeFirstOrThrow()
    await deps.db.deleteFrom('sessions').where('user_id', '=', user_id).execute()
    deps.sessions.forget(user_id)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.waitForURL('**/sign-in*')
    await page.getByLabel('E-mail').waitFor()
  })

  test('merges what two administrators change in one account, and asks where both changed the same', async ({
    world,
  }) => {
    const { userId } = await world.service.given.user({ name: 'Ann Lee' })
    const page = await signedIn(world)
    await page.goto(`/users/${userId}`)
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

  test('keeps the choice of columns in the address', async ({ world }) => {
    const page = await signedIn(world)
    await page.goto('/users?sort_by=name')
    await page.getByRole('columnheader', { name: 'Phones' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Phones' }).uncheck()
    await page.getByRole('columnheader', { name: 'Phones' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Swaps' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Phones' }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('sort_by')).toBe('name')
  })

  test('leads from an audit entry to the record as it was before, and as it is', async ({ world }) => {
    const { userId } = await world.service.given.user({ name: 'Nora Past' })
    const panel = await givenPanel(world.service)
    for (const city of ['Ghent', 'Bruges']) {
      await panel.patch('/user-update', { id: userId, city })
      await world.service.clock.tick(1_000)
    }
    const page = await signedIn(world)
    await page.goto(`/audit?entity=user&entity_id=${userId}`)
    await page
      .getByRole('link', { name: `user no. ${userId}` })
      .first()
      .click()
    await page.getByRole('row', { name: /^city Ghent Bruges/ }).waitFor()
  })

  test('does not offer another try where it would end the same', async ({ world }) => {
    const page = await signedIn(world)
    await page.goto('/users/999999')
    await page.getByText('This is not there, or not any more').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('leads from a figure to its rows, and saves figures and picture', async ({ world }) => {
    const page = await signedIn(world)
    await world.service.given.user()
    await createHandlers(world.service.deps)['refresh-insights']({}, new AbortController().signal)
    const today = new Date(world.service.clock.now()).toISOString().slice(0, 10)
    await page.goto(`/insights?start_date=${today}&end_date=${today}`)
    const accounts = page.getByRole('region', { name: 'Accounts' })
    const saved = async (item: string) => {
      const download = page.waitForEvent('download')
      await accounts.getByRole('button', { name: 'Accounts: download' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      return (await download).suggestedFilename()
    }
    expect(await saved('Picture (PNG)')).toBe('active-inactive-accounts.png')
    expect(await saved('Figures (CSV)')).toBe('active-inactive-accounts.csv')
    await accounts.getByText('Table').click()
    const figure = accounts.getByRole('row').nth(1).getByRole('link').first()
    const count = await figure.innerText()
    await figure.click()
    await page.getByText(`${count} in all`).waitFor()
  })

  test('suspends everybody who matches, shows the result of each, and takes it back', async ({ world }) => {
    const { service } = world
    for (const name of ['Carol', 'Dora', 'Eve']) await service.given.user({ name: `${name} Bulkson` })
    const statuses = async () => {
      const rows = service.deps.db.selectFrom('users').select('status').where('name', 'like', '% Bulkson')
      return (await rows.execute()).map(({ status }) => status)
    }
    const page = await signedIn(world)
    await page.goto('/users?search=Bulkson&per_page=2')
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 3 that match' }).click()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByRole('menuitem', { name: 'Suspend…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('One person')
    await page.getByRole('button', { name: 'Show whom' }).click()
    await page.getByText('3 of 3 accounts will change').waitFor()
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('0 changed, 3 to go').waitFor()
    await drain(service)
    await page.getByText('Done: 3 changed').waitFor()
    expect(await statuses()).toEqual(['suspended', 'suspended', 'suspended'])
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Take a change back' }).waitFor()
    await drain(service)
    await page.getByText('Done: 3 changed').waitFor()
    expect(await statuses()).toEqual(['active', 'active', 'active'])
  })
})

plainTest.skipIf(CHROMIUM !== undefined)(
  'SKIPPED: the panel was not opened, because there is no Chromium',
  () => undefined,
)
