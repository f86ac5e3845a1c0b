import { describe, expect } from 'vitest'
import { send } from '../../../test/support/campaign.ts'
import {
  getCampaigns,
  readCampaignPage,
  type CampaignPage,
  type RecipientRow,
} from '../../../test/support/campaign-pages.ts'
import { campaigns } from '../../../test/support/campaign-world.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'

describe('GET /api/admin/promotional-notifications/{notification_id}', () => {
  campaigns(
    'has one row for each recipient device, and the campaign as its summary',
    async ({ service, messageId }) => {
      const answer = await getCampaigns(service, `/${messageId}`)
      const { data, pagination, ...rest } = answer.json<CampaignPage<RecipientRow> & { summary: unknown }>()
      expect(pagination).toEqual({ current_page: 1, total_pages: 1, total_items: 5, per_page: 20 })
      expect(rest).toMatchObject({
        success: true,
        summary: {
          notification_id: messageId,
          counts: { notified: 4, notifications: 5, sent: 4, delivered: 3, failed: 2 },
        },
      })
      expect(data.find((row) => row.name === 'Bob 100 Byron')).toEqual({
        id: expect.any(Number) as number,
        notification_id: expect.any(Number) as number,
        notification_type: 'promotional',
        notification_content: { title: 'Hello', body: 'There', data: null },
        user_id: expect.any(Number) as number,
        mobile_devices_id: expect.any(Number) as number,
        name: 'Bob 100 Byron',
        email: 'adaxb@example.com',
        device_id: 'bobs phone',
        platform: 'ios',
        is_send: true,
        is_delivered: true,
        is_open: true,
        state: 'Completed',
        ticket_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        error_message: null,
        attempts: 1,
        possible_duplicates: 0,
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
        deleted_at: null,
        sent_at: expect.any(String) as string,
        settled_at: expect.any(String) as string,
        opened_at: expect.any(String) as string,
        shown_at: null,
        dismissed_at: null,
      })
      expect(data.find((row) => row.name === 'Dan')).toMatchObject({
        is_send: true,
        is_delivered: false,
        state: 'Delivery Failed',
        error_message: 'DeviceNotRegistered',
      })
      expect(data.find((row) => row.name === 'Cho\\Lee')).toMatchObject({ is_send: false, state: 'Permanently Failed' })
    },
  )

  campaigns.for<[Record<string, string>, string[]]>([
    [{ name: 'byron' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron']],
    [{ name: '100%' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ name: 'o\\l' }, ['Cho\\Lee']],
    [{ name: '%' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ name: '_' }, []],
    [{ name: "'; drop table users; --" }, []],
    [{ email: 'ADA_B' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ email: 'example.org' }, ['Cho\\Lee']],
    [{ search: 'BYRON' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron']],
    [{ search: 'example.org' }, ['Cho\\Lee']],
    [{ search: 'Byron ada_b' }, ['Ada 100% Byron', 'Ada 100% Byron']],
    [{ search: 'Byron dan' }, []],
    [{ sort_order: 'desc' }, ['Dan', 'Cho\\Lee', 'Bob 100 Byron', 'Ada 100% Byron', 'Ada 100% Byron']],
    [{ status: 'sent' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron', 'Dan']],
    [{ status: 'delivered' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron']],
    [{ status: 'opened' }, ['Bob 100 Byron']],
    [{ status: 'failed' }, ['Cho\\Lee', 'Dan']],
    [{ status: 'failed', search: 'dan' }, ['Dan']],
    [{ device_id: 'bobs phone' }, ['Bob 100 Byron']],
    [{ device_id: 'bobs' }, []],
    [{ platform: 'android' }, ['Ada 100% Byron', 'Dan']],
    [{ platform: 'ios', status: 'sent', name: 'ada', email: 'ada_b@' }, ['Ada 100% Byron']],
    [{ colour: 'red' }, ['Ada 100% Byron', 'Ada 100% Byron', 'Bob 100 Byron', 'Cho\\Lee', 'Dan']],
  ])('filtered by %j shows %j, and counts only those', async ([query, names], { service, messageId }) => {
    const { data, pagination } = await readCampaignPage<RecipientRow>(service, `/${messageId}`, query)
    expect(data.map((row) => row.name)).toEqual(names)
    expect(pagination.total_items).toBe(names.length)
    const second = await readCampaignPage<RecipientRow>(service, `/${messageId}`, { ...query, per_page: 1, page: 2 })
    expect(second.data.map((row) => row.name)).toEqual(names.slice(1, 2))
    expect(second.pagination).toMatchObject({ total_items: names.length, total_pages: names.length })
  })

  campaigns.for<[string, string]>([
    ['status', 'lost'],
    ['platform', 'windows'],
    ['search', 'x'.repeat(201)],
    ['sort_order', 'up'],
    ['name', 'x'.repeat(201)],
    ['email', 'a\u0000'],
    ['device_id', 'x'.repeat(256)],
  ])('refuses %s = “%s”', async ([field, value], { service, messageId }) => {
    expectInvalid(await getCampaigns(service, `/${messageId}`, { [field]: value }), field)
  })

  campaigns(
    'of an id that is no campaign is 404: a copy’s, a test send’s, or nobody’s',
    async ({ service, messageId }) => {
      const { data } = await readCampaignPage<RecipientRow>(service, `/${messageId}`, {})
      const user = await service.given.user({ devices: [{}] })
      const usual = await send(service, [user], { promotional: false })
      for (const id of [data[0]!.notification_id, usual, Number.MAX_SAFE_INTEGER])
        expectError(await getCampaigns(service, `/${id}`), 404, 'NOT_FOUND')
      for (const id of ['0', '-1', 'abc', '1e3', '9007199254740992'])
        expectInvalid(await getCampaigns(service, `/${id}`), 'notification_id')
    },
  )
})
