import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitWork } from '../../../test/support/commit.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { noteProven } from './devices.ts'

let five: Awaited<ReturnType<typeof startFiveProviders>>

beforeAll(async () => {
  five = await startFiveProviders()
})

afterAll(() => five.service.close())

function register(user: GivenUser, payload: object) {
  return five.service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
}

async function readPhones({ userId }: GivenUser) {
  const phones = five.service.deps.db
    .selectFrom('mobile_devices')
    .select(['provider', 'platform', 'token', 'is_proven'])
  return phones.where('user_id', '=', userId).where('removed_at', 'is', null).orderBy('id').execute()
}

describe('a phone', () => {
  test.for([
    [{ token: 'ExponentPushToken[one]' }, 'expo', 'unknown'],
    [{ token: 'ExponentPushToken[two]', platform: 'ios', app: 'anything' }, 'expo', 'ios'],
    [{ token: 'apns-token:a', environment: 'production' }, 'apns/swapbell/production', 'ios'],
    [
      { token: 'apns-token:b', token_type: 'apns', app: 'swapbell', environment: 'sandbox' },
      'apns/swapbell/sandbox',
      'ios',
    ],
    [{ token: 'fcm-token:c', token_type: 'fcm', app: 'swapbell' }, 'fcm/swapbell', 'android'],
    [{ token: 'fcm-token:d', environment: 'production' }, 'fcm/swapbell', 'android'],
    [{ token: `web-token:${'e'.repeat(2_038)}`, platform: 'web' }, 'web/swapbell', 'web'],
  ] as const)('that names %o is one of %s', async ([payload, provider, platform]) => {
    const user = await five.service.given.user()
    const answer = await register(user, { ...payload, device_id: 'p' })
    expect(answer.json()).toMatchObject({ success: true, data: { device_id: 'p', platform } })
    expect(await readPhones(user)).toEqual([{ provider, platform, token: payload.token, is_proven: false }])
  })

  test.for([
    [{ token: 'no token of anybody' }, 'token'],
    [{ token: 'fcm-token:a', token_type: 'apns' }, 'token'],
    [{ token: `web-token:${'x'.repeat(2_039)}` }, 'token'],
    [{ token: `ExponentPushToken[${'é'.repeat(1_020)}]` }, 'token'],
    [{ token: 'apns-token:a', token_type: 'hms' }, 'token_type'],
    [{ token: 'apns-token:a', app: 'another', environment: 'sandbox' }, 'app'],
    [{ token: 'fcm-token:a', app: 'another' }, 'app'],
    [{ token: 'apns-token:a' }, 'environment'],
    [{ token: 'apns-token:a', environment: 'staging' }, 'environment'],
    [{ token: 'apns-token:a', environment: 'sandbox', platform: 'android' }, 'platform'],
    [{ token: 'ExponentPushToken[x]', platform: 'web' }, 'platform'],
  ] as const)('that names %o is refused for its %s', async ([payload, field]) => {
    const user = await five.service.given.user()
    expectInvalid(await register(user, payload), field)
    expect(await readPhones(user)).toEqual([])
  })

  test('whose token comes in another form is the same phone', async () => {
    const user = await five.service.given.user()
    const payload = { device_id: 'p', environment: 'sandbox' }
    expect((await register(user, { ...payload, token: 'apns-token:same' })).statusCode).toBe(200)
    expect((await register(user, { ...payload, token: 'APNS-TOKEN:same' })).statusCode).toBe(200)
    expect(await readPhones(user)).toMatchObject([{ token: 'apns-token:same' }])
  })

  test('is proven for the provider that took a push for it, and for no other', async () => {
    const user = await five.service.given.user()
    const at = (environment: string, device_id = 'p') =>
      register(user, { token: 'apns-token:moves', environment, device_id })
    await at('sandbox')
    const device = five.service.deps.db.selectFrom('mobile_devices').select('id as deviceId')
    const { deviceId } = await device.where('token', '=', 'apns-token:moves').executeTakeFirstOrThrow()
    const note = (environment: string) => {
      const devices = [{ deviceId, isProven: true }]
      return commitWork(five.service.deps, noteProven, { provider: `apns/swapbell/${environment}`, devices })
    }
    await note('sandbox')
    await at('sandbox')
    await at('sandbox', 'renamed')
    expect(await readPhones(user)).toMatchObject([{ provider: 'apns/swapbell/sandbox', is_proven: true }])
    await at('production')
    expect(await readPhones(user)).toMatchObject([{ provider: 'apns/swapbell/production', is_proven: false }])
    // The answer to a push that left before it moved.
    await note('sandbox')
    expect(await readPhones(user)).toMatchObject([{ is_proven: false }])
    await note('production')
    expect(await readPhones(user)).toMatchObject([{ is_proven: true }])
  })

  test('may not name a type of token for which nothing is configured', async () => {
    const { app, given } = five.service
    const user = await given.user()
    const payload = { token: 'ExponentPushToken[x]', token_type: 'web' }
    expectInvalid(await register(user, payload), 'token')
    const answer = await app.inject({ method: 'POST', url: '/api/user/save-phone-token', payload })
    expect(answer.statusCode).toBe(401)
  })
})
