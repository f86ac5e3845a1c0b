// For CI: torture, the demonstration or the load.
import { asyncProperty, assert, integer } from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createHandlers } from '../../../server/src/handlers.ts'
import { drain } from '../../../server/test/support/drain.ts'
import { chancesFrom, givenLivingPeople } from '../../../server/test/support/living-people.ts'
import { startService, type Service } from '../../../server/test/support/service.ts'
import { TRUTHS } from '../../../server/test/support/truths.ts'

const HOUR_MS = 3_600_000
const METRICS = [
  'active-inactive-accounts',
  'daily-active-users',
  'total-swap-requests-sent',
  'total-successful-swaps',
  'engagement-overview',
]
// Truths of all data; the others describe generated data only.
const GENERAL = /^(?:the kept totals|a listing follows|a verified revision|whom a message passed over)/
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu']

/** The service, and an administrator who asks. */
type Asked = Service & { headers: Record<string, string> }

type Answer = {
  series: Record<string, number | string | null>[]
  totals: Record<string, number | null>
  keys: { key: string; drilldown: string | null }[]
}

test('insights, reports and kept counts are what the rows say after any days of people who use the app', async () => {
  await assert(asyncProperty(integer({ min: 1, max: 1_000_000 }), checkTenDays), { numRuns: 3 })
})

/** Four people use the app for ten days. In between, time passes: proposals expire and swaps complete. */
async function checkTenDays(seed: number): Promise<void> {
  const service = await startService()
  onTestFinished(() => service.close())
  const { deps, clock } = service
  const chance = chancesFrom(seed)
  const from = clock.now()
  const { live } = await givenLivingPeople(service, 4, chance)
  for (let day = 0; day < 10; day++) {
    await live(14)
    await drain(service)
    await clock.setTime(clock.now() + Math.floor(chance() * 48) * HOUR_MS)
    await runJob(service, 'marketplace-chores')
  }
  const { headers } = await service.given.admin()
  await deps.activity.flush()
  await runJob(service, 'refresh-insights')
  const asked = { ...service, headers }
  let points = 0
  for (const metric of METRICS) for (const zone of ZONES) points += await expectRows(asked, metric, zone, from)
  expect(points).toBeGreaterThan(50)
  await expectCounts(asked, from)
  await expectReport(asked)
  for (const [truth, contradictions] of TRUTHS.filter(([about]) => GENERAL.test(about)))
    expect({ truth, contradicted: (await deps.pool.query(contradictions)).rows }).toEqual({ truth, contradicted: [] })
}

async function runJob({ deps }: Service, name: 'marketplace-chores' | 'refresh-insights'): Promise<void> {
  await createHandlers(deps)[name]({}, new AbortController().signal)
}

/** Each point of a metric has as many rows behind it as it says; gives how many points had some. */
async function expectRows(service: Asked, metric: string, zone: string, from: number): Promise<number> {
  const { series, keys } = await ask(service, metric, zone, from)
  let points = 0
  for (const slice of series)
    for (const { key, drilldown } of keys) {
      const said = slice[key]
      if (drilldown === null || typeof said !== 'number' || said === 0) continue
      const url = drilldown.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(slice[field]))
      const rows = await get<{ pagination: { total_items: number } }>(service, url)
      expect({ url, n: rows.pagination.total_items }).toEqual({ url, n: said })
      points++
    }
  return points
}

const TOTALS = [
  ['total-swap-requests-sent', 'value', 'select count(*) from swaps'],
  ['total-successful-swaps', 'value', "select count(*) from swaps where status = 'completed'"],
  ['engagement-overview', 'products_listed', 'select count(*) from products'],
  ['engagement-overview', 'swaps_accepted', 'select count(accepted_at) from swaps'],
  ['engagement-overview', 'messages_sent', 'select count(*) from swap_messages'],
  ['engagement-overview', 'pushes_sent', 'select count(*) from notifications where is_send'],
] as const

async function expectCounts(service: Asked, from: number): Promise<void> {
  for (const [metric, key, statement] of TOTALS) {
    const { totals } = await ask(service, metric, 'UTC', from)
    const { rows } = await service.deps.pool.query<{ count: string }>(statement)
    expect({ metric, key, n: totals[key] }).toEqual({ metric, key, n: Number(rows[0]?.count) })
  }
}

/** The report on swaps counts the rows by their status. */
async function expectReport(service: Asked): Promise<void> {
  const { summary } = await get<{ summary: { total: number; by_status: Record<string, number> } }>(
    service,
    '/api/admin/v1/report/transaction',
  )
  const { rows } = await service.deps.pool.query<{ status: string; n: number }>(
    'select status, count(*)::int as n from swaps group by status',
  )
  expect(summary.by_status).toMatchObject(Object.fromEntries(rows.map(({ status, n }) => [status, n])))
  expect(summary.total).toBe(rows.reduce((sum, { n }) => sum + n, 0))
}

async function ask(service: Asked, metric: string, zone: string, from: number): Promise<Answer> {
  const range = `start_date=${toDate(from - 24 * HOUR_MS)}&end_date=${toDate(service.clock.now() + 24 * HOUR_MS)}`
  const url = `/api/admin/v1/insight/${metric}?${range}&timezone=${encodeURIComponent(zone)}&interval=day`
  return (await get<{ data: Answer }>(service, url)).data
}

async function get<T>({ app, headers }: Asked, url: string): Promise<T> {
  const answer = await app.inject({ url, headers })
  expect([url, answer.statusCode]).toEqual([url, 200])
  return answer.json<T>()
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
