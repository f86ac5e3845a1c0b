import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { test as base } from './chromium.ts'

/** The panel in a browser, on a service of its own. */
export type World<Serving extends Service = Service> = {
  service: Serving
  url: string
  browser: Browser
  email: string
}

export const test = testOn(startService)

/** Tests of a file in which the panel is served by what `start` starts; `within`: in another browser. */
export function testOn<Serving extends Service>(start: () => Promise<Serving>, within = base) {
  return within.extend<'world', World<Serving>>('world', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
    const service = await start()
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    onCleanup(() => service.close())
    return { service, url, browser, email }
  })
}

/** The first page of somebody who is signed in. */
export async function signedIn(world: World, options: BrowserContextOptions = {}, password = PASSWORD): Promise<Page> {
  const page = await signedInAt(world, '/', options, password)
  await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  return page
}

export async function signedInAt(
  world: World,
  path: string,
  options: BrowserContextOptions = {},
  password = PASSWORD,
): Promise<Page> {
  const page = await emptyPage(world, options, password)
  await page.goto(path)
  return page
}

/**
 * A page of somebody who is signed in, by the call of the form, before its first load: what is needed of the panel is
 * loaded once, and can be prepared before. Faults of its scripts fail the test.
 */
export async function emptyPage(
  { browser, url, email }: World,
  options: BrowserContextOptions = {},
  password = PASSWORD,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, ...options })
  const answer = await context.request.post('/api/admin/v1/session', { data: { email, password } })
  expect(answer.status()).toBe(200)
  return newPage(context)
}

export async function opened(
  { browser, url }: Pick<World, 'browser' | 'url'>,
  path: string,
  options: BrowserContextOptions,
) {
  const page = await newPage(await browser.newContext({ baseURL: url, ...options }))
  await page.goto(path)
  return page
}

async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => expect.soft(error.message, page.url()).toBe(''))
  return page
}
