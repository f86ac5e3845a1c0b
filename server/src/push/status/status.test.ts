import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

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
            breaker: 'closed',
            code: null,
            since: null,
            retry_at: null,
            halt: null,
          },
        ],
        alerts: [],
      },
    })
  })

  test('tells of a halt and its alert; resuming sends what waited, and closes the alert', async ({
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
