// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { startWebPush, type WebPushDouble } from '../../simulator/src/web-push/web-push.ts'
import { insertAccount, PASSWORD } from '../../server/test/support/accounts.ts'
import { startService, type Service } from '../../server/test/support/service.ts'
import { entryFor, openWebPush, pushesTo, startPushService } from '../../server/test/support/web-push.ts'
import { tellBrowsers } from '../../server/src/administration/browsers/browsers.ts'
import { fromNow } from '../../server/src/platform/shared/clock.ts'
import { raiseAlert } from '../../server/src/push/records/alerts.queries.ts'
import { expectAccessible, testIn, WHOLE_CHROMIUM } from './chromium.ts'
import { signedIn, testOn, type World } from './world.ts'

/** Where to keep pictures of the pages, for whoever wants to look at them. */
const PICTURES = process.env['PICTURES'] ?? ''

const SHOWN = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`

type Serving = Service & { vendor: WebPushDouble }

const test = testOn(async (): Promise<Serving> => {
  const vendor = await startWebPush()
  const service = await startService({ PUSH_PROVIDERS_FILE: [entryFor(vendor)] })
  const close = async () => {
    await service.close()
    await vendor.close()
  }
  return { ...service, vendor, close }
}, testIn(WHOLE_CHROMIUM))

describe.skipIf(WHOLE_CHROMIUM === undefined)('a push to Chromium', () => {
  test('tells an administrator who wants it that something waits, until they want it no more', async ({ world }) => {
    const { service } = world
    const page = await allowed(world)
    const line = await subscribeAt(page, service.vendor)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Tell this browser' }).click()
    await page.getByRole('button', { name: 'Stop telling this browser' }).waitFor()
    await expectAccessible(page, 'account')
    if (PICTURES !== '') await page.screenshot({ path: `${PICTURES}/account-browser.png`, fullPage: true })
    await page.reload()
    await raise(service, 'WorkLost')
    const waits = { title: 'Swapbell', body: 'Something waits for you in the administration.', tag: 'staff.waiting' }
    await line.untilShown([{ ...waits, data: { link: '/', notification_id: expect.any(Number) } }])
    await page.getByRole('button', { name: 'Stop telling this browser' }).click()
    await page.getByRole('button', { name: 'Tell this browser' }).waitFor()
    await raise(service, 'MailsLate')
    expect(await service.deps.db.selectFrom('staff_browsers').selectAll().execute()).toEqual([])
    expect(service.vendor.log()).toHaveLength(1)
  })

  test('stays with who asked for it, when another signs in there, until they ask too', async ({ world }) => {
    const { service } = world
    const page = await allowed(world)
    await subscribeAt(page, service.vendor)
    const choice = page.getByRole('button', { name: /this browser$/ })
    await page.goto('/account')
    await choice.click()
    await page.getByRole('button', { name: 'Stop telling this browser' }).waitFor()
    const owners = async () => {
      const rows = await service.deps.db.selectFrom('staff_browsers').select('user_id').execute()
      return rows.map(({ user_id: userId }) => userId)
    }
    const [first] = await owners()
    const other = await insertAccount(service.deps, { role: 'admin' })
    const data = { email: other.email, password: PASSWORD }
    expect((await page.context().request.post('/api/admin/v1/session', { data })).status()).toBe(200)
    await page.reload()
    await choice.waitFor()
    await page.waitForLoadState('networkidle')
    expect([await choice.textContent(), await owners()]).toEqual(['Tell this browser', [first]])
    await choice.click()
    await page.getByRole('button', { name: 'Stop telling this browser' }).waitFor()
    expect(await owners()).toEqual([other.user_id])
  })

  test('is shown by the service worker, and one of the same identity takes its place', async ({ world }) => {
    const page = await allowed(world)
    const line = await connect(page)
    const service = await startPushService()
    const provider = openWebPush({ url: service.url })
    const to = service.subscribe({ applicationServerKey: provider.publicKey, onPush: ({ text }) => line.bring(text) })
    const content = { title: 'New offer', body: 'Somebody wants to swap.', data: { link: '/a' }, urgent: true }
    const pushes: [notificationId: number, mergeKey: string | null][] = [
      [1, null],
      [2, 'swap 5'],
      [3, 'swap 5'],
      [1, null],
    ]
    for (const [notificationId, mergeKey] of pushes) {
      const answer = await provider.submit(pushesTo([to], { notificationId, content: { ...content, mergeKey } }))
      expect(answer.outcomes).toMatchObject([{ kind: 'accepted' }])
    }
    const shown = (tag: string, notification_id: number) => {
      const { title, body, data } = content
      return { title, body, tag, data: { ...data, notification_id } }
    }
    await line.untilShown([shown('n1', 1), shown('swap 5', 3)])
  })

  test('that it cannot read is shown all the same', async ({ world }) => {
    const page = await allowed(world)
    const line = await connect(page)
    line.bring('no JSON')
    await line.untilShown([{ title: 'Swapbell', body: '', tag: 'swapbell', data: {} }])
  })
})

function allowed(world: World): Promise<Page> {
  const viewport = { width: 360, height: 740 }
  return signedIn(world, { viewport, colorScheme: 'dark', permissions: ['notifications'] })
}

/** A new alert, of which the browsers are told. */
async function raise({ deps, clock }: Service, code: string): Promise<void> {
  await clock.setTime(clock.now() + 1_000)
  await raiseAlert(deps.db, { code, detail: 'Secret detail.' }, fromNow(clock))
  await clock.setTime(clock.now() + 1_000)
  await tellBrowsers(deps)
}

/** Chromium subscribes at this service instead of its vendor's, and gets its pushes from there. */
async function subscribeAt(page: Page, vendor: WebPushDouble): Promise<Line> {
  const line = await connect(page)
  await page.exposeFunction('subscribeAtVendor', (applicationServerKey: string) =>
    vendor.subscribe({ applicationServerKey, onPush: ({ text }) => line.bring(text) }),
  )
  await page.exposeFunction('unsubscribeAtVendor', (subscription: string) => vendor.unsubscribe(subscription))
  await page.addInitScript(`{
    const kept = () => localStorage.getItem('subscription')
    const given = () => kept() && {
      toJSON: () => JSON.parse(kept()),
      unsubscribe: async () => { await unsubscribeAtVendor(kept()); localStorage.removeItem('subscription'); return true },
    }
    PushManager.prototype.getSubscription = async () => given()
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      if (!kept()) localStorage.setItem('subscription', await subscribeAtVendor(applicationServerKey))
      return given()
    }
  }`)
  return line
}

/** The vendor's connection to the browser. */
type Line = { bring(text?: string): void; untilShown(expected: unknown[]): Promise<void> }

/** Gives the page a service worker, and pushes to it what the vendor would. */
async function connect(page: Page): Promise<Line> {
  const session = await page.context().newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  const origin = new URL(page.url()).origin
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    const active = versions.find(({ scriptURL, status }) => scriptURL.startsWith(origin) && status === 'activated')
    if (active) resolve(active.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const register = `navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)`
  await page.evaluate(`${register}.then(() => null)`)
  const registrationId = await promise
  const brought: string[] = []
  const deliver = (data: string) =>
    void session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const bring = (text = '') => {
    brought.push(text)
    deliver(text)
  }
  const look = async () => {
    const shown = (await page.evaluate(SHOWN)) as { tag: string }[]
    return shown.toSorted((one, other) => one.tag.localeCompare(other.tag))
  }
  const untilShown = async (expected: unknown[]) => {
    let looks = 0
    // A busy Chromium may drop what its debugger brings. All over again has the same end.
    const lookAgain = () => {
      if (looks++ > 0) brought.forEach(deliver)
      return look()
    }
    await expect.poll(lookAgain, { interval: 2_000 }).toEqual(expected)
  }
  return { bring, untilShown }
}
