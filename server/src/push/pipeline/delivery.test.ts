// Slow: a second or more for each test, or five for the file.
import { expect, describe } from 'vitest'
import { drain } from '../../../test/support/drain.ts'
import { test } from '../../../test/support/app.ts'

describe('a message’s way', () => {
  test('a campaign to all reaches every device, its receipts come back, and its counts are right', async ({
    service,
    given,
    app,
    clock,
    simulator,
  }) => {
    const admin = await given.admin()
    const ann = await given.user({ devices: [{ platform: 'ios' }] })
    await given.user({ devices: [{ platform: 'android' }] })
    await given.user({ devices: [{ token: 'ExponentPushToken[gone-1]' }] })
    await given.user({ notification: '0', devices: [{}] })
    await given.user({ status: 'inactive', devices: [{}] })
    await given.user()

    const started = await app.inject({
      method: 'POST',
      url: '/api/admin/send-notification-all',
      headers: admin.headers,
      payload: { title: 'Hello', text: 'Swap weekend', data: { link: 'swapbell://weekend' } },
    })
    expect(started.statusCode).toBe(202)
    const { notification_id } = started.json<{ data: { notification_id: number } }>().data
    await drain(service)
    await clock.tick(16 * 60_000)
    await app.inject({ url: '/api/admin/process-receipts', headers: admin.headers })
    await drain(service)

    const inbox = await app.inject({ url: '/api/notification', headers: ann.headers })
    expect(inbox.json()).toMatchObject({
      unread_count: 1,
      data: [{ title: 'Hello', is_send: true, is_delivered: true, state: 'Delivered' }],
    })
    const id = inbox.json<{ data: { notification_id: number }[] }>().data[0]?.notification_id
    const read = await app.inject({ url: `/api/notification/${id}/read`, headers: ann.headers })
    expect(read.statusCode).toBe(200)

    const list = await app.inject({ url: '/api/admin/promotional-notifications', headers: admin.headers })
    expect(list.statusCode).toBe(200)
    expect(list.json<{ data: unknown[] }>().data[0]).toMatchObject({
      notification_id,
      status: 'completed',
      counts: {
        selected: 7,
        notified: 3,
        notifications: 3,
        sent: 3,
        delivered: 2,
        failed: 1,
        opened: 1,
        pending: 0,
        skipped: { opted_out: 2, inactive: 1, no_device: 1 },
      },
    })
    expect(simulator.log()).toHaveLength(3)
  })
})
