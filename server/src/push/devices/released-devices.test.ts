import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, untilRetry } from '../../../test/support/campaign.ts'
import { toDevices, register } from '../../../test/support/devices.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'

// Both copies of a send wait for their retry.
const TRY_LATER = { match: 'send', ticketErrors: { '0': 'MessageRateExceeded', '1': 'MessageRateExceeded' } } as const

function release({ app }: Service, { headers }: GivenUser, query: string) {
  return app.inject({ method: 'DELETE', url: `/api/user/phone-token${query}`, headers })
}

describe('DELETE /api/user/phone-token', () => {
  test('releases that phone of the user and no other; repeating it is harmless', async ({ service, given }) => {
    const user = await given.user({ devices: [{ deviceId: 'a' }, { deviceId: 'b' }] })
    const other = await given.user({ devices: [{ deviceId: 'a' }] })
    const answer = await release(service, user, '?device_id=a')
    expect(answer.json()).toMatchObject({ success: true, data: { released: true } })
    expect((await release(service, user, '?device_id=a')).json()).toMatchObject({ data: { released: false } })
    expect(await toDevices(service, user)).toMatchObject([{ removed_reason: 'released' }, { removed_at: null }])
    expect(await toDevices(service, other)).toMatchObject([{ removed_at: null }])
  })

  test('cancels what is unsent to it; registering brings it back', async ({ service, given, simulator }) => {
    const user = await given.user({ devices: [{ deviceId: 'a' }] })
    simulator.script([TRY_LATER])
    const messageId = await send(service, [user])
    await drain(service)
    await release(service, user, '?device_id=a')
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'DeviceMoved' }])
    expect(simulator.log().map((entry) => entry.token)).not.toContain(user.devices[0]?.token)
    await expectTruth(service, messageId)

    await register(service, user, { token: user.devices[0]?.token, device_id: 'a', platform: 'ios' })
    expect(await toDevices(service, user)).toMatchObject([{ removed_at: null, removed_reason: null }])
  })

  test.for([
    ['missing', ''],
    ['empty', '?device_id='],
    ['too long', `?device_id=${'x'.repeat(256)}`],
    ['given twice', '?device_id=a&device_id=b'],
    ['with NUL', '?device_id=a%00'],
  ])('refuses a device_id that is %s', async ([, query = ''], { service, given }) => {
    expectInvalid(await release(service, await given.user(), query), 'device_id')
  })
})
