// Slow: two seconds or more for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Service } from '../../../test/support/service.ts'
import { INSIGHTS, type InsightName } from './catalogue.ts'
import { toDate, dayAt } from '../../platform/shared/days.ts'
import { rebuildInsights, refreshInsights } from './refresh.ts'

const NAMES = Object.keys(INSIGHTS) as InsightName[]
const DAY_MS = 86_400_000

describe('An insight', () => {
  test.for(NAMES)('%s has a row for each of the last 30 days, and says what it is', async (name, { service }) => {
    const { status, data } = await ask(service, `/${name}`)
    expect(status).toBe(200)
    expect(data.series).toHaveLength(30)
    expect(data.series.map((row: { date: string }) => row.date)).toEqual(
      data.series.map((row: { date: string }) => row.date).toSorted(),
    )
    expect(data).toMatchObject({
      metric: name.replaceAll('-', '_'),
      definition: expect.stringMatching(/\w{3}/),
      range: { timezone: 'UTC', interval: 'day' },
      comparison: { mode: 'previous_period' },
      drilldown: expect.stringContaining(`/api/admin/v1/insight/${name}/rows?key=`),
      generated_at: new Date(service.clock.now()).toISOString(),
    })
    for (const { key } of data.keys) {
      expect(data.totals).toHaveProperty(key)
      expect(data.series[0]).toHaveProperty(key)
      expect(data.series[0]).toHaveProperty(`previous_${key}`)
    }
  })

  test('counts and compares what happened, with no percentage of nothing', async ({ service }) => {
    const [today, lastMonth] = [service.clock.now(), service.clock.now() - 35 * DAY_MS]
    await insertSwaps(service, [today, today, lastMonth, today - DAY_MS])
    await refreshInsights(service.deps)
    const { data } = await ask(service, '/total-swap-requests-sent')
    expect(data.totals).toMatchObject({ value: 3, max: 2, min: 0, average: 0.1 })
    expect(data.comparison).toMatchObject({
      partial: false,
      totals: { value: 1 },
      current: { totals: { value: 1 } },
      change: 0,
      change_percent: 0,
    })
    expect(data.series.at(-1)).toMatchObject({ value: 2, previous_value: 0, partial: true })
    expect(data.series.at(-2)).toMatchObject({ value: 1, partial: false })
    const { data: yearly } = await ask(service, '/total-swap-requests-sent?compare=previous_year')
    expect(yearly.comparison).toMatchObject({ mode: 'previous_year', change: 1, change_percent: null })
    const { data: alone } = await ask(service, '/total-swap-requests-sent?compare=none')
    expect(alone.comparison).toBeNull()
    expect(alone.series[0]).not.toHaveProperty('previous_value')
  })

  test('compares whole slices with whole ones, and says when none is finished', async ({ service }) => {
    const today = startOfToday(service)
    await insertSwaps(service, [today - 8 * DAY_MS + 1, today - 8 * DAY_MS + 2, today - 3 * DAY_MS, today])
    await refreshInsights(service.deps)
    const start = toDate(dayAt(new Date(today)) - 4)
    const { data } = await ask(service, `/total-swap-requests-sent?start_date=${start}`)
    const { comparison, series } = data
    expect(comparison.current.range).toMatchObject({ start_date: start, end: new Date(today).toISOString() })
    expect(comparison.range.end).toBe(new Date(today - 5 * DAY_MS).toISOString())
    const toSum = (key: string) =>
      series.slice(0, -1).reduce((sum: number, row: Record<string, number>) => sum + row[key]!, 0)
    expect(comparison.totals.value).toBe(toSum('previous_value'))
    expect(comparison.current.totals.value).toBe(toSum('value'))
    expect(comparison.change).toBe(comparison.current.totals.value - comparison.totals.value)
    expect(data.totals.value).toBe(comparison.current.totals.value + series.at(-1).value)
    const { data: running } = await ask(
      service,
      `/total-swap-requests-sent?start_date=${toDate(dayAt(new Date(today)))}`,
    )
    expect(running.comparison).toMatchObject({ partial: true, current: { totals: { value: running.totals.value } } })
    const { data: users } = await ask(service, `/daily-active-users?start_date=${start}`)
    expect(users.comparison.current.range.end).toBe(new Date(today).toISOString())
    const past = `start_date=${start}&end_date=${toDate(dayAt(new Date(today)) - 1)}`
    const { data: over } = await ask(service, `/engagement-overview?${past}`)
    expect(over.comparison).toMatchObject({ partial: false, current: { totals: over.totals } })
  })

  test('of completed swaps has the rate of the cohort beside that of the period', async ({ service }) => {
    const start = startOfToday(service) - 60 * DAY_MS
    const [inTime, late] = [start + 29 * DAY_MS, start + 31 * DAY_MS]
    await insertSwaps(service, [start, start, start, start], [inTime, late])
    await rebuildInsights(service.deps)
    const day = toDate(dayAt(new Date(start)))
    const { data } = await ask(service, `/total-successful-swaps?start_date=${day}&end_date=${day}`)
    expect(data.totals).toMatchObject({
      value: 0,
      requested: 4,
      completed_in_30d: 1,
      period_ratio: 0,
      cohort_rate: 0.25,
    })
    const { data: later } = await ask(service, `/total-successful-swaps?start_date=${toDate(dayAt(new Date(late)))}`)
    expect(later.totals).toMatchObject({ value: 1 })
  })

  test('of users keeps to UTC days and says so, whatever the zone', async ({ service }) => {
    const { data } = await ask(
      service,
      '/daily-active-users?timezone=Asia/Tokyo&start_date=2026-10-01&end_date=2026-10-02',
    )
    expect(data.range).toMatchObject({
      timezone: 'UTC',
      start: '2026-10-01T00:00:00.000Z',
      end: '2026-10-03T00:00:00.000Z',
    })
    expect(data.definition).toContain('UTC day')
    const { data: mixed } = await ask(
      service,
      '/engagement-overview?timezone=Asia/Tokyo&start_date=2026-10-01&end_date=2026-10-02',
    )
    expect(mixed.series[0]).toMatchObject({
      date: '2026-10-01',
      start: '2026-09-30T15:00:00.000Z',
      first_day: '2026-10-01',
      last_day: '2026-10-01',
    })
    const cuts = Object.fromEntries(mixed.keys.map(({ key, cut }: { key: string; cut: string }) => [key, cut]))
    expect(cuts).toMatchObject({ active_users: 'utc_days', swaps_requested: 'zone' })
  })

  test('knows users by the day only: by the hour they are null', async ({ service }) => {
    const { data } = await ask(
      service,
      '/engagement-overview?interval=hour&start_date=2024-10-27&end_date=2024-10-27&timezone=Europe/Berlin',
    )
    expect(data.series).toHaveLength(25)
    expect(data.series[0]).toMatchObject({ active_users: null, swaps_requested: 0 })
    expect(data.totals).toMatchObject({ active_users: null, swaps_requested: 0 })
  })

  test('gives null for the users of future days, and zero for their events', async ({ service }) => {
    const soon = toDate(dayAt(new Date(service.clock.now() + 3 * DAY_MS)))
    const { data } = await ask(service, `/engagement-overview?start_date=${soon}&end_date=${soon}`)
    expect(data.series[0]).toMatchObject({ monthly_users: null, swaps_requested: 0, partial: true })
    const { data: accounts } = await ask(service, `/active-inactive-accounts?start_date=${soon}&end_date=${soon}`)
    expect(accounts.series[0]).toMatchObject({ active: null, engaged_28d: null, created: 0 })
  })

  test('takes a month of 30 days', async ({ service }) => {
    const { data } = await ask(service, '/engagement-overview?mau_days=30')
    expect(data.definition).toContain('7 and 30 days')
    expect(data.keys.find(({ key }: { key: string }) => key === 'monthly_users').drilldown).toContain('mau_days=30')
  })
})

describe('An insight is refused, with the field named,', () => {
  test.for([
    ['interval=minute', 'interval'],
    ['compare=yesterday', 'compare'],
    ['mau_days=29', 'mau_days'],
    ['mau_days=x', 'mau_days'],
    ['timezone=Mars/Olympus', 'timezone'],
    ['timezone=%2B05:30', 'timezone'],
    ['start_date=2026-02-30', 'start_date'],
    ['start_date=tomorrow12', 'start_date'],
    ['start_date=2026-02-02&end_date=2026-02-01', 'end_date'],
    ['start_date=2999-01-01', 'start_date'],
    ['start_date=1969-12-31&end_date=1970-01-05', 'start_date'],
    ['start_date=0000-01-01&end_date=0000-01-05', 'start_date'],
    ['start_date=9999-12-30&end_date=9999-12-31', 'end_date'],
    ['start_date=2026-01-01&end_date=2026-02-01&interval=hour', 'interval'],
    ['start_date=2025-01-01&end_date=2026-02-05', 'interval'],
    ['start_date=2001-01-01&end_date=2026-02-05&interval=week', 'interval'],
  ] as const)('at %s', async ([query, field], { service }) => {
    const { status, body } = await ask(service, `/active-inactive-accounts?${query}`)
    expect(status).toBe(422)
    expect(body).toMatchObject({ success: false, code: 'VALIDATION_ERROR' })
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('when it asks for users by the hour', async ({ service }) => {
    const { status, body } = await ask(service, '/daily-active-users?interval=hour')
    expect([status, Object.keys(body.errors)]).toEqual([422, ['interval']])
  })

  test.for([
    ['/daily-active-users/rows?start_date=2026-01-01&end_date=2026-01-01', 'key'],
    ['/daily-active-users/rows?key=value&end_date=2026-01-01', 'start_date'],
    ['/daily-active-users/rows?key=value&start_date=2026-01-01', 'end_date'],
    ['/daily-active-users/rows?key=swaps_requested&start_date=2026-01-01&end_date=2026-01-01', 'key'],
    ['/engagement-overview/rows?key=pushes_sent&start_date=2026-01-01&end_date=2026-01-01', 'key'],
    ['/engagement-overview/rows?key=new_users&start_date=2026-01-01&end_date=2026-01-01&page=0', 'page'],
    ['/nothing/rows?key=value&start_date=2026-01-01&end_date=2026-01-01', 'metric'],
  ] as const)('for the rows of %s', async ([url, field], { service }) => {
    const { status, body } = await ask(service, url)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('not at the longest ranges that it has', async ({ service }) => {
    for (const query of [
      'start_date=2026-10-01&end_date=2026-10-31&interval=hour&timezone=Europe/Berlin',
      'start_date=2025-01-01&end_date=2026-02-04',
      'start_date=2024-01-01&end_date=2026-12-31&interval=week',
      'start_date=2017-01-01&end_date=2026-12-31&interval=month',
      'start_date=1970-01-01&end_date=1970-01-02',
      'start_date=2999-12-30&end_date=2999-12-31',
      'start_date=0000-01-01&key=active&end_date=9999-12-31',
    ]) {
      const url = query.includes('key')
        ? `/active-inactive-accounts/rows?${query}`
        : `/active-inactive-accounts?${query}`
      expect.soft((await ask(service, url)).status, query).toBe(200)
    }
  })
})

test('Insights are for those who hold the right', async ({ service }) => {
  for (const [role, status] of [
    ['user', 403],
    ['moderator', 403],
    ['analyst', 200],
    ['admin', 200],
  ] as const) {
    const { headers } = await service.given.user({ role })
    for (const path of [...NAMES, 'daily-active-users/rows?key=value&start_date=2026-01-01&end_date=2026-01-02']) {
      const answer = await service.app.inject({ url: `/api/admin/v1/insight/${path}`, headers })
      expect.soft(answer.statusCode, `${role} ${path}`).toBe(status)
    }
  }
  expect((await service.app.inject({ url: '/api/admin/v1/insight/daily-active-users' })).statusCode).toBe(401)
})

async function ask({ app, given }: Service, path: string) {
  const { headers } = await given.user({ role: 'analyst' })
  const answer = await app.inject({ url: `/api/admin/v1/insight${path}`, headers })
  const body = answer.json()
  return { status: answer.statusCode, body, data: body.data }
}

function startOfToday({ clock }: Service): number {
  return Math.floor(clock.now() / DAY_MS) * DAY_MS
}

/** Swaps that were asked for at these times; the first of them completed. */
async function insertSwaps({ deps, given }: Service, created: number[], completed: number[] = []): Promise<void> {
  const [requester, owner] = [await given.user(), await given.user()]
  await sql`
    insert into swaps (requester_id, owner_id, status, expires_at, completed_at, requester_confirmed_at, owner_confirmed_at, created_at, updated_at)
    select ${requester.userId}, ${owner.userId}, case when c is null then 'pending' else 'completed' end, a, c, c, c, a, a
    from unnest(${created.map((ms) => new Date(ms))}::timestamptz[], ${completed.map((ms) => new Date(ms))}::timestamptz[]) s(a, c)`.execute(
    deps.db,
  )
}
