import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'

const URL = '/api/admin/promotional-notifications'
const DAY_MS = 86_400_000

type Page = {
  data: { title: string; created_at: string }[]
  pagination: { total_items: number; total_pages: number }
}

/** Campaigns of four days: the first two over, the third paused, the last to test users and still queued. */
const test = base.extend<'days', string[]>('days', { scope: 'file' }, async ({ service }) => {
  const { app, clock, given } = service
  const user = await given.user({ devices: [{}] })
  const days: string[] = []
  const nextDay = async () => {
    await clock.setTime(Math.ceil((clock.now() + 1) / DAY_MS) * DAY_MS + DAY_MS / 2)
    days.push(new Date(clock.now()).toISOString().slice(0, 10))
  }
  const post = async (url: string, payload?: object) => {
    const { headers } = await given.admin()
    return app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  }
  await nextDay()
  await send(service, [user], { title: 'Zebra swaps', text: '100% off_fees' })
  await drain(service)
  await nextDay()
  await send(service, [user], { title: 'apple picking', text: 'Bring a basket' })
  await send(service, [user], { title: 'Not a campaign, zebra', promotional: false })
  await drain(service)
  await nextDay()
  const paused = await send(service, [user], { title: 'Mittens', text: 'For zebras too' })
  await post(`${URL}/${paused}/pause`)
  await nextDay()
  await post('/api/admin/send-notification-sandbox', { title: 'Bells', text: 'For testers' })
  return days
})

async function list({ app, given }: Service, query: Record<string, string>) {
  return app.inject({ url: URL, query, headers: (await given.admin()).headers })
}

async function titles(service: Service, query: Record<string, string>) {
  const { data, pagination } = (await list(service, query)).json<Page>()
  expect(pagination.total_items).toBe(data.length)
  return data.map(({ title }) => title)
}

describe('The list of campaigns', () => {
  test.for<[Record<string, string>, string[]]>([
    [{}, ['Bells', 'Mittens', 'apple picking', 'Zebra swaps']],
    [{ sort_order: 'asc' }, ['Zebra swaps', 'apple picking', 'Mittens', 'Bells']],
    [{ sort_by: 'title', sort_order: 'asc' }, ['apple picking', 'Bells', 'Mittens', 'Zebra swaps']],
    [{ sort_by: 'completed_at' }, ['apple picking', 'Zebra swaps', 'Bells', 'Mittens']],
    [{ sort_by: 'started_at', sort_order: 'asc' }, ['Zebra swaps', 'apple picking', 'Mittens', 'Bells']],
    [{ search: 'zebra' }, ['Mittens', 'Zebra swaps']],
    [{ search: 'ZEBRA S' }, ['Zebra swaps']],
    [{ search: 'swaps 100' }, []],
    [{ search: '0%' }, ['Zebra swaps']],
    [{ search: '_' }, ['Zebra swaps']],
    [{ search: 'be' }, ['Bells']],
    [{ search: "'; drop table messages; --" }, []],
    [{ status: 'completed' }, ['apple picking', 'Zebra swaps']],
    [{ status: 'queued,paused' }, ['Bells', 'Mittens']],
    [{ audience: 'sandbox' }, ['Bells']],
    [{ status: 'completed', search: 'basket' }, ['apple picking']],
  ])('with %j shows %j', async ([query, expected], { service, days }) => {
    expect(days).toHaveLength(4)
    expect(await titles(service, query)).toEqual(expected)
  })

  test('of a range of days holds the last day, and ends before an instant', async ({ service, days }) => {
    const [first, second, third, fourth] = days as [string, string, string, string]
    expect(await titles(service, { start_date: second, end_date: third })).toEqual(['Mittens', 'apple picking'])
    expect(await titles(service, { end_date: first })).toEqual(['Zebra swaps'])
    expect(await titles(service, { start_date: fourth })).toEqual(['Bells'])
    expect(await titles(service, { end_date: `${second}T12:00:00Z` })).toEqual(['Zebra swaps'])
    // Noon in UTC is the next day on Kiritimati.
    expect(await titles(service, { start_date: second, end_date: second, timezone: 'Pacific/Kiritimati' })).toEqual([
      'Zebra swaps',
    ])
  })

  test.for<[string, string]>([
    ['status', 'done'],
    ['status', 'queued,done'],
    ['audience', 'everyone'],
    ['sort_by', 'counts'],
    ['sort_order', 'down'],
    ['search', 'x'.repeat(201)],
    ['start_date', '2026-02-30'],
    ['timezone', 'Mars/Olympus'],
  ])('refuses %s = %s', async ([field, value], { service, days }) => {
    expect(days).toHaveLength(4)
    expectInvalid(
      await list(service, { [field]: value, ...(field === 'timezone' && { start_date: '2026-02-01' }) }),
      field,
    )
  })

  test('is paged in any order without a row twice or missing', async ({ service, days }) => {
    expect(days).toHaveLength(4)
    for (const sort_by of ['created_at', 'started_at', 'completed_at', 'title'])
      for (const sort_order of ['asc', 'desc']) {
        const all = await titles(service, { sort_by, sort_order })
        const seen = []
        for (const page of ['1', '2', '3', '4']) {
          const { data } = (await list(service, { sort_by, sort_order, page, per_page: '1' })).json<Page>()
          seen.push(...data.map(({ title }) => title))
        }
        expect(seen).toEqual(all)
      }
  })
})
