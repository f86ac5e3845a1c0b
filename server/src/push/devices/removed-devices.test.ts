import { randomUUID } from 'node:crypto'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { removeDevices } from './devices.ts'

const URL = '/api/admin/push-status/removed-devices'
const DAY_MS = 86_400_000

type Phone = { token: string; device_id: string; platform: 'ios' }

function phone(device_id: string = randomUUID()): Phone {
  return { token: `ExponentPushToken[${randomUUID()}]`, device_id, platform: 'ios' }
}

async function register({ app, clock }: Service, { headers }: GivenUser, payload: Phone) {
  await clock.tick(1_000)
  const answer = await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
  expect(answer.statusCode).toBe(200)
}

async function logOut({ app, clock }: Service, { headers }: GivenUser, { device_id }: Phone) {
  await clock.tick(1_000)
  await app.inject({ method: 'DELETE', url: `/api/user/phone-token?device_id=${device_id}`, headers })
}

/** The provider calls all phones of these users gone, about a push that leaves now. */
async function callGone({ deps, clock }: Service, users: GivenUser[], sentAt = new Date(clock.now())) {
  const ids = users.map(({ userId }) => userId)
  const rows = await deps.db.selectFrom('mobile_devices').select('id').where('user_id', 'in', ids).execute()
  await clock.tick(1_000)
  const gone = rows.map(({ id }) => ({ deviceId: id, sentAt, reason: 'DeviceNotRegistered' as const }))
  await commitWork(deps, removeDevices, { provider: deps.providers[0].provider.name, gone })
}

async function restore(service: Service, body: Record<string, unknown> = {}) {
  const { app, given, clock } = service
  const { headers } = await given.admin()
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  const payload = { start_date: day, end_date: day, ...body }
  return app.inject({ method: 'POST', url: `${URL}/restore`, headers, payload })
}

function live({ deps }: Service, { userId }: GivenUser) {
  const rows = deps.db.selectFrom('mobile_devices').select('token').where('user_id', '=', userId)
  return rows.where('removed_at', 'is', null).execute()
}

/** A fresh day, so that each test sees its own removals. */
async function nextDay({ clock }: Service) {
  await clock.setTime(Math.ceil((clock.now() + 1) / DAY_MS) * DAY_MS + 1_000)
}

describe('removed devices', () => {
  test('are counted by day and reason, and listed without their tokens', async ({ service, given }) => {
    await nextDay(service)
    const [gone, left] = [await given.user(), await given.user()]
    const [one, other] = [phone(), phone()]
    await register(service, gone, one)
    await register(service, left, other)
    await callGone(service, [gone])
    await logOut(service, left, other)
    const { headers } = await given.admin()
    const get = async (path: string) => (await service.app.inject({ url: `${URL}${path}`, headers })).json()
    const day = new Date(service.clock.now()).toISOString().slice(0, 10)
    expect(await get(`/days?start_date=${day}`)).toMatchObject({
      data: [
        { day, provider: 'expo', reason: 'DeviceNotRegistered', devices: 1 },
        { day, provider: 'expo', reason: 'released', devices: 1 },
      ],
    })
    const first = await get(`?start_date=${day}&limit=1`)
    expect(first.data).toEqual([
      {
        id: expect.any(Number) as number,
        user_id: left.userId,
        name: left.name,
        platform: 'ios',
        provider: 'expo',
        reason: 'released',
        last_registered_at: expect.any(String) as string,
        removed_at: expect.any(String) as string,
      },
    ])
    const second = await get(`?start_date=${day}&limit=1&cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ data: [{ user_id: gone.userId }], next_cursor: null })
    expect(await get(`?start_date=${day}&reason=DeviceNotRegistered`)).toMatchObject({
      data: [{ user_id: gone.userId }],
    })
    expectInvalid(
      await service.app.inject({ url: `${URL}?start_date=2026-01-01&end_date=2026-03-01`, headers }),
      'end_date',
    )
  })

  test('that the provider reported gone are restored for a day, after a count that changes nothing', async ({
    service,
    given,
  }) => {
    await nextDay(service)
    const users = [await given.user(), await given.user()]
    for (const user of users) await register(service, user, phone())
    const sentAt = new Date(service.clock.now())
    await callGone(service, users)
    expect((await restore(service, { dry_run: true })).json()).toMatchObject({
      data: { restored: 0, restorable: 2, left: 0 },
      message: 'Nothing changed',
    })
    expect(await live(service, users[0]!)).toEqual([])
    expect((await restore(service)).json()).toMatchObject({ data: { restored: 2, restorable: 0, left: 0 } })
    for (const user of users) expect(await live(service, user)).toHaveLength(1)
    // A late answer about the earlier push removes none of them again; one about a later push does.
    await callGone(service, users, sentAt)
    expect(await live(service, users[0]!)).toHaveLength(1)
    await callGone(service, users)
    expect(await live(service, users[0]!)).toEqual([])
    const entry = service.deps.db
      .selectFrom('audit_log')
      .innerJoin('audit_details', 'audit_details.audit_id', 'audit_log.audit_id')
      .select('content')
      .where('action', '=', 'devices.restore')
      .where('part', '=', 'change')
    expect(await entry.execute()).toMatchObject([{ content: { after: { restored: 2 } } }])
  })

  test('need both days of the period, and a provider that exists', async ({ service }) => {
    expectInvalid(await restore(service, { start_date: undefined }), 'start_date')
    expectInvalid(await restore(service, { end_date: undefined }), 'end_date')
    expectInvalid(await restore(service, { start_date: '2026-02-01', end_date: '2026-01-01' }), 'end_date')
    expectInvalid(await restore(service, { start_date: '2020-01-01' }), 'end_date')
    expectInvalid(await restore(service, { provider: 'pigeon' }), 'provider')
  })

  test('stay removed when their token or phone was registered anew, or their owner logged out, whatever came in between', async ({
    service,
    given,
  }) => {
    const step = constantFrom('ann', 'ben', 'ann-new-token', 'log-out-ann', 'log-out-ben', 'gone-ann', 'gone-ben')
    await assert(
      asyncProperty(array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        await nextDay(service)
        const [ann, ben] = [await given.user(), await given.user()]
        // One phone: whoever is signed in registers its token.
        const shared = phone()
        let token = shared.token
        // Who may get pushes by the phone: the last who registered it and has not logged out since.
        let owner: { user: GivenUser; token: string } | undefined
        for (const what of steps) {
          if (what === 'ann-new-token') token = phone().token
          const user = what.includes('ben') ? ben : ann
          if (what.startsWith('gone')) await callGone(service, [user])
          else if (what.startsWith('log-out')) {
            await logOut(service, user, shared)
            if (owner?.user === user) owner = undefined
          } else {
            await register(service, user, { ...shared, token })
            owner = { user, token }
          }
        }
        await restore(service)
        for (const user of [ann, ben]) {
          const rows = await live(service, user)
          const own = owner?.user === user ? [{ token: owner.token }] : []
          // A former token of the phone belongs to whoever registered it last, until the app tells another.
          expect(rows.filter((row) => row.token === token)).toEqual(own.filter((row) => row.token === token))
          expect(rows.length).toBeLessThanOrEqual(1)
        }
        expect((await restore(service, { dry_run: true })).json()).toMatchObject({ data: { restorable: 0 } })
      }),
      {
        numRuns: 15,
        endOnFailure: true,
        examples: [
          [['ann', 'gone-ann', 'ben', 'log-out-ben']],
          [['ann', 'ann-new-token', 'ben', 'gone-ben', 'gone-ann']],
        ],
      },
    )
  })
})
