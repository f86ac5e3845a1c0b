import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { ledgerOf, storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'

async function titlesOf({ app }: Service, { headers }: GivenUser): Promise<string[]> {
  const { data } = (await app.inject({ url: '/api/v1/inbox', headers })).json<{ data: { title: string }[] }>()
  return data.map(({ title }) => title)
}

async function post({ app, given }: Service, url: string, payload: object) {
  const { headers } = await given.admin()
  return app.inject({ method: 'POST', url, headers, payload })
}

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
    expect((await ledgerOf(service, id)).accepted).toBe(0)
    expect(await titlesOf(service, user)).toEqual([said.title])
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
    expect(await titlesOf(service, other)).toEqual(url.endsWith('-all') ? [said.title] : [])
    expectInvalid(await post(service, url, { ...said, inbox_only: 'yes' }), 'inbox_only')
  })

  test('has within a minute what waits for a provider that is away', async ({ service }) => {
    const [user] = (await usersWithPhones(service, 1)) as [GivenUser]
    const stopped = await post(service, '/api/admin/push-status/halt', { reason: 'A drill' })
    expect(stopped.statusCode).toBe(200)
    const id = await send(service, [user], { promotional: false, title: 'While it is away' })
    await drain(service)
    expect(await titlesOf(service, user)).toEqual([])
    await sweep(service.deps)
    expect(await titlesOf(service, user)).toEqual(['While it is away'])
    expect((await ledgerOf(service, id)).accepted).toBe(0)
    await post(service, '/api/admin/push-status/resume', {})
    await drain(service)
    expect(await ledgerOf(service, id)).toMatchObject({ expected: 1, accepted: 1 })
    expect(await titlesOf(service, user)).toEqual(['While it is away'])
    await expectTruth(service, id)
    await calmDown(service)
  })
  test('has of a campaign what a minute would send, while its provider does not answer', async ({ service }) => {
    const { pool, config } = service.deps
    await service.given.crowd(220)
    await pool.query(`update provider_state set breaker = 'open', retry_at = now() + interval '1 year'`)
    const answer = await post(service, '/api/admin/send-notification-all', { title: 'A minute', text: 'There' })
    const { notification_id: id } = answer.json<{ data: { notification_id: number } }>().data
    await drain(service)
    const paced = { ...service.deps, config: { ...config, PUSH_RATE_PER_SECOND: 2 } }
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
    expect(await ledgerOf(service, id)).toMatchObject({ lost: 0, duplicated: 0 })
    await expectTruth(service, id)
  })
})
