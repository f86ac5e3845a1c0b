import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'

type Device = { id: number; device_id: string; platform: string; last_seen_at: string }
type Page = { data: Device[]; next_cursor: string | null }

async function readDevices({ app }: Service, { headers }: GivenUser, query = ''): Promise<Page> {
  const answer = await app.inject({ url: `/api/v1/devices${query}`, headers })
  expect(answer.body).not.toContain('ExponentPushToken')
  return answer.json<Page>()
}

function release({ app }: Service, { headers }: GivenUser, id: number) {
  return app.inject({ method: 'DELETE', url: `/api/v1/devices/${id}`, headers })
}

describe('a user’s devices', () => {
  test('are listed without tokens, the one seen last first, page by page', async ({ service, clock }) => {
    const user = await service.given.user({ devices: [{}, { platform: 'android' }, {}] })
    await clock.tick(60_000)
    const phone = { token: user.devices[0]!.token, device_id: user.devices[0]!.deviceId, platform: 'ios' }
    const again = { method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload: phone } as const
    expect((await service.app.inject(again)).statusCode).toBe(200)
    const first = await readDevices(service, user, '?limit=2')
    const rest = await readDevices(service, user, `?limit=2&cursor=${first.next_cursor}`)
    const [a, b, c] = user.devices.map(({ id }) => id)
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([a, c, b])
    expect(rest.next_cursor).toBeNull()
    expect(first.data[0]).toEqual({
      id: a,
      device_id: user.devices[0]!.deviceId,
      platform: 'ios',
      last_seen_at: new Date(clock.now()).toISOString(),
    })
    expect(await readDevices(service, await service.given.user({ devices: [{}] }), '')).toMatchObject({ data: [{}] })
  })

  test('are released one by one, with what is unsent to them', async ({ service }) => {
    const user = await service.given.user({ devices: [{}, {}] })
    const [gone, stays] = user.devices
    const unsent = await send(service, [user])
    expect((await release(service, user, gone!.id)).json()).toMatchObject({ data: { id: gone!.id, released: true } })
    await drain(service)
    const copies = (await readCopies(service, unsent)) as unknown as { mobile_devices_id: number }[]
    expect(copies.map((copy) => copy.mobile_devices_id)).toEqual([stays!.id])
    expect((await readDevices(service, user)).data.map(({ id }) => id)).toEqual([stays!.id])
    expectError(await release(service, user, gone!.id), 404, 'NOT_FOUND')
  })

  test('cannot be released by another user: 404', async ({ service }) => {
    const [user, other] = [await service.given.user(), await service.given.user({ devices: [{}] })]
    expectError(await release(service, user, other.devices[0]!.id), 404, 'NOT_FOUND')
    expect((await readDevices(service, other)).data).toHaveLength(1)
  })
})
