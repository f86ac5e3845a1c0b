import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test as base, vi } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { drain } from '../../server/test/support/drain.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { buildPanel } from '../build.ts'
import { CHROMIUM, expectAccessible, launchChromium } from './chromium.ts'

// The panel in a real browser against the real service.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

type World = { service: Service; url: string; browser: Browser; email: string }

const test = base.extend<'world', World>('world', { scope: 'file' }, async ({}, { onCleanup }) => {
  await buildPanel()
  const service = await startService()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launchChromium()
  const { email } = await insertAccount(service.deps, { role: 'admin' })
  onCleanup(async () => {
    await browser.close()
    await service.close()
  })
  return { service, url, browser, email }
})

/** A page that is signed in; faults of its scripts fail the test. */
async function signedIn({ browser, url, email }: World, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await opened({ browser, url }, '/', options)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  return page
}

async function opened({ browser, url }: Pick<World, 'browser' | 'url'>, path: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ baseURL: url, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => expect.soft(error.message, page.url()).toBe(''))
  await page.goto(path)
  return page
}

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

  test('approves the product that waits longest with one key', async ({ world }) => {
    const first = await givenWaitingProduct(world.service, 'Board game')
    await world.service.clock.tick(1_000)
    await givenWaitingProduct(world.service, 'Tent')
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Verification' }).click()
    await page.getByRole('article', { name: 'Board game' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('article', { name: 'Tent' }).waitFor()
    const { verification } = await world.service.deps.db
      .selectFrom('products')
      .select('verification')
      .where('product_id', '=', first)
      .executeTakeFirstOrThrow()
    expect(verification).toBe('verified')
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
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  test.for<[string, BrowserContextOptions]>([
    ['wide', { viewport: { width: 1280, height: 860 } }],
    ['wide and dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }],
    ['360 pixels wide', { viewport: { width: 360, height: 740 } }],
  ])('has no page that axe faults or that is wider than its window: %s', async ([, options], { world }) => {
    const page = await signedIn(world, options)
    const { userId } = await world.service.given.user()
    for (const path of PAGES.map((known) => known.replace(':user', String(userId)))) {
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
  '/products',
  '/verification',
  '/reports',
  '/swaps',
  '/subscriptions',
  '/notifications',
  '/notifications/new',
  '/delivery',
  '/insights',
  '/audit',
  '/account',
]

test.skipIf(CHROMIUM !== undefined)('SKIPPED: the panel was not opened, because there is no Chromium', () => undefined)
