// Slow: a browser, and a service with five providers.
import { describe, expect } from 'vitest'
import { insertAccount } from '../../server/test/support/accounts.ts'
import { send } from '../../server/test/support/campaign.ts'
import { drain } from '../../server/test/support/drain.ts'
import { scriptedToken, startFiveProviders } from '../../server/test/support/five-providers.ts'
import { givenTwoAddresses, setShare } from '../../server/test/support/roll-outs.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, signedIn, signedInAt, testOn } from './world.ts'

/** Where to keep pictures of the pages, for whoever wants to look at them. */
const PICTURES = process.env['PICTURES']
const NARROW = { width: 360, height: 740 }
const APPLE = 'apns/swapbell/production'

const test = testOn(async () => {
  const { service, ...providers } = await startFiveProviders()
  return { ...service, ...providers }
})

describe.skipIf(CHROMIUM === undefined)('With direct providers the panel', () => {
  test('has a row a provider in the report of a campaign, and says how delivered is known', async ({ world }) => {
    const { service } = world
    const { production, google } = service
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
    const campaign = await send(service, users, { title: 'By five ways' })
    await drain(service)
    production.answer(undefined)
    for (const [name, options] of [
      ['wide', {}],
      ['dark-360', { viewport: NARROW, colorScheme: 'dark' }],
    ] as const) {
      const page = await signedInAt(world, `/notifications/${campaign}`, options)
      const table = page.getByRole('table', { name: 'By provider' })
      const rows = async () =>
        (await table.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split(/\s*[\n\t]\s*/))
      await expect.poll(rows).toEqual([
        ['apns/swapbell/production', 'delivered as soon as accepted', '2', '2', '1', '1', '0'],
        ['expo', 'delivered when its receipt says so', '1', '0', '0', '0', '0'],
        ['fcm/swapbell', 'delivered as soon as accepted', '1', '1', '0', '0', '0'],
      ])
      await expectAccessible(page, `the report of a campaign: ${name}`)
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/by-provider-${name}.png`, fullPage: true })
    }
    const page = await emptyPage(world, { viewport: NARROW })
    await page.addInitScript(`localStorage.setItem('language', 'es')`)
    await page.goto(`/notifications/${campaign}`)
    await page.getByRole('table', { name: 'Por proveedor' }).getByText('entregada cuando su acuse lo dice').waitFor()
    await expectAccessible(page, 'the report of a campaign in Spanish')
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/by-provider-spanish.png`, fullPage: true })
  })

  test('says on the page of the delivery how each provider does, and which of them was halted', async ({ world }) => {
    const { app, given } = world.service
    const { headers } = await given.admin()
    const payload = { reason: 'Old keys', provider: 'fcm/swapbell' }
    const halted = await app.inject({ method: 'POST', url: '/api/admin/push-status/halt', headers, payload })
    expect(halted.statusCode).toBe(200)
    const open = { breaker: 'open' as const, retry_at: new Date('2020-01-01') }
    await world.service.deps.db
      .updateTable('provider_state')
      .set(open)
      .where('provider', '=', 'apns/swapbell/sandbox')
      .execute()
    const page = await signedInAt(world, '/delivery', { viewport: NARROW, colorScheme: 'dark' })
    const rowOf = (name: string) =>
      page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: name })
    await page.getByText('Sending by fcm/swapbell was halted by').waitFor()
    await rowOf('fcm/swapbell').getByText('halted', { exact: true }).waitFor()
    await rowOf(APPLE).getByText('sending', { exact: true }).waitFor()
    await rowOf(APPLE)
      .getByText(/^Last success/)
      .waitFor()
    await rowOf('apns/swapbell/sandbox').getByText('next try is due').waitFor()
    await expectAccessible(page, 'the delivery by several providers')
    await page.getByRole('button', { name: 'Resume sending' }).click()
    await rowOf('fcm/swapbell').getByText('sending', { exact: true }).waitFor()
  })

  test('changes the share of a roll-out after it has said for how many phones, and shows both ways', async ({
    world,
  }) => {
    const { service } = world
    const people = await givenTwoAddresses(service, service.production.instance, 20)
    const page = await signedInAt(world, '/roll-out', { viewport: NARROW })
    const card = page.getByRole('region', { name: APPLE })
    await card.getByText('Nothing is sent directly').waitFor()
    await page.getByRole('region', { name: 'fcm/swapbell' }).getByText('No phone has sent both addresses').waitFor()
    await card.getByRole('button', { name: '100 %' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(`20 phones change from expo to ${APPLE}.`).waitFor()
    await question.getByText('The next step would be 1 %: a fault would meet fewer phones.').waitFor()
    await expectAccessible(page, 'a step of a roll-out', undefined, '[role="dialog"]')
    await question.getByRole('button', { name: 'Reach 100 % directly' }).click()
    await card.getByText('100 % directly').waitFor()
    const chosen = card.getByRole('button', { name: '100 %' })
    expect(await chosen.isDisabled()).toBe(true)
    await chosen.and(page.locator(':focus')).waitFor()
    await question.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    expect(await question.count()).toBe(0)
    await send(service, people, { title: 'Directly' })
    await drain(service)
    await page.reload()
    const cellsOf = (name: RegExp) => card.getByRole('row', { name }).getByRole('cell').allInnerTexts()
    await expect.poll(() => cellsOf(/^Phones now/)).toEqual(['20', '0'])
    expect(await cellsOf(/^Delivered/)).toEqual(['100 %\n20', '–'])
    await card.getByText('Nothing is sent by expo').waitFor()
    await card.getByRole('button', { name: '50 %' }).click()
    await question.getByText(`About 10 of 20 phones change from ${APPLE} to expo.`).waitFor()
    await question.getByRole('button', { name: 'Reach 50 % directly' }).click()
    await card.getByText('Too few to compare').waitFor()
  })

  test('says which way of a roll-out does worse, and why all phones returned', async ({ world }) => {
    const { deps, clock } = world.service
    await setShare(world.service, APPLE, 10)
    const figures = { home: 0, slot: 0, refused: 0 }
    const counts = [
      { provider: APPLE, other: 'expo', accepted: 900, gone: 100, opened: 20, ...figures },
      { provider: 'expo', other: APPLE, accepted: 9_900, gone: 100, opened: 990, ...figures },
    ]
    const text = 'insert into way_counts select * from json_populate_recordset(null::way_counts, $1::json)'
    await deps.pool.query(text, [JSON.stringify(counts)])
    const page = await signedInAt(world, '/roll-out')
    const card = page.getByRole('region', { name: APPLE })
    const worse = 'Clearly more phones are gone directly. Clearly fewer pushes are opened directly.'
    await card.getByText(`${worse} Find the reason before the next step.`).waitFor()
    const returned = { share: 0, returned_at: new Date(clock.now()) }
    await deps.db.updateTable('roll_outs').set(returned).where('provider', '=', APPLE).execute()
    await page.reload()
    await card.getByText('All phones returned to expo').waitFor()
    await card.getByText('100 of 1,000 pushes that were sent directly met a phone that is gone').waitFor()
    await page.getByText('A roll-out ends by itself').waitFor()
    const { headers } = await world.service.given.admin()
    const control = async (act: 'halt' | 'resume', payload: object) => {
      const url = `/api/admin/push-status/${act}`
      expect((await world.service.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    }
    await control('halt', { reason: 'Old keys', provider: APPLE })
    await page.reload()
    await card.getByText('Nothing is sent until somebody resumes sending.').waitFor()
    await card.getByRole('link', { name: 'Delivery' }).waitFor()
    await expect.poll(() => page.getByText('Nothing is sent until').count()).toBe(1)
    await control('resume', {})
    await page.addInitScript(`localStorage.setItem('language', 'es')`)
    await page.reload()
    await card.getByText('Todos los teléfonos han vuelto a expo').waitFor()
    for (const options of [{ viewport: NARROW }, { colorScheme: 'dark' }] as const)
      await expectAccessible(await openRollOut(options), 'the roll-out after a return')

    async function openRollOut(options: Parameters<typeof signedIn>[1]) {
      const other = await signedInAt(world, '/roll-out', options)
      await other.getByText('All phones returned to expo').waitFor()
      return other
    }
  })

  test('hides the roll-out from a role without the right, and says so to whoever knows its address', async ({
    world,
  }) => {
    const { email } = await insertAccount(world.service.deps, { role: 'moderator' })
    const page = await signedIn({ ...world, email })
    await page.getByRole('link', { name: 'Products', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Roll-out' }).count()).toBe(0)
    await page.goto('/roll-out')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('region', { name: APPLE }).count()).toBe(0)
  })
})
