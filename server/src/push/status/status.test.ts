// Slow: two seconds or more for the file.

import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { findQueues } from './queues.queries.ts'

async function ask({ app, given }: Service, method: 'GET' | 'POST' = 'GET', path = '') {
  return app.inject({ method, url: `/api/admin/push-status${path}`, headers: (await given.admin()).headers })
}

describe('the push status', () => {
  test('of a service that sends is closed and without alerts', async ({ service }) => {
    const answer = await ask(service)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      message: 'Push status',
      data: {
        breaker: 'closed',
        code: null,
        since: null,
        retry_at: null,
        halt: null,
        rate_per_second: 0,
        providers: [
          {
            provider: 'expo',
            delivery_known: 'by receipt',
            rate_per_second: 0,
            breaker: 'closed',
            code: null,
            since: null,
            retry_at: null,
            halt: null,
            recent: { last_success_at: null, requests: 0, failures: 0, last_failure: null },
            waits: [],
            waiting: { copies: 0, next_at: null },
          },
        ],
        lanes: [
          { lane: 'transactional', due: 0, oldest_seconds: 0 },
          { lane: 'campaign', due: 0, oldest_seconds: 0 },
        ],
        receipts: { due: 0, oldest_seconds: 0 },
        alerts: [],
      },
    })
  })

  test('shows due batches of each lane and due receipts, and for how long; counts stop at their bound', async ({
    service,
    simulator,
    clock,
  }) => {
    const { deps } = service
    const users = await usersWithPhones(service, 1)
    await send(service, users, { promotional: false })
    await drain(service)
    const { next } = await deps.db
      .selectFrom('requests')
      .select(({ fn }) => fn.min('next_receipt_at').as('next'))
      .executeTakeFirstOrThrow()
    await clock.tick(must(next, 'receipts to come').getTime() - fromNow(clock).getTime() + 30_000)
    for (let i = 0; i < 3; i++) await send(service, users)
    const paused = await send(service, users)
    const { headers } = await service.given.admin()
    await service.app.inject({ method: 'POST', url: `/api/admin/promotional-notifications/${paused}/pause`, headers })
    await clock.tick(90_000)
    await send(service, users, { promotional: false })

    expect((await ask(service)).json()).toMatchObject({
      data: {
        lanes: [
          { lane: 'transactional', due: 1, oldest_seconds: 0 },
          { lane: 'campaign', due: 3, oldest_seconds: 90 },
        ],
        receipts: { due: 1, oldest_seconds: 120 },
      },
    })
    const bounded = await findQueues(deps, { now: fromNow(clock), most: 2 })
    expect(bounded?.lanes.map(({ due }) => due)).toEqual([1, 2])
    await drain(service)
    simulator.reset()
  })

  test('says that it does not know what is due when the database cannot count it in time', async ({ service }) => {
    const locks = await service.deps.pool.connect()
    await locks.query('begin; lock table requests, work in access exclusive mode')
    try {
      expect((await ask(service)).json()).toMatchObject({
        data: { breaker: 'closed', providers: [{ recent: null, waiting: null }], lanes: null, receipts: null },
      })
    } finally {
      await locks.query('rollback')
      locks.release()
    }
  })

  test.for<[string, string, object]>([
    [
      'halted',
      `update provider_state set breaker = 'halted'`,
      { reason: 'halted', platform: null, code: null, until: null },
    ],
    [
      'away',
      `update provider_state set breaker = 'open', retry_at = '2040-01-01'`,
      { reason: 'away', platform: null, until: '2040-01-01T00:00:00.000Z' },
    ],
    [
      'busy',
      `update provider_state set busy_until = '2040-01-01'`,
      { reason: 'busy', platform: null, until: '2040-01-01T00:00:00.000Z' },
    ],
    [
      'without credentials for a platform',
      `insert into provider_platforms (provider, platform, paused_since, paused_code)
       values ('expo', 'ios', now(), 'InvalidCredentials')`,
      { reason: 'platform_paused', platform: 'ios', code: 'InvalidCredentials', until: null },
    ],
  ])('says why pushes wait while the provider is %s', async ([, change, wait], { service }) => {
    await service.deps.pool.query(change)
    try {
      expect((await ask(service)).json()).toMatchObject({ data: { providers: [{ waits: [wait] }] } })
    } finally {
      await ask(service, 'POST', '/resume')
      await service.deps.pool.query(`update provider_state set busy_until = 'epoch'`)
    }
  })

  test('says when the provider last accepted a push, and how many requests have failed since', async ({
    service,
    simulator,
    clock,
  }) => {
    const users = await usersWithPhones(service, 1)
    await send(service, users)
    await drain(service)
    const accepted = fromNow(clock).toISOString()
    await clock.tick(6 * 60_000)
    simulator.script([{ match: 'send', status: 500 }])
    await send(service, users)
    await drain(service)
    const now = fromNow(clock)
    const { data } = (await ask(service)).json<{ data: { providers: { recent: unknown; waiting: unknown }[] } }>()
    expect(data.providers.map(({ recent, waiting }) => ({ recent, waiting }))).toEqual([
      {
        recent: {
          last_success_at: accepted,
          requests: 1,
          failures: 1,
          last_failure: { at: now.toISOString(), code: expect.stringMatching(/./) as string },
        },
        waiting: { copies: 1, next_at: new Date(now.getTime() + 60_000).toISOString() },
      },
    ])
    await untilRetry(service)
    await drain(service)
    simulator.reset()
  })

  test('shows a halt and its alert; resuming sends the waiting pushes, and resolves the alert', async ({
    service,
    simulator,
  }) => {
    simulator.script([{ match: 'send', status: 401 }])
    const messageId = await send(service, await usersWithPhones(service, 2))
    await drain(service)
    const { data } = (await ask(service)).json<{ data: { alerts: { code: string }[] } }>()
    expect(data).toMatchObject({ breaker: 'halted', since: expect.any(String) as string })
    expect(data.alerts).toMatchObject([{ times: 1, resolved_at: null }])

    const resumed = await ask(service, 'POST', '/resume')
    expect(resumed.statusCode).toBe(200)
    expect(resumed.json()).toMatchObject({
      message: 'Sending resumed; 1 campaigns go on',
      data: { breaker: 'closed', alerts: [{ resolved_at: expect.any(String) as string }] },
    })
    await drain(service)
    expect(simulator.log()).toHaveLength(2)
    const { status } = await service.deps.db
      .selectFrom('messages')
      .select('status')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('completed')
  })

  test('is resumed without a halt too, and leaves a campaign alone that an administrator paused', async ({
    service,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const url = `/api/admin/promotional-notifications/${messageId}`
    const { headers } = await service.given.admin()
    await service.app.inject({ method: 'POST', url: `${url}/pause`, headers })
    expect((await ask(service, 'POST', '/resume')).json()).toMatchObject({
      message: 'Sending resumed; 0 campaigns go on',
    })
    const campaign = await service.app.inject({ url, headers })
    expect(campaign.json()).toMatchObject({ summary: { status: 'paused' } })
  })

  test('is for administrators', async ({ given, app }) => {
    for (const role of ['user', 'analyst', 'moderator'] as const) {
      const { headers } = await given.user({ role })
      expectError(await app.inject({ url: '/api/admin/push-status', headers }), 403, 'FORBIDDEN')
    }
  })
})
