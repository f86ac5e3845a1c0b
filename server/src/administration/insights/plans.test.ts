// For CI: query plans on tables of up to a million rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { INSIGHTS, type InsightName } from './catalogue.ts'
import { answerInsight } from './insights.ts'
import { refreshInsights, rebuildInsights } from './refresh.ts'
import { rowsBehind } from './insights.ts'

const DAY_MS = 86_400_000
const LARGE = [
  'users',
  'user_activity_day',
  'activity_gap_day',
  'metric_buckets',
  'swaps',
  'products',
  'swap_messages',
  'state_changes',
  'notifications',
]

let service: Service
let watch: PlanWatch
let deps: Deps
let plans: string[]

beforeAll(async () => {
  service = await startService()
  await fill(service.deps)
  await rebuildInsights(service.deps)
  await service.deps.pool.query('vacuum analyze')
  watch = await watchPlans(service)
  ;({ deps, plans } = watch)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

test.for(Object.keys(INSIGHTS) as InsightName[])('%s reads no large table from end to end', async (name) => {
  const now = deps.clock.now()
  const range = { from: new Date(now - 20 * DAY_MS), to: new Date(now), timezone: 'Asia/Kathmandu' }
  plans.length = 0
  await answerInsight(deps, name, { range, interval: 'day', compare: 'previous_period', window: 28 })
  expectNoScan()
})

test('the rows behind a point of a day are a page found by index', async () => {
  const end = Math.floor(deps.clock.now() / DAY_MS) * DAY_MS - 10 * DAY_MS
  const range = { from: new Date(end - DAY_MS), to: new Date(end), timezone: 'UTC' }
  for (const [name, insight] of Object.entries(INSIGHTS))
    for (const { key, rows } of insight.keys as readonly { key: string; rows?: object }[]) {
      if (rows === undefined || 'accounts' in rows || key === 'dormant_28d') continue
      plans.length = 0
      await rowsBehind(deps, { name: name as InsightName, key, range, window: 28 }, { perPage: 20, offset: 0 })
      expectNoScan()
    }
})

test('the minute’s count reads no large table from end to end', async () => {
  await refreshInsights(deps)
  plans.length = 0
  await refreshInsights(deps)
  expectNoScan()
})

function expectNoScan(): void {
  expect(plans.length).toBeGreaterThan(0)
  expect(scannedBy(plans).filter((table) => LARGE.includes(table))).toEqual([])
}

/** Two hundred days of 20,000 people. */
async function fill({ db, clock }: Deps): Promise<void> {
  const now = new Date(clock.now())
  await sql`insert into users (user_id, username, email, name, password_hash, created_at) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '', ${now}::timestamptz - n * interval '14 minutes'
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into user_activity_day (day, user_id, gap)
    select ${now}::timestamptz::date - (n * 7 + d * (n % 40 + 1)) % 200, n, n % 40 + 1 from generate_series(1, 20000) n, generate_series(0, 9) d
    on conflict do nothing`.execute(db)
  await sql`insert into state_changes (entity, entity_id, user_id, from_state, to_state, actor, at)
    select 'user', n, n, 'active', 'active', 'system', ${now}::timestamptz - n * interval '13 minutes' from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into categories (category_id, slug, name) overriding system value values (1, 'c', 'C')`.execute(db)
  await sql`insert into products (user_id, category_id, title, description, condition, submitted_at, created_at, updated_at)
    select n, 1, 'P', '', 'good', at, at, at from generate_series(1, 20000) n
    cross join lateral (select ${now}::timestamptz - n * interval '14 minutes' as at) t`.execute(db)
  await sql`insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, created_at, updated_at) overriding system value
    select n, n, n + 1, 'accepted', at, at + interval '1 hour', at, at from generate_series(1, 19999) n
    cross join lateral (select ${now}::timestamptz - n * interval '14 minutes' as at) t`.execute(db)
  await sql`insert into swap_messages (swap_id, sender_id, body, created_at)
    select n, n, repeat('Hello. ', 20), ${now}::timestamptz - n * interval '14 minutes' from generate_series(19999, 1, -1) n`.execute(
    db,
  )
}
