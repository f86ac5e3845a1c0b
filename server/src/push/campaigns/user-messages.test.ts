// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'

const DAY_MS = 86_400_000

type Row = {
  id: number
  outcome: string
  skip_reason: string | null
  skipped_at: string | null
  notifications: { id: number; ticket_id: string | null; state: string; device_id: string; user_id: number }[]
}
type Page = { data: Row[]; pagination: { total_items: number; total_pages: number } }

async function get({ app, given }: Service, userId: number, query: Record<string, string> = {}) {
  return app.inject({ url: `/api/admin/users/${userId}/notifications`, query, headers: (await given.admin()).headers })
}

async function readList(
  service: Service,
  { userId }: { userId: number },
  query: Record<string, string> = {},
): Promise<Page> {
  const answer = await get(service, userId, query)
  expect(answer.statusCode).toBe(200)
  return answer.json<Page>()
}

async function toAll({ app, given }: Service, kind: 'all' | 'sandbox' = 'all'): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/admin/send-notification-${kind}`,
    headers: (await given.admin()).headers,
    payload: { title: 'To all', text: 'There' },
  })
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

async function stop({ app, given }: Service, messageId: number): Promise<void> {
  const { headers } = await given.admin()
  const answer = await app.inject({ method: 'POST', url: `/api/admin/notifications/${messageId}/stop`, headers })
  expect(answer.statusCode).toBe(200)
}

/** What the list of a user says of one message. */
async function toOutcomes(service: Service, user: GivenUser, messageId: number) {
  const { data } = await readList(service, user, { per_page: '100' })
  const rows = data.filter((row) => row.id === messageId)
  expect(rows.length).toBeLessThanOrEqual(1)
  return rows[0] && `${rows[0].outcome} ${rows[0].skip_reason ?? ''}`.trim()
}

describe('GET /api/admin/users/{user_id}/notifications', () => {
  test('shows the outcome of each message on each device, with tickets and without push tokens', async ({
    service,
    given,
  }) => {
    const user = await given.user({
      devices: [{ deviceId: 'one' }, { deviceId: 'two', token: 'ExponentPushToken[dead-user]' }],
    })
    const id = await send(service, [user, await given.user({ devices: [{}] })], { promotional: false, title: 'Hi' })
    await drain(service)
    const { data, pagination } = await readList(service, user)
    expect(pagination).toMatchObject({ total_items: 1, total_pages: 1 })
    expect(data[0]).toMatchObject({
      id,
      notification_id: id,
      notification_type: 'non_promotional',
      notification_content: { title: 'Hi', body: 'There', data: null },
      origin: 'named',
      audience: 'users',
      status: 'completed',
      outcome: 'notified',
      skip_reason: null,
      skipped_at: null,
      sender: { name: expect.stringMatching(/^User/) as string },
      notifications: [
        {
          user_id: user.userId,
          device_id: 'one',
          state: 'Pending Receipt',
          ticket_id: expect.stringMatching(/./) as string,
        },
        {
          user_id: user.userId,
          device_id: 'two',
          state: 'Permanently Failed',
          ticket_id: null,
          error_message: 'DeviceNotRegistered',
        },
      ],
    })
    expect(JSON.stringify(data)).not.toContain('ExponentPushToken')
  })

  test.for<[reason: string, wishes: Parameters<Service['given']['user']>[0]]>([
    ['no_device', {}],
    ['opted_out', { notification: '0', devices: [{}] }],
    ['inactive', { status: 'inactive', devices: [{}] }],
  ])(
    'tells who was skipped as %s, by a send to named users and by a bulk send',
    async ([reason, wishes], { service, given, clock }) => {
      const user = await given.user({ ...wishes, isTestUser: true })
      const named = await send(service, [user], { promotional: false })
      const [bulk, sandbox] = [await toAll(service), await toAll(service, 'sandbox')]
      for (const id of [named, bulk, sandbox]) expect(await toOutcomes(service, user, id)).toBe('waiting')
      await drain(service)
      for (const id of [named, bulk, sandbox]) {
        expect(await toOutcomes(service, user, id)).toBe(`skipped ${reason}`)
        await expectTruth(service, id)
      }
      const { data } = await readList(service, user, { outcome: 'skipped' })
      for (const row of data) {
        expect(row.notifications).toEqual([])
        expect(row.skipped_at).toBe(new Date(clock.now()).toISOString())
      }
      expect((await readList(service, user, { outcome: 'notified' })).data).toEqual([])
    },
  )

  test('shows what waits also when a thousand newer messages to other people do', async ({ service, given, deps }) => {
    const [user, other] = [await given.user(), await given.user()]
    const [single, others] = [await send(service, [user]), await send(service, [other])]
    const [named, bulk] = [await send(service, [user, other]), await toAll(service)]
    await sql`
      insert into messages (type, audience, lane, needs_opt_in, recipient_id, title, body, status, created_at, expires_at, updated_at)
      select type, audience, lane, needs_opt_in, recipient_id, title, body, status, created_at, expires_at, updated_at
      from messages cross join generate_series(1, 1001) where message_id = ${others}`.execute(deps.db)
    for (const id of [single, named, bulk]) expect(await toOutcomes(service, user, id)).toBe('waiting')
    expect((await readList(service, user, { outcome: 'waiting' })).pagination.total_items).toBe(3)
  })

  test('shows that a user was deleted meanwhile, and no messages from after that', async ({ service, given }) => {
    const panel = await givenPanel(service, 'super_admin')
    const user = await given.user({ devices: [{}] })
    const id = await send(service, [user], { promotional: false })
    await panel.delete(`/user/${user.userId}`)
    const bulk = await toAll(service)
    await drain(service)
    expect(await toOutcomes(service, user, id)).toBe('skipped deleted')
    expect(await toOutcomes(service, user, bulk)).toBeUndefined()
    const stopped = await toAll(service)
    await stop(service, stopped)
    expect(await toOutcomes(service, user, stopped)).toBeUndefined()
  })

  test('shows the users that a stop left out: named ones, those of batches, and those that a bulk send had not reached', async ({
    service,
    given,
  }) => {
    const user = await given.user({ devices: [{}] })
    const tester = await given.user({ isTestUser: true, devices: [{}] })
    const named = await send(service, [user], { promotional: false })
    const [bulk, sandbox] = [await toAll(service), await toAll(service, 'sandbox')]
    for (const id of [named, bulk, sandbox]) await stop(service, id)
    await drain(service)
    expect(await toOutcomes(service, user, named)).toBe('skipped stopped')
    expect(await toOutcomes(service, user, bulk)).toBe('skipped stopped')
    expect(await toOutcomes(service, user, sandbox)).toBeUndefined()
    expect(await toOutcomes(service, tester, sandbox)).toBe('skipped stopped')
    const newcomer = await given.user({ devices: [{}] })
    expect(await toOutcomes(service, newcomer, bulk)).toBeUndefined()
    for (const id of [named, bulk, sandbox]) await expectTruth(service, id)
  })

  test('still shows the notified users when a campaign is stopped half way', async ({ service, given, simulator }) => {
    const user = await given.user({ devices: [{}] })
    simulator.script([{ match: 'send', status: 500, accept: false, times: 0 }])
    const id = await send(service, [user])
    await drain(service)
    simulator.clearScript()
    await stop(service, id)
    expect(await toOutcomes(service, user, id)).toBe('notified')
  })

  test('is searched, filtered by type and days, and paged, newest first', async ({ service, given, clock }) => {
    const user = await given.user({ devices: [{}] })
    const ids: number[] = []
    for (const title of ['First swap', 'Second swap', 'Third']) {
      await clock.setTime(Math.ceil((clock.now() + 1) / DAY_MS) * DAY_MS)
      ids.push(await send(service, [user], { title, promotional: title === 'Third' }))
      await drain(service)
    }
    const shown = async (query: Record<string, string>) =>
      (await readList(service, user, query)).data.map(({ id }) => ids.indexOf(id))
    expect(await shown({})).toEqual([2, 1, 0])
    expect(await shown({ sort_order: 'asc' })).toEqual([0, 1, 2])
    expect(await shown({ search: 'SWAP' })).toEqual([1, 0])
    expect(await shown({ notification_type: 'promotional' })).toEqual([2])
    expect(await shown({ start_date: new Date(clock.now()).toISOString().slice(0, 10) })).toEqual([2])
    expect(await shown({ page: '2', per_page: '1' })).toEqual([1])
    expect(await shown({ page: '9', per_page: '1' })).toEqual([])
    expect((await readList(service, user, { per_page: '2' })).pagination).toMatchObject({
      total_items: 3,
      total_pages: 2,
    })
  })

  test('is 404 for an unknown user and for a purged one, whose messages are deleted', async ({
    service,
    given,
    deps,
    clock,
  }) => {
    const panel = await givenPanel(service, 'super_admin')
    const user = await given.user()
    await send(service, [user], { promotional: false })
    await drain(service)
    const skips = deps.db
      .selectFrom('skips')
      .select('user_ids')
      .where(sql<boolean>`${user.userId} = any(user_ids)`)
    expect(await skips.execute()).toHaveLength(1)
    await panel.delete(`/user/${user.userId}`)
    expect((await get(service, user.userId)).statusCode).toBe(200)
    await purgeUsers({ ...deps, clock: { now: () => clock.now() + 30 * DAY_MS } }, new AbortController().signal)
    expectError(await get(service, user.userId), 404, 'NOT_FOUND')
    expectError(await get(service, 999_999_999), 404, 'NOT_FOUND')
    expect(await skips.execute()).toEqual([])
  })

  test.for<[string, string]>([
    ['outcome', 'lost'],
    ['notification_type', 'spam'],
    ['sort_order', 'up'],
    ['start_date', 'yesterday'],
  ])('refuses %s = %s', async ([field, value], { service }) => {
    expectInvalid(await get(service, 1, { [field]: value }), field)
  })

  test('is for administrators', async ({ service, given }) => {
    for (const role of ['user', 'analyst', 'moderator'] as const) {
      const { userId, headers } = await given.user({ role })
      expectError(
        await service.app.inject({ url: `/api/admin/users/${userId}/notifications`, headers }),
        403,
        'FORBIDDEN',
      )
    }
  })
})
