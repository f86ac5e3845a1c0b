// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { findBreakdown } from './breakdown.ts'
import { MEASURES } from './breakdown.queries.ts'

const PATH = '/insight-breakdown'
const MAY = 'start_date=2026-05-01&end_date=2026-05-30'

const toDay = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000)

describe('A breakdown', () => {
  test('of swaps by city has totals, shares, the time before, and one row for all beyond twenty', async ({
    service,
  }) => {
    // City n has n swaps in May; Ghent had five in April, and is written in two ways.
    const swaps = Array.from({ length: 25 }, (_, n) =>
      Array.from({ length: n + 1 }, () => [`City ${n + 1}`, '2026-05-02']),
    )
    await insertSwaps(service, [
      ...swaps.flat(),
      ...Array.from({ length: 30 }, (_, n) => [n % 2 ? 'Ghent' : ' ghent ', '2026-05-03']),
      ...Array.from({ length: 5 }, () => ['Ghent', '2026-04-20']),
      [null, '2026-05-04'],
    ])
    const panel = await givenPanel(service, 'analyst')
    const { data } = (await panel.get(`${PATH}?measure=swaps_requested&by=city&${MAY}`)).json()
    expect(data.total).toEqual({ value: 356, percent: 100, previous: 5, change_percent: 7_020 })
    expect(data.rows).toHaveLength(20)
    expect(data.rows[0]).toMatchObject({ value: 30, percent: 8.4, previous: 5, change_percent: 500 })
    expect(data.rows[0].name.toLowerCase()).toBe('ghent')
    expect(data.rows[1]).toEqual({ name: 'City 25', value: 25, percent: 7, previous: 0, change_percent: null })
    // Six small cities, and the swap without one.
    expect(data.others).toMatchObject({ names: 7, value: 1 + 2 + 3 + 4 + 5 + 6 + 1 })
    const all = [...data.rows, data.others].reduce((sum, { value }) => sum + value, 0)
    expect(all).toBe(data.total.value)
    expect(data.previous_range).toEqual({ start: '2026-04-01T00:00:00.000Z', end: '2026-05-01T00:00:00.000Z' })
  })

  test('of completed swaps and of products is by category, too; of nothing it has no shares', async ({ service }) => {
    const panel = await givenPanel(service, 'analyst')
    const of = async (query: string) => (await panel.get(`${PATH}?${query}`)).json().data
    const march = 'start_date=2026-03-01&end_date=2026-03-31'
    await insertSwaps(service, [['Lyon', '2026-03-05']], { category: 'Lamps of Lyon', isCompleted: true })
    expect(await of(`measure=swaps_completed&by=category&${march}`)).toMatchObject({
      total: { value: 1 },
      rows: [{ name: 'Lamps of Lyon', value: 1, percent: 100 }],
      others: null,
    })
    expect((await of(`measure=products_listed&by=category&${march}`)).rows).toMatchObject([{ name: 'Lamps of Lyon' }])
    expect((await of(`measure=products_listed&by=city&${march}`)).rows).toMatchObject([{ name: 'Lyon' }])
    const empty = await of('measure=accounts_created&by=city&start_date=2001-01-01&end_date=2001-01-02')
    expect(empty).toMatchObject({ total: { value: 0, percent: null, change_percent: null }, rows: [], others: null })
  })

  test('is refused for accounts by category, for more than 92 days, and without the right', async ({ service }) => {
    const panel = await givenPanel(service, 'analyst')
    expectInvalid(await panel.get(`${PATH}?measure=accounts_created&by=category`), 'by')
    const long = 'start_date=2026-01-01&end_date=2026-04-03'
    expectInvalid(await panel.get(`${PATH}?measure=swaps_requested&by=city&${long}`), 'start_date')
    const longest = 'start_date=2026-01-01&end_date=2026-04-02'
    expect((await panel.get(`${PATH}?measure=swaps_requested&by=city&${longest}`)).statusCode).toBe(200)
    expectInvalid(await panel.get(`${PATH}?measure=pushes&by=city`), 'measure')
    const moderator = await givenPanel(service, 'moderator')
    expectError(await moderator.get(`${PATH}?measure=swaps_requested&by=city`), 403, 'FORBIDDEN')
  })

  test('finds the rows of its range by index in large tables', async ({ service }) => {
    await insertSwaps(
      service,
      Array.from({ length: 20_000 }, (_, n) => [`Town ${n % 300}`, toDay(n % 1_000).toISOString()]),
    )
    await service.deps.pool.query('analyze')
    const watch = await watchPlans(service)
    try {
      const range = { from: toDay(500), to: toDay(507), timezone: 'UTC' }
      for (const measure of MEASURES) {
        watch.plans.length = 0
        await findBreakdown(watch.deps, { measure, by: 'city', range })
        expect(watch.plans.length).toBeGreaterThan(0)
        expect(scannedBy(watch.plans).filter((table) => ['swaps', 'products', 'swap_items'].includes(table))).toEqual(
          [],
        )
      }
    } finally {
      await watch.close()
    }
  })
})

/** Swaps, each for a product of its own in a city, listed and asked for on a day. */
async function insertSwaps(
  { deps, given }: Service,
  swaps: (string | null)[][],
  { category = 'Lamps', isCompleted = false } = {},
): Promise<void> {
  const { userId: owner } = await given.user()
  const { userId: asker } = await given.user()
  const { rows } = await sql<{ id: number }>`
    insert into categories (slug, name) values (gen_random_uuid()::text, ${category}) returning category_id as id`.execute(
    deps.db,
  )
  const [cities, days] = [swaps.map(([city]) => city ?? null), swaps.map(([, day]) => day ?? '')]
  await sql`
    with given as (
      select city, at, nextval(pg_get_serial_sequence('swaps', 'swap_id')) as swap_id,
        nextval(pg_get_serial_sequence('products', 'product_id')) as product_id
      from unnest(${cities}::text[], ${days}::timestamptz[]) g(city, at)),
    listed as (
      insert into products (product_id, user_id, category_id, title, description, condition, city, submitted_at, created_at, updated_at)
      overriding system value
      select product_id, ${owner}, ${rows[0]!.id}, 'Lamp', '', 'good', city, at, at, at from given),
    asked as (
      insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, completed_at, requester_confirmed_at,
        owner_confirmed_at, created_at, updated_at) overriding system value
      select swap_id, ${asker}, ${owner}, ${isCompleted ? 'completed' : 'pending'}, at, ${isCompleted ? sql`at` : null},
        ${isCompleted ? sql`at` : null}, ${isCompleted ? sql`at` : null}, ${isCompleted ? sql`at` : null}, at, at from given)
    insert into swap_items (swap_id, product_id, side) select swap_id, product_id, 'requested' from given`.execute(
    deps.db,
  )
}
