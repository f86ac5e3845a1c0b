import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, test as base } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { launchChromium } from './chromium.ts'

/** The panel in a browser, on a service of its own. */
export type World<Serving extends Service = Service> = {
  service: Serving
  url: string
  browser: Browser
  email: string
}

export const test = testOn(startService)

/** Tests of a file in which the panel is served by what `start` starts. */
export function testOn<Serving extends Service>(start: () => Promise<Serving>) {
  return base.extend<'world', World<Serving>>('world', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await start()
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const browser = await launchChromium()
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    onCleanup(async () => {
      await browser.close()
      await service.close()
    })
    return { service, url, browser, email }
  })
}

/** A page that is signed in; faults of its scripts fail the test. */
export async function signedIn(
  { browser, url, email }: World,
  options: BrowserContextOptions = {},
  password = PASSWORD,
): Promise<Page> {
  const page = await opened({ browser, url }, '/', options)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').first().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  return page
}

export async function opened(
  { browser, url }: Pick<World, 'browser' | 'url'>,
  path: string,
  options: BrowserContextOptions,
) {
  const context = await browser.newContext({ baseURL: url, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => expect.soft(error.message, page.url()).toBe(''))
  await page.goto(path)
  return page
}
