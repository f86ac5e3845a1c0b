// For CI: a browser.
import { describe, expect } from 'vitest'
import { createCalls, givenWorld } from '../../server/test/support/calls.ts'
import { CHROMIUM } from './chromium.ts'
import { emptyPage, test } from './world.ts'

/**
 * A page at the panel's own address, without a content policy: what an attacker could reach who put HTML into the
 * panel.
 */
const PAGE = '/injected'

const AT_ONCE = 20

/** Runs in the browser: asks for an address as an image, a frame, a link and a form. */
const TRY = `
  async (method, url) => {
    const framed = () => {
      const frame = document.createElement('iframe')
      frame.name = crypto.randomUUID()
      const isThere = new Promise((end) => (frame.onload = () => end(frame)))
      document.body.append(frame)
      return isThere
    }
    const made = (kind, about) => Object.assign(document.body.appendChild(document.createElement(kind)), about)
    made('form', { action: url, method, target: (await framed()).name }).submit()
    if (method !== 'get') return
    made('img', { src: url })
    made('iframe', { src: url })
    made('a', { href: url, target: (await framed()).name }).click()
  }`

describe.skipIf(CHROMIUM === undefined)('the cookie of the panel', () => {
  test('opens no route to an image, a frame, a link or a form, also of a page of the panel itself', async ({
    world,
  }) => {
    const { service } = world
    const closed = new Set(
      service.routes.filter(({ access }) => access !== 'public').map(({ method, url }) => `${method} ${url}`),
    )
    const calls = Object.entries(createCalls(await givenWorld(service)))
      .filter(([name]) => closed.has(name) && /^(?:GET|POST) /.test(name))
      .map(([name, { url }]) => ({ method: name.startsWith('GET ') ? 'get' : 'post', url }))
    expect(calls.length).toBeGreaterThan(100)
    const page = await emptyPage(world)
    await page.route(`**${PAGE}`, (route) => route.fulfill({ contentType: 'text/html', body: '<body></body>' }))
    await page.goto(PAGE)
    // As long as there is a route, each request goes by way of the test.
    await page.unroute(`**${PAGE}`)
    const answers: string[] = []
    page.on('response', (answer) => answers.push(`${answer.status()} ${answer.url()}`))
    for (let from = 0; from < calls.length; from += AT_ONCE) {
      const some = calls.slice(from, from + AT_ONCE)
      answers.length = 0
      for (const { method, url } of some) await page.evaluate(`(${TRY})('${method}', ${JSON.stringify(url)})`)
      await expect
        .poll(() => answers.length)
        .toBe(some.reduce((sum, { method }) => sum + (method === 'get' ? 4 : 1), 0))
      expect.soft(answers.filter((answer) => !answer.startsWith('401 '))).toEqual([])
      await page.evaluate('document.body.replaceChildren()')
    }
    // The cookie was there all the time, and still is.
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  })
})
