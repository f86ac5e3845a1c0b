// Slow: a browser.
import { describe, expect } from 'vitest'
import { drain } from '../../server/test/support/drain.ts'
import { CHROMIUM, expectAccessible } from './chromium.ts'
import { signedInAt, test } from './world.ts'

describe.skipIf(CHROMIUM === undefined)('the page of the delivery', () => {
  test('says on the page of the delivery that the provider fails, before sending waits by itself', async ({
    world,
  }) => {
    const { given, simulator, clock } = world.service
    const { userId } = await given.user({ devices: [{}, {}] })
    // The successes of other tests come before.
    await clock.setTime(clock.now() + 1_000)
    simulator.script([{ match: 'send', status: 500 }])
    await world.service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification',
      headers: (await given.admin()).headers,
      payload: { title: 'Fails first', text: 'Near you', user_ids: [userId] },
    })
    await drain(world.service)
    const page = await signedInAt(world, '/delivery')
    await page.locator('main .tag', { hasText: 'failing' }).waitFor()
    await page.getByText('pushes wait for the provider').waitFor()
    await page.getByText('Failed requests raise one when sending stops.').waitFor()
    await expectAccessible(page, 'the delivery while the provider fails')
    simulator.reset()
    await clock.setTime(clock.now() + 61_000)
    await drain(world.service)
    await page.reload()
    await page.locator('main .tag', { hasText: 'sending' }).waitFor()
    await page.getByText('Nothing waits').waitFor()
  })

  test('halts all sending for a reason after a typed word, says who did, and resumes', async ({ world }) => {
    const page = await signedInAt(world, '/delivery')
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
    const page = await signedInAt(world, '/delivery')
    await page.getByRole('button', { name: /^Restore those of/ }).click()
    await page.getByRole('button', { name: 'Restore 2' }).click()
    await page.getByText('2 devices are back.').waitFor()
    const live = deps.db.selectFrom('mobile_devices').select('id').where('user_id', 'in', ids)
    expect(await live.where('removed_at', 'is', null).execute()).toHaveLength(2)
  })

  test('says on the page of the roll-out what to do where only Expo is set up, and that it is not known', async ({
    world,
  }) => {
    const page = await signedInAt(world, '/roll-out')
    await page.getByText('Only Expo is set up').waitFor()
    await page.getByText('docs/providers.md').waitFor()
    await page.route('**/api/admin/roll-outs', (route) => route.fulfill({ status: 503 }))
    await page.reload()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/api/admin/roll-outs')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Only Expo is set up').waitFor()
  })
})
