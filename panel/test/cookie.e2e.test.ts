// For CI: a browser.
import { describe, expect } from 'vitest'
import { createCalls, givenWorld } from '../../server/test/support/calls.ts'
import { CHROMIUM } from './chromium.ts'
import { signedIn, test } from './world.ts'

/**
 * A page at the panel's own address, without a content policy: what an attacker could reach who put HTML into the
 * panel.
 */
const PAGE = '/injected'

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
    const calls = Object.entries(createCalls(await givenWorld(service))).filter(
      ([name]) => closed.has(name) && /^(?:GET|POST) /.test(name),
    )
    const page = await signedIn(world)
    await page.route(`**${PAGE}`, (route) => route.fulfill({ contentType: 'text/html', body: '<body></body>' }))
    await page.goto(PAGE)
    const answers: [name: string, status: number][] = []
    let trying = ''
    page.on('response', (answer) => answers.push([trying, answer.status()]))
    for (const [name, { url }] of calls) {
      trying = name
      const before = answers.length
      const method = name.startsWith('GET ') ? 'get' : 'post'
      await page.evaluate(`(${TRY})('${method}', ${JSON.stringify(url)})`)
      await expect.poll(() => answers.length - before).toBe(method === 'get' ? 4 : 1)
      await page.evaluate('document.body.replaceChildren()')
    }
    expect(answers.filter(([, status]) => status !== 401)).toEqual([])
    // The cookie was there all the time, and still is.
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  })
})
