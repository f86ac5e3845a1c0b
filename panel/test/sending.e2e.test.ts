// Slow: a browser.
import { describe, expect } from 'vitest'
import { drain } from '../../server/test/support/drain.ts'
import { CHROMIUM } from './chromium.ts'
import { signedIn, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('sending in the panel', () => {
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
    await page.getByText('Pending Receipt').waitFor()
    expect(await page.getByRole('heading', { level: 1, name: title }).count()).toBe(1)
    const messages = service.deps.db.selectFrom('messages').select('audience').where('title', '=', title)
    const sent = await messages.where('audience', '=', 'all').execute()
    expect(sent).toHaveLength(1)
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
    const page = await signedIn(world)
    await page.goto(`/notifications/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await drain(service)
    expect(await status()).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await drain(service)
    expect(await status()).toBe('completed')
  })

  test('halts all sending for a reason after a typed word, says who did, and resumes', async ({ world }) => {
    const page = await signedIn(world)
    await page.goto('/delivery')
    await page.getByRole('button', { name: 'Halt sending' }).click()
    const confirm = page.getByRole('button', { name: 'Halt all sending' })
    await page.getByLabel('Why').fill('The text names the wrong shop')
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type HALT to confirm').fill('HALT')
    await confirm.click()
    await page.getByRole('alert').getByText('The text names the wrong shop').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^Sending was halted by /)
      .waitFor()
    const state = world.service.deps.db.selectFrom('provider_state').select(['breaker', 'breaker_code'])
    expect(await state.execute()).toEqual([{ breaker: 'halted', breaker_code: 'HaltedByHand' }])
    await page.getByRole('button', { name: 'Resume sending' }).click()
    await page.getByRole('button', { name: 'Halt sending' }).waitFor()
    expect(await state.execute()).toEqual([{ breaker: 'closed', breaker_code: null }])
  })

  test('restores the devices that the provider reported gone on a day', async ({ world }) => {
    const { given, deps } = world.service
    const users = [await given.user({ devices: [{}] }), await given.user({ devices: [{}] })]
    const ids = users.map(({ userId }) => userId)
    const removed = { removed_at: new Date(deps.clock.now()), removed_reason: 'DeviceNotRegistered' }
    await deps.db.updateTable('mobile_devices').set(removed).where('user_id', 'in', ids).execute()
    const page = await signedIn(world)
    await page.goto('/delivery')
    await page.getByRole('button', { name: /^Restore those of/ }).click()
    await page.getByRole('button', { name: 'Restore 2' }).click()
    await page.getByText('2 devices are back.').waitFor()
    const live = deps.db.selectFrom('mobile_devices').select('id').where('user_id', 'in', ids)
    expect(await live.where('removed_at', 'is', null).execute()).toHaveLength(2)
  })
})
