import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { hold } from '../../../test/support/holds.ts'
import type { Service } from '../../../test/support/service.ts'

const URL = '/api/v1/me/settings'
const ALL = { swap_match: true, new_message: true, swap_status: true, group_join_request: true, system: true }

describe('What a user decides about pushes', () => {
  test('is everything at any hour at first, and a change keeps what it does not name', async ({ service, given }) => {
    const user = await given.user()
    const initial = { notification: true, events: ALL, sender_names: true, quiet_hours: null, time_zone: 'UTC' }
    expect(await read(service, user)).toEqual(initial)

    const quiet_hours = { start: '22:30', end: '06:05', except: ['swap_status'] }
    expect((await change(service, user, { quiet_hours })).json()).toMatchObject({ data: { ...initial, quiet_hours } })
    await change(service, user, { events: { system: false, new_message: false } })
    await change(service, user, { events: { new_message: true }, notification: false })
    const expected = { ...initial, notification: false, events: { ...ALL, system: false }, quiet_hours }
    expect(await read(service, user)).toEqual(expected)
    expect((await service.app.inject({ url: '/api/user/settings', headers: user.headers })).json()).toMatchObject({
      data: { notification: '0' },
    })
  })

  test('has no row when it is the default again', async ({ service, given, deps }) => {
    const user = await given.user()
    await change(service, user, { quiet_hours: { start: '22:00', end: '07:00' }, events: { system: false } })
    await change(service, user, { sender_names: false })
    await change(service, user, { quiet_hours: null, events: { system: true } })
    expect(await read(service, user)).toMatchObject({ sender_names: false, quiet_hours: null, events: ALL })
    await change(service, user, { sender_names: true })
    const rows = deps.db.selectFrom('push_preferences').selectAll().where('user_id', '=', user.userId)
    expect(await rows.execute()).toEqual([])
  })

  test('keeps both of two changes at once that name different fields', async ({ service, given }) => {
    const user = await given.user()
    const held = await hold(service, 'lock table push_preferences in share mode')
    const changes = [{ events: { system: false } }, { sender_names: false }].map((one) => change(service, user, one))
    await held.untilWaiting(2)
    await held.commit()
    expect((await Promise.all(changes)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await read(service, user)).toMatchObject({ events: { ...ALL, system: false }, sender_names: false })
  })

  test.for<[object, string]>([
    [{ quiet_hours: { start: '24:00', end: '07:00' } }, 'quiet_hours.start'],
    [{ quiet_hours: { start: '7:00', end: '08:00' } }, 'quiet_hours.start'],
    [{ quiet_hours: { start: '07:00', end: '07:00' } }, 'quiet_hours.end'],
    [{ quiet_hours: { start: '07:00' } }, 'quiet_hours.end'],
    [{ quiet_hours: { start: '22:00', end: '07:00', except: ['system'] } }, 'quiet_hours.except.0'],
    [{ events: { marketing: false } }, 'events.marketing'],
    [{ notification: '1' }, 'notification'],
    [{ colour: 'red' }, 'colour'],
  ])('is refused as %j', async ([payload, field], { service, given }) => {
    const user = await given.user()
    expectInvalid(await change(service, user, payload), field)
    expect(await read(service, user)).toMatchObject({ quiet_hours: null, events: ALL })
  })
})

async function read({ app }: Service, { headers }: GivenUser): Promise<unknown> {
  const answer = await app.inject({ url: URL, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: unknown }>().data
}

function change({ app }: Service, { headers }: GivenUser, payload: object) {
  return app.inject({ method: 'PATCH', url: URL, headers, payload })
}
