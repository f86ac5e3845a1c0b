import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send } from '../../../test/support/campaign.ts'
import { getCampaigns, readCampaignPage, type RecipientRow } from '../../../test/support/campaign-pages.ts'
import { campaigns } from '../../../test/support/campaign-world.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'

describe('GET /api/admin/promotional-notifications', () => {
  test('of a service without campaigns is an empty page', async ({ service }) => {
    expect((await getCampaigns(service)).json()).toEqual({
      success: true,
      data: [],
      message: 'Promotional notifications',
      pagination: { current_page: 1, total_pages: 0, total_items: 0, per_page: 20 },
    })
  })

  test('lists promotional messages only, newest first, with content, counts, times and sender', async ({
    service,
    given,
  }) => {
    const user = await given.user({ devices: [{}] })
    const first = await send(service, [user], { title: 'First', data: { link: 'swapbell://a' } })
    await send(service, [user], { promotional: false })
    await drain(service)
    const second = await send(service, [user], { title: 'Second' })
    const { data } = await readCampaignPage<RecipientRow>(service, '', {})
    expect(data.map((campaign) => campaign.notification_id)).toEqual([second, first])
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
    expect(data[1]).toEqual({
      id: first,
      notification_id: first,
      notification_type: 'promotional',
      notification_content: { title: 'First', body: 'There', data: { link: 'swapbell://a' } },
      origin: 'named',
      title: 'First',
      body: 'There',
      data: { link: 'swapbell://a' },
      audience: 'users',
      status: 'completed',
      notifications_deleted_at: null,
      pause_reason: null,
      counts: {
        selected: 1,
        skipped: {
          no_device: 0,
          signed_out: 0,
          opted_out: 0,
          inactive: 0,
          deleted: 0,
          too_big: 0,
          inbox_only: 0,
          stopped: 0,
          stale: 0,
        },
        notified: 1,
        waiting: 0,
        notifications: 1,
        sent: 1,
        delivered: 0,
        opened: 0,
        failed: 0,
        pending: 1,
        possible_duplicates: 0,
      },
      providers: [
        { provider: 'expo', delivery_known: 'by receipt', accepted: 1, delivered: 0, failed: 0, gone: 0, opened: 0 },
      ],
      progress: { percent: 100, batches_left: 0 },
      sender: { user_id: expect.any(Number) as number, name: expect.stringMatching(/^User /) as string },
      created_at: moment,
      started_at: moment,
      completed_at: moment,
      expires_at: moment,
      updated_at: moment,
    })
    expect(data[0]).toMatchObject({ status: 'sending', completed_at: null, progress: { batches_left: 1 } })
  })
})

describe.for(['list', 'recipients'])('paging of the %s', (which) => {
  const toPath = (messageId: number) => (which === 'list' ? '' : `/${messageId}`)

  campaigns('walks through all rows once, in one order', async ({ service, messageId }) => {
    const all = await readCampaignPage<RecipientRow>(service, toPath(messageId), {})
    expect(all.data.length).toBeGreaterThan(2)
    const seen: number[] = []
    for (let page = 1; page <= all.data.length; page++) {
      const { data, pagination } = await readCampaignPage<RecipientRow>(service, toPath(messageId), {
        page,
        per_page: 1,
      })
      seen.push(...data.map((row) => row.notification_id))
      expect(pagination).toEqual({
        current_page: page,
        total_pages: all.data.length,
        total_items: all.data.length,
        per_page: 1,
      })
    }
    expect(seen).toEqual(all.data.map((row) => row.notification_id))
  })

  campaigns(
    'past the end is 200 and empty; above 100 a page is clamped, and says so',
    async ({ service, messageId }) => {
      const total = (await readCampaignPage<RecipientRow>(service, toPath(messageId), {})).data.length
      const far = await readCampaignPage<RecipientRow>(service, toPath(messageId), {
        page: 1_000_000_000,
        per_page: '9007199254740991',
      })
      expect(far.data).toEqual([])
      expect(far.pagination).toEqual({
        current_page: 1_000_000_000,
        total_pages: 1,
        total_items: total,
        per_page: 100,
      })
    },
  )

  campaigns.for(
    ['page', 'per_page'].flatMap((field) =>
      ['0', '-1', 'abc', '1.5', '1e2', ' 1', '01', '99999999999999999999'].map((value) => [field, value] as const),
    ),
  )('refuses %s = “%s”', async ([field, value], { service, messageId }) => {
    expectInvalid(await getCampaigns(service, toPath(messageId), { [field]: value }), field)
  })
})
