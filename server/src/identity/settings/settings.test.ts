import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'

const URL = '/api/user/settings'

function read({ app }: Service, { headers }: GivenUser) {
  return app.inject({ url: URL, headers })
}

function change({ app }: Service, { headers }: GivenUser, payload: Record<string, unknown>) {
  return app.inject({ method: 'PUT', url: URL, headers, payload })
}

describe('the notification preference', () => {
  test.for([
    ['1', '1'],
    ['0', '0'],
    [null, '0'],
  ] as const)('stored as %s reads as %s', async ([notification, expected], { service, given }) => {
    const answer = await read(service, await given.user({ notification }))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ success: true, data: { notification: expected }, message: 'Settings' })
  })

  test('is changed whether or not it was there, and nobody else’s with it', async ({ service, given, deps }) => {
    const [without, other] = [await given.user({ notification: null }), await given.user()]
    for (const notification of ['1', '0', '0', '1']) {
      const answer = await change(service, without, { notification })
      expect(answer.json()).toEqual({ success: true, data: { notification }, message: 'Settings changed' })
    }
    const rows = deps.db.selectFrom('user_settings').select('setting_value')
    expect(await rows.where('user_id', '=', without.userId).execute()).toEqual([{ setting_value: '1' }])
    expect((await change(service, without, { notification: '0' })).statusCode).toBe(200)
    expect((await read(service, other)).json()).toMatchObject({ data: { notification: '1' } })
  })

  test('counts when a message is sent, not when it was asked for', async ({ service, given }) => {
    const user = await given.user({ devices: [{}] })
    const early = await send(service, [user], { promotional: false })
    await change(service, user, { notification: '0' })
    await drain(service)
    expect(await readCopies(service, early)).toEqual([])

    const late = await send(service, [user], { promotional: false })
    await change(service, user, { notification: '1' })
    await drain(service)
    expect(await readCopies(service, late)).toMatchObject([{ is_send: true }])
  })

  test.for<[string, string, Record<string, unknown>]>([
    ['a missing value', 'notification', {}],
    ['a third value', 'notification', { notification: '2' }],
    ['a number', 'notification', { notification: 1 }],
    ['a boolean', 'notification', { notification: true }],
    ['null', 'notification', { notification: null }],
    ['another setting', 'language', { notification: '1', language: 'en' }],
  ])('refuses %s', async ([, field, body], { service, given }) => {
    const user = await given.user()
    expectInvalid(await change(service, user, body), field)
    expect((await read(service, user)).json()).toMatchObject({ data: { notification: '1' } })
  })
})
