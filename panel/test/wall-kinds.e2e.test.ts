// Slow: a browser.
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { send } from '../../server/test/support/campaign.ts'
import { drain } from '../../server/test/support/drain.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { openWall } from '../../server/test/support/wall.ts'
import { CHROMIUM, expectAccessible, test as base } from './chromium.ts'

// The wall with phones of each kind in a real browser, and the doubles of all providers behind it.
const test = base.extend<'service', Service>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const service = await startService({}, { isDirect: true })
  onCleanup(() => service.close())
  return service
})

describe.skipIf(CHROMIUM === undefined)('the wall with phones of each kind in Chromium', () => {
  test('says who brings pushes, changes it, and finds phones by it', async ({ service, browser }) => {
    const wall = await openWall(service, 8)
    const page = await (await browser.newContext()).newPage()
    page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
    await page.goto(service.simulator.url)
    const phone = (place: number) => page.getByRole('article').nth(place)
    const kinds = page.getByLabel(/^Pushes to .* come by$/)
    await phone(7).waitFor()
    const chosen = async () => Promise.all((await kinds.all()).map((one) => one.inputValue()))
    expect(await chosen()).toEqual(['expo', 'expo', 'apns', 'fcm', 'web', 'apns', 'fcm', 'apns-sandbox'])
    await kinds.first().selectOption({ label: 'Apple' })
    await phone(0).getByText('The new token is registered').waitFor()
    await send(service, wall.users as Parameters<typeof send>[1], { title: 'By all ways' })
    await drain(service)
    for (const [place, way] of ['Apple', 'Expo', 'Apple', 'Google', 'Web Push'].entries()) {
      await phone(place).getByRole('button', { name: 'By all ways' }).first().waitFor()
      expect(await phone(place).locator('.way').innerText()).toBe(way)
    }
    expect(await phone(2).locator('.way').getAttribute('title')).toMatch(/^apns-collapse-id: /)
    await page.getByText(/^Apple: .*4 accepted/).waitFor()
    await page.getByLabel('Provider', { exact: true }).selectOption('apns')
    await page.getByText('4 of 8').waitFor()
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No phone matches.').waitFor()
    await page.getByRole('button', { name: 'Show all phones' }).click()
    const { email } = await insertAccount(service.deps)
    await page.getByRole('button', { name: 'Add a phone' }).click()
    await page.getByLabel('Phone', { exact: true }).selectOption({ label: 'Browser, by Web Push' })
    await page.getByLabel('E-mail of the user').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add and sign in' }).click()
    await phone(8)
      .getByText(/’s browser$/)
      .waitFor()
  })

  test('keeps the behaviour that was chosen while the provider does not have it yet', async ({ service, browser }) => {
    const wall = await openWall(service, 1)
    const page = await (await browser.newContext()).newPage()
    const held = Promise.withResolvers<void>()
    await page.route('**/simulator/mode', (route) => held.promise.then(() => route.continue()))
    await page.goto(service.simulator.url)
    await page.getByRole('radio', { name: 'Down' }).check()
    await send(service, wall.users as Parameters<typeof send>[1], { title: 'Meanwhile' })
    await drain(service)
    await page.getByText('Meanwhile').first().waitFor()
    expect(await page.getByRole('radio', { name: 'Down' }).isChecked()).toBe(true)
    held.resolve()
    await page.getByText('Each request is answered 503').waitFor()
    await page.getByRole('radio', { name: 'Works' }).check()
    await page.getByText('Each accepts every push').waitFor()
  })

  test.for<[string, BrowserContextOptions]>([
    ['wide', { viewport: { width: 1280, height: 860 } }],
    ['360 pixels wide and dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ])(
    'has nothing that axe faults and is never wider than its window: %s',
    async ([, options], { service, browser }) => {
      const wall = await openWall(service, 8)
      const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
      await page.goto(service.simulator.url)
      for (const mode of ['Loses an answer', 'Never answers']) {
        await page.getByRole('radio', { name: mode }).check()
        if (mode === 'Never answers') break
        await send(service, wall.users as Parameters<typeof send>[1], { title: `A ${'very'.repeat(40)} long title` })
        await drain(service)
        await service.clock.tick(61_000)
        await drain(service)
        await page
          .getByText(/copies, one banner/)
          .first()
          .waitFor()
      }
      await page.getByText('no request gets an answer').waitFor()
      await page.getByText('the connection was cut').first().waitFor()
      await expectAccessible(page, 'phones')
      await page.getByRole('radio', { name: 'Works' }).check()
      await page.getByText('Each accepts every push').waitFor()
    },
  )
})

test.skipIf(CHROMIUM !== undefined)('SKIPPED: the wall was not opened, because there is no Chromium', () => undefined)
