// Slow: a browser, and a service with five providers.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { insertAccount } from '../../server/test/support/accounts.ts'
import { send } from '../../server/test/support/campaign.ts'
import { drain } from '../../server/test/support/drain.ts'
import { scriptedToken, startFiveProviders } from '../../server/test/support/five-providers.ts'
import { CHROMIUM, expectAccessible, test } from './chromium.ts'
import { signedIn } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the report of a campaign by provider', () => {
  let five: Awaited<ReturnType<typeof startFiveProviders>>
  let campaign: number

  beforeAll(async () => {
    five = await startFiveProviders()
    const { service, production, google } = five
    const tokens = ['one', 'two', 'three'].map((name) => scriptedToken(production.instance, name))
    const provider = production.instance.name
    const users = []
    for (const token of tokens) users.push(await service.given.user({ devices: [{ token, provider }] }))
    const token = scriptedToken(google.instance, 'four')
    users.push(
      await service.given.user({ devices: [{ token, provider: google.instance.name, platform: 'android' }, {}] }),
    )
    let asked = 0
    production.answer(({ notificationId }) =>
      ++asked === 1
        ? { kind: 'refused', code: 'DeviceNotRegistered', retry: false }
        : { kind: 'accepted', ticketId: `t-${notificationId}` },
    )
    campaign = await send(service, users, { title: 'By five ways' })
    await drain(service)
  })

  afterAll(() => five.service.close())

  test('has a row a provider, and says how delivered is known', async ({ browser }) => {
    const { service } = five
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { email } = await insertAccount(service.deps, { role: 'admin' })
    const world = { service, url, browser, email }
    const folder = process.env['PICTURES']
    for (const [name, options] of [
      ['wide', {}],
      ['dark-360', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ] as const) {
      const page = await signedIn(world, options)
      await page.goto(`/notifications/${campaign}`)
      const table = page.getByRole('table', { name: 'By provider' })
      const rows = async () =>
        (await table.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split(/\s*[\n\t]\s*/))
      await expect.poll(rows).toEqual([
        ['apns/swapbell/production', 'delivered as soon as accepted', '2', '2', '1', '1', '0'],
        ['expo', 'delivered when its receipt says so', '1', '0', '0', '0', '0'],
        ['fcm/swapbell', 'delivered as soon as accepted', '1', '1', '0', '0', '0'],
      ])
      await expectAccessible(page, `the report of a campaign: ${name}`)
      if (folder !== undefined) await page.screenshot({ path: `${folder}/by-provider-${name}.png`, fullPage: true })
    }
    const page = await signedIn(world, { viewport: { width: 360, height: 740 } })
    await page.evaluate(`localStorage.setItem('language', 'es')`)
    await page.goto(`/notifications/${campaign}`)
    await page.getByRole('table', { name: 'Por proveedor' }).getByText('entregada cuando su acuse lo dice').waitFor()
    await expectAccessible(page, 'the report of a campaign in Spanish')
    if (folder !== undefined) await page.screenshot({ path: `${folder}/by-provider-spanish.png`, fullPage: true })
  })
})
