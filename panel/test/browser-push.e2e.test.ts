// Slow: a browser.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { AcceptedPush } from '../../simulator/src/web-push/push.ts'
import { openWebPush, pushesTo, startPushService } from '../../server/test/support/web-push.ts'
import { CHROMIUM } from './chromium.ts'
import { test, type World } from './world.ts'

const SHOWN = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`

describe.skipIf(CHROMIUM === undefined)('a push to Chromium', () => {
  test('is shown by the service worker, and one of the same identity takes its place', async ({ world }) => {
    const { page, receive } = await registered(world)
    const service = await startPushService()
    const provider = openWebPush({ url: service.url })
    const to = service.subscribe({ applicationServerKey: provider.publicKey, onPush: receive })
    const content = { title: 'New offer', body: 'Somebody wants to swap.', data: { link: '/a' }, urgent: true }
    const push = async (notificationId: number, mergeKey: string | null) => {
      const answer = await provider.submit(pushesTo([to], { notificationId, content: { ...content, mergeKey } }))
      expect(answer.outcomes).toMatchObject([{ kind: 'accepted' }])
    }
    const shown = (tag: string, notification_id: number) => ({
      title: 'New offer',
      body: 'Somebody wants to swap.',
      tag,
      data: { link: '/a', notification_id },
    })
    await push(1, null)
    await expect.poll(() => page.evaluate(SHOWN)).toEqual([shown('n1', 1)])
    await push(2, 'swap 5')
    await push(3, 'swap 5')
    await push(1, null)
    await expect
      .poll(async () =>
        ((await page.evaluate(SHOWN)) as { tag: string }[]).toSorted((a, b) => a.tag.localeCompare(b.tag)),
      )
      .toEqual([shown('n1', 1), shown('swap 5', 3)])
  })

  test('that it cannot read is shown all the same', async ({ world }) => {
    const { page, receive } = await registered(world)
    receive({ text: 'no JSON' })
    await expect.poll(() => page.evaluate(SHOWN)).toMatchObject([{ title: 'Swapbell' }])
  })
})

/** A page with the worker. `receive` is what the vendor's connection to the browser would bring. */
async function registered({
  browser,
  url,
}: World): Promise<{ page: Page; receive: (push: Pick<AcceptedPush, 'text'>) => void }> {
  const context = await browser.newContext({ baseURL: url, permissions: ['notifications'] })
  const page = await context.newPage()
  await page.goto('/')
  const session = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) =>
    session.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations: [first] }) => first && resolve(first.registrationId),
    ),
  )
  await session.send('ServiceWorker.enable')
  await page.evaluate(
    `navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(() => null)`,
  )
  const registrationId = await registration
  const receive = ({ text = '' }: Pick<AcceptedPush, 'text'>) =>
    void session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data: text })
  return { page, receive }
}
