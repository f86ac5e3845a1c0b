// Slow: a browser.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, vi } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { drain } from '../../server/test/support/drain.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { openWall, type TestWall } from '../../server/test/support/wall.ts'
import { CHROMIUM, expectAccessible, test as base } from './chromium.ts'

// The wall of phones in a real browser, with the real simulator and the real service behind it.
type World = { service: Service; browser: Browser; admin: { email: string; headers: Record<string, string> } }

const test = base.extend<'world', World>('world', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  const service = await startService()
  const { email } = await insertAccount(service.deps, { role: 'admin' })
  const { headers } = await service.given.admin()
  onCleanup(() => service.close())
  return { service, browser, admin: { email, headers } }
})

/** The page of the wall with some phones; faults of its scripts and anything its policy blocks fail the test. */
async function opened(world: World, phones = 2, options: BrowserContextOptions = {}) {
  const wall = await openWall(world.service, phones)
  const context = await world.browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
  page.on('console', (message) => message.type() === 'error' && expect.soft(message.text()).toMatch(/Failed to load/))
  await page.goto(world.service.simulator.url)
  await page
    .getByRole('article')
    .nth(phones - 1)
    .waitFor()
  return { page, wall }
}

/** Sends a campaign to the users of the wall through the API, and lets the worker do its work. */
async function campaign({ service, admin }: World, { users }: TestWall, content: Record<string, unknown>) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/api/admin/send-notification',
    headers: admin.headers,
    payload: { user_ids: users.map(({ userId }) => userId), text: 'Near you', promotional: true, ...content },
  })
  expect(answer.statusCode).toBe(202)
  await drain(service)
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

async function readCounts({ service, admin }: World, messageId: number): Promise<Record<string, number>> {
  const url = `/api/admin/promotional-notifications/${messageId}`
  const answer = await service.app.inject({ url, headers: admin.headers })
  return answer.json<{ summary: { counts: Record<string, number> } }>().summary.counts
}

function phone(page: Page, place: number) {
  return page.getByRole('article').nth(place)
}

describe.skipIf(CHROMIUM === undefined)('the wall of phones in Chromium', () => {
  test('shows a campaign as banners; a tap opens its deep link and counts as opened in the campaign', async ({
    world,
  }) => {
    const { page, wall } = await opened(world)
    const title = '<img src=x onerror="document.title=`hacked`"> Swap weekend'
    const messageId = await campaign(world, wall, { title, data: { link: 'swapbell://weekend' } })
    const banner = phone(page, 0).getByRole('button', { name: 'Swap weekend' }).first()
    await banner.click()
    await phone(page, 0).getByText('swapbell://weekend').waitFor()
    await phone(page, 0).getByText('Swapbell recorded that it was opened.').waitFor()
    expect(await readCounts(world, messageId)).toMatchObject({ notified: 2, opened: 1 })
    expect(await page.title()).toContain('Wall of phones')
    expect(await page.locator('article img[src="x"]').count()).toBe(0)
    await phone(page, 1)
      .getByRole('button', { name: /^Dismiss on/ })
      .click()
    await phone(page, 1).getByText('No notifications').waitFor()
  })

  test('merges the second copy after a lost answer into one banner, also after a reload', async ({ world }) => {
    const { page, wall } = await opened(world)
    await page.getByRole('radio', { name: 'Loses an answer' }).check()
    await page.getByText(/accepts the next pushes, and then answers 504/).waitFor()
    await campaign(world, wall, { title: 'Once' })
    await world.service.clock.tick(61_000)
    await drain(world.service)
    for (const reload of [false, true]) {
      if (reload) await page.reload()
      for (const place of [0, 1]) {
        await phone(page, place).getByText('2 copies, one banner').waitFor()
        await expect.poll(() => phone(page, place).getByRole('listitem').count()).toBe(1)
      }
    }
    await page.getByText('2 accepted, but answered 504').waitFor()
    await page.getByText('2 accepted, 2 of them for the second time').waitFor()
    expect(await page.getByRole('radio', { name: 'Works' }).isChecked()).toBe(true)
  })

  test('keeps the pushes of an offline phone until it is back', async ({ world }) => {
    const { page, wall } = await opened(world)
    await phone(page, 0).getByRole('button', { name: 'Go offline' }).click()
    await phone(page, 0).getByRole('button', { name: 'Go online' }).waitFor()
    await campaign(world, wall, { title: 'Late' })
    await phone(page, 1).getByText('Late').waitFor()
    await phone(page, 0).getByText('Offline · 1 waiting').waitFor()
    expect(await phone(page, 0).getByRole('listitem').count()).toBe(0)
    await phone(page, 0).getByRole('button', { name: 'Go online' }).click()
    await phone(page, 0).getByRole('button', { name: 'Late' }).first().waitFor()
  })

  test('removes the device of a deleted app, and registers it again when the app is installed', async ({ world }) => {
    const { page, wall } = await opened(world, 1)
    const devices = async () =>
      world.service.deps.db
        .selectFrom('mobile_devices')
        .select('id')
        .where('user_id', '=', wall.users[0]?.userId ?? 0)
        .where('removed_at', 'is', null)
        .execute()
    await phone(page, 0).getByRole('button', { name: 'Delete the app' }).click()
    await phone(page, 0)
      .getByText(/The app is deleted/)
      .waitFor()
    expect(await devices()).toHaveLength(1)
    await campaign(world, wall, { title: 'Nobody there' })
    expect(await devices()).toHaveLength(0)
    await phone(page, 0).getByRole('button', { name: 'Install' }).click()
    await phone(page, 0)
      .getByText(/registered for pushes/)
      .waitFor()
    expect(await devices()).toHaveLength(1)
  })

  test('works by keyboard: the focus moves from a dismissed banner to the next, and from a tapped one to the app', async ({
    world,
  }) => {
    const { page, wall } = await opened(world, 1)
    await campaign(world, wall, { title: 'First' })
    await campaign(world, wall, { title: 'Second' })
    await phone(page, 0).getByRole('button', { name: 'Second' }).first().waitFor()
    await phone(page, 0)
      .getByRole('button', { name: /^Dismiss.*Second$/ })
      .focus()
    await page.keyboard.press('Enter')
    const focused = page.locator(':focus')
    await vi.waitFor(async () => expect(await focused.innerText()).toContain('First'), 300_000)
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await focused.innerText()).toBe('Home'), 300_000)
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await focused.innerText()).toContain('Swapbell'), 300_000)
  })

  test('finds phones, keeps the search in the address, adds a phone, and says when nothing matches', async ({
    world,
  }) => {
    const { page } = await opened(world, 2)
    const { email } = await insertAccount(world.service.deps)
    await page.getByRole('button', { name: 'Add a phone' }).click()
    await page.getByLabel('E-mail of the user').fill(email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Add and sign in' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^Not signed in\./)
      .waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add and sign in' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('article').nth(2).waitFor()
    await page.getByLabel('Search phones').fill(email.toUpperCase())
    await page.getByText('1 of 3').waitFor()
    await page.reload()
    await page.getByText('1 of 3').waitFor()
    await page.getByLabel('Platform').first().selectOption('android')
    await page.getByText('No phone matches.').waitFor()
    await page.getByRole('button', { name: 'Show all phones' }).click()
    await page.getByRole('article').nth(2).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('is reached from the panel', async ({ world }) => {
    const { wall } = await opened(world, 1)
    const context = await world.browser.newContext()
    const panel = await context.newPage()
    await panel.goto(wall.api)
    await panel.getByLabel('E-mail').fill(world.admin.email)
    await panel.getByLabel('Password').first().fill(PASSWORD)
    await panel.getByRole('button', { name: 'Sign in' }).click()
    const link = panel.getByRole('link', { name: /^Wall of phones/ })
    expect(await link.getAttribute('href')).toBe(`${world.service.simulator.url}/`)
    const { page } = await opened(world, 1)
    expect(await page.getByRole('link', { name: 'Write a campaign' }).getAttribute('href')).toBe(
      `${wall.api}/notifications/new`,
    )
  })

  test.for<[string, BrowserContextOptions]>([
    ['wide', { viewport: { width: 1280, height: 860 } }],
    ['wide and dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark', reducedMotion: 'reduce' }],
    ['360 pixels wide', { viewport: { width: 360, height: 740 } }],
    ['360 pixels wide and dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ])('has nothing that axe faults and is never wider than its window: %s', async ([, options], { world }) => {
    const { page, wall } = await opened(world, 3, { reducedMotion: 'reduce', ...options })
    await page.getByRole('radio', { name: 'Loses an answer' }).check()
    await campaign(world, wall, { title: `A ${'very'.repeat(40)} long title`, data: { link: 'swapbell://items' } })
    await world.service.clock.tick(61_000)
    await drain(world.service)
    await phone(page, 0)
      .getByText(/copies, one banner/)
      .waitFor()
    await wall.act('tap', { banner: (await wall.phone()).banners[0]?.key })
    await wall.act('offline', {}, 1)
    await wall.act('delete-app', {}, 2)
    await phone(page, 2)
      .getByText(/The app is deleted/)
      .waitFor()
    await expectAccessible(page, 'phones')
    await page.getByRole('button', { name: 'Add a phone' }).click()
    await expectAccessible(page, 'the dialog')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Search phones').fill('nobody has this name')
    await page.getByText('No phone matches.').waitFor()
    await expectAccessible(page, 'nothing found')
  })

  test('says that the simulator does not answer, and continues when it does', async ({ world }) => {
    const { page, wall } = await opened(world, 1)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await phone(page, 0).getByRole('button', { name: 'Reinstall' }).click()
    await page.getByRole('alert').getByText('The simulator does not answer.').waitFor()
    await expectAccessible(page, 'without the simulator')
    await page.context().setOffline(false)
    await campaign(world, wall, { title: 'Still there' })
    await phone(page, 0).getByRole('button', { name: 'Still there' }).first().waitFor()
  })
})

test.skipIf(CHROMIUM !== undefined)('SKIPPED: the wall was not opened, because there is no Chromium', () => undefined)
