// Slow: a browser.
import { describe, expect } from 'vitest'
import { drain } from '../../server/test/support/drain.ts'
import { sendToUsers } from '../../server/test/support/send.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the people of a campaign in the panel', () => {
  test('says why somebody did not get a campaign: from its counts, by a search, and from the person', async ({
    world,
  }) => {
    const { given, app } = world.service
    const people = [
      await given.user({ name: 'Ines Reached', devices: [{}] }),
      await given.user({ name: 'Ivo Phoneless' }),
      await given.user({ name: 'Ida Gone', devices: [{ token: 'ExponentPushToken[dead-ida]' }] }),
    ]
    const payload = { title: 'Who gets it', text: 'Near you', user_ids: people.map(({ userId }) => userId) }
    const sent = await app.inject({
      method: 'POST',
      url: '/api/admin/send-notification',
      headers: (await given.admin()).headers,
      payload: { ...payload, promotional: true },
    })
    const id = sent.json<{ data: { notification_id: number } }>().data.notification_id
    await drain(world.service)
    const page = await signedInAt(world, `/notifications/${id}`)
    const rows = async () =>
      (await page.getByRole('table').last().getByRole('row').allInnerTexts()).slice(1).map((row) => row.split('\n')[0])
    await expect.poll(rows).toEqual(['Ines Reached', 'Ivo Phoneless', 'Ida Gone'])
    await page.getByRole('link', { name: 'no device (1)' }).click()
    await expect.poll(rows).toEqual(['Ivo Phoneless'])
    await page.getByText('This user had no phone to push to.').waitFor()
    await expectAccessible(page, 'the skipped of a campaign')
    await page.getByRole('link', { name: 'One push failed.' }).click()
    await expect.poll(rows).toEqual(['Ida Gone'])
    await page.getByText('DeviceNotRegistered').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByLabel('Name, e-mail or number').fill('ivo')
    await expect.poll(rows).toEqual(['Ivo Phoneless'])
    await page.goto(`/notifications/${id}?limit=2`)
    await expect.poll(rows).toEqual(['Ines Reached', 'Ivo Phoneless'])
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(rows).toEqual(['Ida Gone'])
    await page.getByRole('button', { name: 'First page' }).click()
    await expect.poll(rows).toEqual(['Ines Reached', 'Ivo Phoneless'])
    await page.getByRole('link', { name: 'Ivo Phoneless' }).click()
    await page.getByRole('tab', { name: 'Pushes' }).click()
    await page.getByRole('link', { name: 'Who gets it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Who gets it' }).waitFor()
  })

  test('leads through all pushes of a user, page by page', async ({ world }) => {
    const { deps, given } = world.service
    const { userId } = await given.user({ name: 'Much Pushed' })
    const origin = 'automatic'
    for (let n = 1; n <= 51; n++)
      await sendToUsers(deps, {
        userIds: [userId],
        content: { title: `Push ${n}.`, text: 'Near you' },
        promotional: false,
        senderId: null,
        origin,
      })
    const page = await signedInAt(world, `/users/${userId}?tab=messages`)
    await page.getByRole('link', { name: 'Push 51.' }).waitFor()
    expect(await page.getByRole('link', { name: 'Push 1.' }).count()).toBe(0)
    await page.getByRole('button', { name: 'next page' }).click()
    await page.getByRole('link', { name: 'Push 1.' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  })
})
