// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { calmDown, expectTruth, send, usersWithPhones, sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { hold } from '../../../test/support/holds.ts'
import { readLedger, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { settle } from '../pipeline/settle.ts'

const HOUR_MS = 3_600_000

async function readTitles({ app }: Service, { headers }: GivenUser): Promise<string[]> {
  const { data } = (await app.inject({ url: '/api/v1/inbox', headers })).json<{ data: { title: string }[] }>()
  return data.map(({ title }) => title)
}

async function post({ app, given }: Service, url: string, payload: object) {
  const { headers } = await given.admin()
  return app.inject({ method: 'POST', url, headers, payload })
}

async function read({ app }: Service, { headers }: GivenUser, id: number): Promise<void> {
  expect((await app.inject({ method: 'POST', url: `/api/v1/inbox/${id}/read`, headers })).statusCode).toBe(200)
}

/** Gives why each user's copy failed. */
async function readErrors({ deps }: Service, id: number): Promise<Record<number, string | null>> {
  const copies = deps.db.selectFrom('notifications').select(['user_id', 'error_message']).where('message_id', '=', id)
  return Object.fromEntries((await copies.execute()).map((copy) => [copy.user_id, copy.error_message]))
}

async function sleepForAnHour({ app, clock }: Service, { headers }: GivenUser): Promise<void> {
  const at = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString().slice(11, 16)
  const payload = { quiet_hours: { start: at(-1), end: at(1) } }
  const answer = await app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
  expect(answer.statusCode).toBe(200)
}

describe('An entry whose push waited for the end of quiet hours', () => {
  test('of campaigns leave both lists when all up to the last is read', async ({ service, app, clock }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    const { headers } = user
    await sleepForAnHour(service, user)
    await sendToEveryone(service, { title: 'Hello' })
    await drain(service)
    await clock.tick(1_000)
    const id = await sendToEveryone(service, { title: 'Again' })
    await drain(service)
    await clock.tick(2 * HOUR_MS)
    await drain(service)
    const unread = async () => (await app.inject({ url: '/api/notification', headers })).json<object>()
    expect(await unread()).toMatchObject({ unread_count: 2, data: [{ title: 'Again' }, { title: 'Hello' }] })
    const reading = await app.inject({ method: 'POST', url: '/api/v1/inbox/read', headers, payload: { up_to: id } })
    expect(reading.json()).toMatchObject({ data: { unread: 0 } })
    expect(await unread()).toMatchObject({ unread_count: 0, data: [] })
  })

  test('is counted as opened if it was opened while its push was claimed', async ({ service, app, clock, deps }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    await sleepForAnHour(service, user)
    const id = await send(service, [user])
    await drain(service)
    await clock.tick(2 * HOUR_MS)
    const opens = async () =>
      (await deps.pool.query<{ n: string }>('select sum(opened) as n from push_counts')).rows.map(({ n }) => Number(n))
    const before = await opens()
    // After the claim has looked who has read the message, and before it has written the copy.
    const held = await hold(service, 'lock table requests in share row exclusive mode')
    const claiming = claimAll(service, id)
    await held.untilWaiting(1)
    const opened = await app.inject({ method: 'POST', url: `/api/v1/inbox/${id}/read`, headers: user.headers })
    expect(opened.statusCode).toBe(200)
    await held.commit()
    const claim = await claiming
    await settle(deps, claim, await callAll(service, claim))
    await expectTruth(service, id)
    expect(await storedCounts(service, id)).toMatchObject({ opened: 1, sent: 1 })
    expect(await opens()).toEqual(before.map((n) => n + 1))
  })
})

describe('An inbox without pushes', () => {
  test.for([
    ['to named users', '/api/admin/send-notification', true],
    ['to everyone', '/api/admin/send-notification-all', false],
    ['to test users', '/api/admin/send-notification-sandbox', false],
  ] as const)('has a send to inboxes alone, %s, counted as inbox_only', async ([, url, isNamed], { service }) => {
    const [user, other] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await service.deps.db.updateTable('users').set({ is_test_user: true }).where('user_id', '=', user.userId).execute()
    const said = {
      title: `Quietly ${url}`,
      text: 'There',
      inbox_only: true,
      ...(isNamed && { user_ids: [user.userId] }),
    }
    const answer = await post(service, url, said)
    expect(answer.statusCode).toBe(202)
    const { notification_id: id } = answer.json<{ data: { notification_id: number } }>().data
    await drain(service)
    expect((await readLedger(service, id)).accepted).toBe(0)
    expect(await readTitles(service, user)).toEqual([said.title])
    const counts = await storedCounts(service, id)
    expect(counts).toMatchObject({ notified: 0, notifications: 0 })
    expect(counts['selected']).toBe(counts['skipped'])
    await expectTruth(service, id)
    const report = await service.app.inject({
      url: `/api/admin/notifications/${id}`,
      headers: (await service.given.admin()).headers,
    })
    expect(report.json()).toMatchObject({ summary: { status: 'completed' } })
    expect(
      report.json<{ summary: { counts: { skipped: { inbox_only: number } } } }>().summary.counts.skipped.inbox_only,
    ).toBeGreaterThan(0)
    expect(await readTitles(service, other)).toEqual(url.endsWith('-all') ? [said.title] : [])
    expectInvalid(await post(service, url, { ...said, inbox_only: 'yes' }), 'inbox_only')
  })

  test('has within a minute what waits for a provider that is away', async ({ service }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    const stopped = await post(service, '/api/admin/push-status/halt', { reason: 'A drill' })
    expect(stopped.statusCode).toBe(200)
    const id = await send(service, [user], { promotional: false, title: 'While it is away' })
    await drain(service)
    expect(await readTitles(service, user)).toEqual([])
    await sweep(service.deps)
    expect(await readTitles(service, user)).toEqual(['While it is away'])
    expect((await readLedger(service, id)).accepted).toBe(0)
    await post(service, '/api/admin/push-status/resume', {})
    await drain(service)
    expect(await readLedger(service, id)).toMatchObject({ expected: 1, accepted: 1 })
    expect(await readTitles(service, user)).toEqual(['While it is away'])
    await expectTruth(service, id)
    await calmDown(service)
  })

  test('rings for nothing that was read while its provider was away', async ({ service }) => {
    const [user, other] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await post(service, '/api/admin/push-status/halt', { reason: 'A drill' })
    const id = await send(service, [user, other], { promotional: false, title: 'While it is away' })
    await sweep(service.deps)
    await read(service, user, id)
    await post(service, '/api/admin/push-status/resume', {})
    await drain(service)
    expect(await readLedger(service, id)).toMatchObject({ expected: 2, accepted: 1 })
    expect(await readErrors(service, id)).toEqual({ [user.userId]: 'MessageStale', [other.userId]: null })
    await expectTruth(service, id)
    await calmDown(service)
  })

  test.for([
    ['of one person', '/api/admin/send-notification', true],
    ['of a campaign', '/api/admin/send-notification-all', false],
  ] as const)('tries nothing again that was read meanwhile, %s', async ([, url, isNamed], { service, clock }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    const { simulator } = service
    simulator.script([{ match: 'send', ticketErrors: { [user.devices[0]!.token]: 'MessageRateExceeded' } }])
    const said = { title: 'Again', text: 'There', ...(isNamed && { user_ids: [user.userId] }) }
    const { notification_id: id } = (await post(service, url, said)).json<{ data: { notification_id: number } }>().data
    await drain(service)
    await read(service, user, id)
    await clock.tick(61_000)
    await drain(service)
    expect(await readErrors(service, id)).toMatchObject({ [user.userId]: 'MessageStale' })
    await expectTruth(service, id)
  })

  test('has of a campaign what a minute would send, while its provider does not answer', async ({ service }) => {
    const { pool, providers } = service.deps
    await service.given.crowd(220)
    await pool.query(`update provider_state set breaker = 'open', retry_at = now() + interval '1 year'`)
    const answer = await post(service, '/api/admin/send-notification-all', { title: 'A minute', text: 'There' })
    const { notification_id: id } = answer.json<{ data: { notification_id: number } }>().data
    await drain(service)
    const [{ instance, ...provider }] = providers
    const paced = {
      ...service.deps,
      providers: [{ ...provider, instance: { ...instance, ratePerSecond: 2 } }] as const,
    }
    const listed = async () =>
      Number(
        (await pool.query('select sum(bit_count(members)) as n from bulk_entries where message_id = $1', [id])).rows[0]
          ?.n,
      )
    await sweep(paced)
    const ahead = await listed()
    expect(ahead).toBeGreaterThan(50)
    expect(ahead).toBeLessThanOrEqual(120)
    await sweep(paced)
    expect(await listed()).toBe(ahead)
    await calmDown(service)
    await drain(service)
    expect(await readLedger(service, id)).toMatchObject({ lost: 0, duplicated: 0 })
    await expectTruth(service, id)
  })
})
