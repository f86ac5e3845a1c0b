// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, type Answer } from '../../../test/support/faults.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'

const ANY = '/api/admin/notifications'
const CAMPAIGN = '/api/admin/promotional-notifications'
const DAY_MS = 86_400_000

type Report = {
  data: { id: number; user_id: number; ticket_id: string | null }[]
  pagination: { total_items: number; total_pages: number }
  summary: {
    id: number
    origin: string
    notification_type: string
    status: string
    counts: { selected: number; notified: number; notifications: number; sent: number; skipped: Record<string, number> }
  }
}

async function get({ app, given }: Service, url: string) {
  return app.inject({ url, headers: (await given.admin()).headers })
}

async function readReport(service: Service, messageId: number, query = '', base = ANY): Promise<Report> {
  const answer = await get(service, `${base}/${messageId}${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<Report>()
}

async function control({ app, given }: Service, messageId: number, action: string) {
  const { headers } = await given.admin()
  return app.inject({ method: 'POST', url: `${ANY}/${messageId}/${action}`, headers })
}

function toId(answer: Answer): number {
  expect(answer.statusCode).toBe(202)
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

describe('GET /api/admin/notifications/{notification_id}', () => {
  test('reports on every message whose id a send answered with, and on those of the service', async ({
    service,
    given,
    deps,
  }) => {
    const { app } = service
    const admin = await given.admin()
    const [user, silent] = [await given.user({ devices: [{}] }), await given.user({ notification: '0', devices: [{}] })]
    const post = async (url: string, payload: object, headers = admin.headers) =>
      toId(await app.inject({ method: 'POST', url, headers, payload }))
    const content = { title: 'Hello', text: 'There' }
    const ids = {
      named: await post('/api/admin/send-notification', { ...content, user_ids: [user.userId, silent.userId] }),
      test: toId(
        await app.inject({
          url: `/api/send-test-notification?user_id=${user.userId}&title=Hi&text=There`,
          headers: admin.headers,
        }),
      ),
      group_join: await post(
        '/api/send-group-join-notification',
        { ...content, admin_user_id: user.userId, link: 'swapbell://groups/7' },
        (await given.user()).headers,
      ),
      bulk: await post('/api/admin/send-notification-sandbox', content),
    }
    const { owner } = await givenProposal(service)
    const automatic = await deps.db
      .selectFrom('messages')
      .select('message_id')
      .where('origin', '=', 'automatic')
      .orderBy('created_at', 'desc')
      .orderBy('message_id', 'desc')
      .executeTakeFirstOrThrow()
    await drain(service)
    for (const [origin, id] of Object.entries(ids)) {
      const { summary } = await readReport(service, id)
      expect(summary).toMatchObject({ id, origin, status: 'completed' })
      expect(summary.notification_type).toBe(origin === 'bulk' ? 'promotional' : 'non_promotional')
    }
    const named = await readReport(service, ids.named)
    expect(named.summary.counts).toMatchObject({ selected: 2, notified: 1, sent: 1, skipped: { opted_out: 1 } })
    expect(named.data).toMatchObject([{ user_id: user.userId, ticket_id: expect.stringMatching(/./) as string }])
    const told = await readReport(service, automatic.message_id)
    expect(told).toMatchObject({ summary: { origin: 'automatic' }, data: [{ user_id: owner.userId }] })
    expect(JSON.stringify([named, told])).not.toContain('ExponentPushToken')
  })

  test('is 404 for the id of a copy and an unknown id; campaigns have a route of their own too', async ({
    service,
  }) => {
    const users = await usersWithPhones(service, 1)
    const usual = await send(service, users, { promotional: false })
    const campaign = await send(service, users)
    await drain(service)
    const { data } = await readReport(service, usual)
    for (const id of [data[0]!.id, Number.MAX_SAFE_INTEGER])
      expectError(await get(service, `${ANY}/${id}`), 404, 'NOT_FOUND')
    expectError(await get(service, `${CAMPAIGN}/${usual}`), 404, 'NOT_FOUND')
    expect((await readReport(service, campaign)).summary).toEqual(
      (await readReport(service, campaign, '', CAMPAIGN)).summary,
    )
  })

  test('is for administrators', async ({ service, given }) => {
    const id = await send(service, await usersWithPhones(service, 1), { promotional: false })
    for (const role of ['user', 'analyst', 'moderator'] as const) {
      const { headers } = await given.user({ role })
      expectError(await service.app.inject({ url: `${ANY}/${id}`, headers }), 403, 'FORBIDDEN')
    }
  })

  test.for([ANY, CAMPAIGN])(
    'counts the remaining rows after a purge, so that pages and totals agree (%s)',
    async (base, { service, deps, clock }) => {
      const panel = await givenPanel(service, 'super_admin')
      const users = await usersWithPhones(service, 5)
      const id = await send(service, users)
      await drain(service)
      for (const user of users.slice(0, 3)) await panel.delete(`/user/${user.userId}`)
      const later = { ...deps, clock: { now: () => clock.now() + 30 * DAY_MS } }
      expect(await purgeUsers(later, new AbortController().signal)).toBe(3)
      for (const query of ['', '?status=sent', '?search=User', '?platform=ios', '?platform=android']) {
        const { data, pagination } = await readReport(service, id, query, base)
        expect({ query, total: pagination.total_items }).toEqual({ query, total: data.length })
      }
      const { pagination, summary, data } = await readReport(service, id, '?per_page=2', base)
      expect(pagination).toMatchObject({ total_items: 2, total_pages: 1 })
      expect(data).toHaveLength(2)
      expect(summary.counts).toMatchObject({ selected: 5, notifications: 5, sent: 5 })
      expect((await readReport(service, id, '?per_page=2&page=2', base)).data).toEqual([])
    },
  )
})

describe('The controls of a message that is no campaign', () => {
  test('pause, resume and stop it, and each leaves an audit entry', async ({ service, simulator, deps }) => {
    const users = await usersWithPhones(service, 2)
    const id = await send(service, users, { promotional: false })
    const before = simulator.log().length
    expect((await control(service, id, 'pause')).json()).toMatchObject({
      message: 'Notification paused',
      data: { id, status: 'paused', notification_type: 'non_promotional' },
    })
    await drain(service)
    expect(simulator.log()).toHaveLength(before)
    expect((await control(service, id, 'resume')).json()).toMatchObject({ data: { status: 'sending' } })
    await drain(service)
    expect(simulator.log()).toHaveLength(before + 2)
    expectError(await control(service, id, 'stop'), 409, 'INVALID_STATE')

    const late = await send(service, users, { promotional: false })
    expect((await control(service, late, 'stop')).json()).toMatchObject({
      message: 'Notification stopped',
      data: {
        status: 'stopped',
        counts: { selected: 2, notified: 0, skipped: { stopped: 2 } },
        progress: { percent: 100 },
      },
    })
    await drain(service)
    expect(simulator.log()).toHaveLength(before + 2)
    const entries = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'entity_id'])
      .where('action', 'in', ['notification.pause', 'notification.resume', 'notification.stop'])
      .orderBy('audit_id')
      .execute()
    expect(entries).toEqual([
      { action: 'notification.pause', entity_id: id },
      { action: 'notification.resume', entity_id: id },
      { action: 'notification.stop', entity_id: late },
    ])
  })
})
