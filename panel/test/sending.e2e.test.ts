// Slow: a browser.
import { describe, expect } from 'vitest'
import { fetchReceipts } from '../../server/src/push/pipeline/receipts.ts'
import { drain } from '../../server/test/support/drain.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { emptyPage, signedIn, signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('sending in the panel', () => {
  test('says why nothing can be sent yet, whatever the audience is', async ({ world }) => {
    const page = await emptyPage(world)
    const json = { success: false, error: 'Too many requests.', code: 'RATE_LIMITED' }
    await page.route('**/send-notification-all/preview', (route) => route.fulfill({ status: 429, json }))
    for (const [path, audience] of [
      ['/notifications/new', 'Named users'],
      ['/notifications/system', 'Everyone'],
    ] as const) {
      await page.goto(path)
      await page.getByText(audience, { exact: true }).click()
      await page.getByLabel('Title').fill('Not yet')
      await page.getByLabel('Text').fill('Near you')
      await page.getByText('Too many requests in a short time. Try again later.').waitFor()
    }
  })

  test('shows the audience of a campaign, sends it once, and shows its outcome', async ({ world }) => {
    const { service } = world
    await service.given.user({ name: 'Ann', devices: [{}] })
    await service.given.user({ name: 'Ben', devices: [{}], notification: '0' })
    const page = await signedIn(world)
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('link', { name: 'Write a campaign' }).first().click()
    // The list, which is there until the page is, has a field for "Title or text" too.
    await page.getByRole('heading', { level: 1, name: 'Write a campaign' }).waitFor()
    const title = '<img src=x onerror=alert(1)> Swap weekend'
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text').fill('Three new items near you')
    await page.getByText(/^Reaches 1 of/).waitFor()
    await page.getByRole('button', { name: 'Test to myself' }).click()
    await page.getByText('You have switched notifications off').waitFor()
    await page.getByRole('button', { name: 'Send…' }).click()
    await page.getByRole('button', { name: 'Send to one user' }).dblclick()
    await page.getByRole('heading', { level: 2, name: 'Recipients' }).waitFor()
    await drain(service)
    await page.getByRole('cell', { name: 'iPhone: sent', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1, name: title }).count()).toBe(1)
    const messages = service.deps.db.selectFrom('messages').select('audience').where('title', '=', title)
    const sent = await messages.where('audience', '=', 'all').execute()
    expect(sent).toHaveLength(1)
  })

  test('keeps whom a message is for over a reload', async ({ world }) => {
    const { name } = await world.service.given.user({ name: 'Kim Kept' })
    const page = await signedInAt(world, '/notifications/new')
    await page.getByText('Test users only', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'To the inbox only' }).check()
    await page.reload()
    await expect.poll(() => page.getByRole('radio', { name: 'Test users only' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'To the inbox only' }).isChecked()).toBe(true)
    await page.goto('/notifications/system')
    await page.getByRole('combobox', { name: 'Users' }).fill(name)
    await page.getByRole('option', { name }).click()
    await page.reload()
    await page.getByText(`${name} ·`).waitFor()
  })

  test('sends to named people only, not before one is named, and not to those who want none', async ({ world }) => {
    const { given, deps } = world.service
    const named = await given.user({ name: 'Nell Named', devices: [{}] })
    await given.user({ name: 'Norbert Named', devices: [{}], notification: '0' })
    await given.user({ devices: [{}] })
    const page = await signedInAt(world, '/notifications/new')
    await page.getByLabel('Title').fill('For Nell')
    await page.getByLabel('Text').fill('Near you')
    await page.getByText(/^Reaches/).waitFor()
    await page.getByText('Named users', { exact: true }).click()
    const send = page.getByRole('button', { name: 'Send…' })
    expect(await send.isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Users' }).fill('Named')
    for (const name of ['Nell Named', 'Norbert Named']) await page.getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('checkbox', { name: 'It is a promotion' }).isChecked()).toBe(false)
    await expectAccessible(page, 'a campaign to named users')
    await send.click()
    await page.getByRole('button', { name: 'Send to 2 users' }).click()
    await page.getByRole('heading', { level: 2, name: 'Recipients' }).waitFor()
    await drain(world.service)
    await page.getByRole('cell', { name: 'Nell Named' }).waitFor()
    const copies = deps.db
      .selectFrom('notifications')
      .innerJoin('messages', 'messages.message_id', 'notifications.message_id')
      .select('notifications.user_id')
      .where('messages.title', '=', 'For Nell')
    expect(await copies.execute()).toEqual([{ user_id: named.userId }])
  })

  test('says the same of a campaign in its state, its counts and its rows, at each of its steps', async ({ world }) => {
    const { given, app, clock, deps } = world.service
    const ann = await given.user({ name: 'Ann of the story', devices: [{}] })
    const sent = await app.inject({
      method: 'POST',
      url: '/api/admin/send-notification',
      headers: (await given.admin()).headers,
      payload: { title: 'One story', text: 'Near you', user_ids: [ann.userId], promotional: true },
    })
    const id = sent.json<{ data: { notification_id: number } }>().data.notification_id
    await drain(world.service)
    const copies = deps.db.selectFrom('notifications').select('notification_id').where('message_id', '=', id)
    const url = `/api/notification/${(await copies.executeTakeFirstOrThrow()).notification_id}`
    const said = await app.inject({
      method: 'POST',
      url: `${url}/events`,
      headers: ann.headers,
      payload: { event: 'shown' },
    })
    expect(said.statusCode).toBe(200)

    const page = await signedInAt(world, `/notifications/${id}`)
    const story = async () => {
      const cards = page.locator('.mantine-Card-root', { hasText: /^(Sent|Delivered|Opened)/ })
      const [row = ''] = await page.getByRole('row', { name: 'Ann of the story' }).allInnerTexts()
      const [state] = await page.locator('main .tag').allInnerTexts()
      const counts = (await cards.allInnerTexts()).map((text) => text.replace(/\s+/, ' '))
      return { state, counts, row: row.split('\t')[2]?.trim().replaceAll(/\s+/g, ' ') }
    }
    await expect.poll(story).toEqual({
      state: 'awaiting receipts',
      counts: ['Sent 1', 'Delivered 0', 'Opened 0'],
      row: 'iPhone: sent The phone says: shown',
    })
    await page.getByText('One push is sent and awaits its receipt.').waitFor()
    await clock.setTime(clock.now() + 16 * 60_000)
    await fetchReceipts(deps, { limit: 100, dueOnly: true }, new AbortController().signal)
    await expect.poll(story).toEqual({
      state: 'completed',
      counts: ['Sent 1', 'Delivered 1', 'Opened 0'],
      row: 'iPhone: delivered The phone says: shown',
    })
    await app.inject({ url: `${url}/read`, headers: ann.headers })
    await page.reload()
    await expect.poll(story).toEqual({
      state: 'completed',
      counts: ['Sent 1', 'Delivered 1', 'Opened 1'],
      row: 'iPhone: opened',
    })
    await expectAccessible(page, 'a campaign')
  })

  test('writes a system notification in several languages, each for those who speak it', async ({ world }) => {
    const { given, deps } = world.service
    const people = [await given.user({ name: 'Inés Plural', devices: [{}] }), await given.user({ name: 'Otto Plural' })]
    const ids = people.map(({ userId }) => userId)
    await deps.db.updateTable('users').set({ language: 'es' }).where('user_id', '=', ids[0]!).execute()
    const page = await signedInAt(world, '/notifications/system')
    await page.getByLabel('Title').fill('New terms')
    await page.getByLabel('Text').fill('They hold from May')
    await page.getByRole('combobox', { name: 'Users' }).fill('Plural')
    for (const { name } of people) await page.getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Español' }).click()
    await page.getByLabel('Title').fill('Nuevas condiciones')
    const send = page.getByRole('button', { name: 'Send…' })
    expect(await send.isDisabled()).toBe(true)
    await page.getByLabel('Text').fill('Rigen desde mayo')
    await page.getByRole('region', { name: 'Preview' }).getByText('Rigen desde mayo').first().waitFor()
    await expectAccessible(page, 'a system notification in Spanish')
    await send.click()
    await page.getByRole('button', { name: 'Send to 2 users' }).click()
    await page.getByText('The notification is on its way.').waitFor()
    await drain(world.service)
    const sent = deps.db.selectFrom('messages').select(['title', 'body']).where('origin', '=', 'system')
    expect(await sent.orderBy('title').execute()).toEqual([
      { title: 'New terms', body: 'They hold from May' },
      { title: 'Nuevas condiciones', body: 'Rigen desde mayo' },
    ])
  })

  test('pauses and resumes a campaign', async ({ world }) => {
    const { service } = world
    await service.given.user({ devices: [{}] })
    const panel = await service.given.admin()
    const sent = await service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification-all',
      headers: panel.headers,
      payload: { title: 'Pause me', text: 'Near you' },
    })
    const id = sent.json<{ data: { notification_id: number } }>().data.notification_id
    const status = async () => {
      const rows = service.deps.db.selectFrom('messages').select('status').where('message_id', '=', id)
      return (await rows.executeTakeFirstOrThrow()).status
    }
    const page = await signedInAt(world, `/notifications/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await drain(service)
    expect(await status()).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    const resumeElsewhere = async () => {
      await page.getByRole('button', { name: 'Resume' }).waitFor()
      const url = `/api/admin/notifications/${id}/resume`
      const answer = await service.app.inject({ method: 'POST', url, headers: panel.headers, payload: {} })
      expect(answer.statusCode).toBe(200)
    }
    await resumeElsewhere()
    // It is asked for again by itself while it is paused, and at once when a press was refused.
    await page.getByRole('button', { name: 'Pause' }).click()
    await resumeElsewhere()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await drain(service)
    expect(await status()).toBe('completed')
  })

  test.for([
    ['is told of a running campaign', '**/api/admin/notifications/*?per_page=1', 1],
    ['asks about a running campaign that it is not told of', '**/progress-link', 0],
  ] as const)('%s', async ([, address, answers], { world }) => {
    const { service } = world
    const { userId } = await service.given.user({ devices: [{}] })
    const sent = await service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification',
      headers: (await service.given.admin()).headers,
      payload: { title: 'Follow me', text: 'Near you', user_ids: [userId], promotional: true },
    })
    const id = sent.json<{ data: { notification_id: number } }>().data.notification_id
    const page = await emptyPage(world)
    let asked = 0
    await page.route(address, (route) => (asked++ < answers ? route.continue() : route.abort()))
    await page.goto(`/notifications/${id}`)
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(() => asked).toBeGreaterThan(0)
    await drain(service)
    await page.locator('main .tag', { hasText: 'awaiting receipts' }).waitFor()
  })
})
