// Slow: every route, called by everybody or in many ways.
import { describe, expect, vi } from 'vitest'
import { PASSWORD } from './support/accounts.ts'
import { test } from './support/app.ts'
import { readCopies } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import type { Service } from './support/service.ts'
import { openWall, sendTo, type TestWall } from './support/wall.ts'

// The simulator's phones at the real service, over HTTP on both sides. Each test hashes passwords.

async function readDevices({ deps }: Service, { users }: TestWall) {
  return deps.db
    .selectFrom('mobile_devices')
    .select(['device_id', 'token', 'platform', 'user_id'])
    .where(
      'user_id',
      'in',
      users.map(({ userId }) => userId),
    )
    .where('removed_at', 'is', null)
    .orderBy('user_id')
    .execute()
}

describe('a phone of the wall', () => {
  test('signs in, registers as the platform that it is, and shows a push with its deep link once it is tapped', async ({
    service,
  }) => {
    const wall = await openWall(service, 2)
    const [ann] = wall.users
    expect(await wall.phone()).toMatchObject({ platform: 'ios', user: { email: ann?.email }, isOnline: true })
    expect((await readDevices(service, wall)).map(({ platform }) => platform)).toEqual(['ios', 'android'])
    const messageId = await sendTo(service, wall, { data: { link: 'swapbell://items' } })
    const { banners } = await wall.phone()
    expect(banners).toMatchObject([{ title: 'Hello', body: 'There', copies: 1, chip: null }])

    expect(await wall.act('tap', { banner: banners[0]?.key })).toMatchObject({ status: 200 })
    expect(await wall.phone()).toMatchObject({
      banners: [],
      screen: { heading: 'Hello', link: 'swapbell://items', lines: ['Swapbell recorded that it was opened.'] },
    })
    const copies = await readOpens(service, messageId)
    expect(copies).toEqual([true, false])
  })

  test('reports that it showed a push, and that the user dismissed it', async ({ service }) => {
    const wall = await openWall(service, 1)
    const messageId = await sendTo(service, wall)
    const marks = async () =>
      service.deps.db
        .selectFrom('notifications')
        .select(['shown_at', 'dismissed_at'])
        .where('message_id', '=', messageId)
        .executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect((await marks()).shown_at).not.toBeNull(), 300_000)
    expect((await marks()).dismissed_at).toBeNull()
    await wall.act('dismiss', { banner: (await wall.phone()).banners[0]?.key })
    expect((await marks()).dismissed_at).not.toBeNull()
    expect(await wall.phone()).toMatchObject({ banners: [], note: 'Dismissed, and Swapbell recorded it.' })
  })

  test('that is offline gets its push when it is back, and reports the taps from meanwhile', async ({ service }) => {
    const wall = await openWall(service, 1)
    const first = await sendTo(service, wall)
    const { banners } = await wall.phone()
    await wall.act('offline')
    await wall.act('tap', { banner: banners[0]?.key })
    expect((await wall.phone()).screen?.lines[0]).toContain('No connection')
    expect(await readOpens(service, first)).toEqual([false])
    await sendTo(service, wall, { title: 'Late' })
    expect(await wall.phone()).toMatchObject({ banners: [], waiting: 1 })
    expect(await wall.act('sign-out')).toMatchObject({ status: 409, problem: 'The phone is offline.' })
    await wall.act('online')
    expect(await wall.phone()).toMatchObject({ banners: [{ title: 'Late' }], waiting: 0 })
    expect(await readOpens(service, first)).toEqual([true])
  })

  test('that signs out gets nothing more, and gets pushes for the next user who signs in on it', async ({
    service,
  }) => {
    const wall = await openWall(service, 2, 1)
    const [, ben] = wall.users
    await wall.act('sign-out')
    expect(await wall.phone()).toMatchObject({ user: null, banners: [] })
    expect(await readDevices(service, wall)).toEqual([])
    expect(await wall.act('sign-in', { email: ben?.email })).toMatchObject({ status: 200 })
    expect(await readDevices(service, wall)).toMatchObject([{ user_id: ben?.userId }])
    await sendTo(service, wall)
    expect((await wall.phone()).banners).toHaveLength(1)
    expect(await wall.act('sign-in', { password: 'quite another word' })).toMatchObject({
      status: 409,
      problem: expect.stringMatching(/^Not signed in\. \w/) as string,
    })
  })

  test('that is installed again has a new token instead of the old one', async ({ service, simulator }) => {
    const wall = await openWall(service, 1)
    const [before] = await readDevices(service, wall)
    expect(await wall.act('reinstall')).toMatchObject({ status: 200 })
    const [after, ...others] = await readDevices(service, wall)
    expect(others).toEqual([])
    expect(after?.device_id).toBe(before?.device_id)
    expect(after?.token).not.toBe(before?.token)
    await sendTo(service, wall)
    expect((await wall.phone()).banners).toHaveLength(1)
    expect(simulator.log().at(-1)?.token).toBe(after?.token)
  })

  test('whose app was deleted is removed by the next push, and comes back when the app is installed', async ({
    service,
  }) => {
    const wall = await openWall(service, 1)
    await wall.act('delete-app')
    expect(await readDevices(service, wall)).toHaveLength(1)
    const messageId = await sendTo(service, wall)
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'DeviceNotRegistered' }])
    expect(await readDevices(service, wall)).toEqual([])
    await wall.act('reinstall')
    expect(await readDevices(service, wall)).toHaveLength(1)
    expect(await wall.phone()).toMatchObject({ hasApp: true, user: { email: wall.users[0]?.email } })
  })

  test('merges the second copy of a push whose answer was lost into one banner', async ({ service, simulator }) => {
    const wall = await openWall(service, 2)
    await fetch(`${simulator.url}/simulator/mode`, { method: 'POST', body: JSON.stringify({ mode: 'lost-answer' }) })
    await sendTo(service, wall)
    await service.clock.tick(61_000)
    await drain(service)
    for (const place of [0, 1])
      expect((await wall.phone(place)).banners).toMatchObject([{ copies: 2, chip: 'same push again, merged' }])
    expect((await wall.view()).traffic.slice(-2)).toMatchObject([
      { answer: 504, accepted: 2, copies: 0 },
      { answer: 200, accepted: 2, copies: 2 },
    ])
  })

  test('is signed out when Swapbell has ended its session, and registers again when the app is opened', async ({
    service,
  }) => {
    const { deps } = service
    const wall = await openWall(service, 2)
    const [ann, ben] = wall.users
    await deps.db
      .deleteFrom('sessions')
      .where('user_id', '=', ann?.userId ?? 0)
      .execute()
    deps.sessions.forget(ann?.userId ?? 0)
    await wall.act('open')
    expect(await wall.phone()).toMatchObject({
      user: null,
      note: 'Swapbell has ended this session: the app is signed out.',
    })
    await deps.db
      .deleteFrom('mobile_devices')
      .where('user_id', '=', ben?.userId ?? 0)
      .execute()
    await sendTo(service, wall)
    await wall.act('open', {}, 1)
    expect(await readDevices(service, { ...wall, users: [ben!] })).toHaveLength(1)
    expect((await wall.phone(1)).screen?.lines.join(' ')).toMatch(/Signed in as .*\. 0 unread in the inbox\./)
  })

  test('is added for the next person or a named one, and says why nobody can sign in', async ({
    service,
    simulator,
  }) => {
    const wall = await openWall(service, 2, 0)
    const add = async (body: object) => {
      const answer = await fetch(`${simulator.url}/simulator/phones`, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, ...((await answer.json()) as { error?: string }) }
    }
    const [ann, ben] = wall.users
    expect(await add({ platform: 'android' })).toMatchObject({
      status: 201,
      phone: { platform: 'android', user: { email: ann?.email } },
    })
    expect(await add({ email: ben?.email, password: PASSWORD })).toMatchObject({ status: 201 })
    expect(await add({ email: ben?.email, password: 'wrong password' })).toMatchObject({ status: 409 })
    expect((await wall.view()).phones).toHaveLength(2)
    const text = JSON.stringify(await wall.view())
    for (const { token } of await readDevices(service, wall)) expect(text).not.toContain(token)
    expect(text).not.toContain(PASSWORD)
  })
})

async function readOpens({ deps }: Service, messageId: number): Promise<boolean[]> {
  const copies = await deps.db
    .selectFrom('notifications')
    .select('is_open')
    .where('message_id', '=', messageId)
    .orderBy('user_id')
    .execute()
  return copies.map(({ is_open }) => is_open)
}
