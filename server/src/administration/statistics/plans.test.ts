// For CI: query plans on tables of up to a million rows.
import { moveDueSwaps } from '../../../test/support/marketplace.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import { expireSubscriptions } from '../../marketplace/subscriptions/subscriptions.ts'
import { SWAP_STATUSES } from '../../platform/shared/words.ts'
import { subscriptionReport, type SubscriptionFilter } from './subscription-report.queries.ts'
import { swapReport, type SwapFilter, type SwapPage } from './swap-report.queries.ts'
import { keepSwapTallies, summariseSwaps, sumStatuses } from './swap-summary.ts'
import { reportOnUser } from './user-report.ts'
import { commitAs } from '../../../test/support/commit.ts'

const SWAPS = 40_000
const LARGE = [
  'users',
  'products',
  'swaps',
  'swap_items',
  'swap_rounds',
  'swap_tallies',
  'state_changes',
  'user_activity_day',
  'subscriptions',
]
const YEAR: SwapFilter = {
  basis: 'created',
  from: new Date('2025-01-01T07:00:00Z'),
  to: new Date('2026-01-01T07:00:00Z'),
}

const TEN_YEARS = { from: new Date('2016-07-01'), to: undefined, timezone: 'UTC' }
const PEOPLE = Array.from({ length: 50 }, (_, n) => 300 + n * 7)

let service: Service
let watch: PlanWatch

beforeAll(async () => {
  service = await startService()
  await fill(service.deps)
  await keepSwapTallies(service.deps)
  await service.deps.pool.query('analyze')
  watch = await watchPlans(service)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

test.for<[string, () => Promise<unknown>]>([
  ['the report on a year’s swaps, with its summary', () => report(YEAR)],
  ['the report on the swaps that were completed in it', () => report({ ...YEAR, basis: 'completed' }, 'completed')],
  ['the report on swaps in dispute', () => report({ ...YEAR, statuses: ['disputed'] })],
  ['its 750th page', () => report(YEAR, 'created', 15_000)],
  ['the report on one person’s swaps', () => report({ ...YEAR, userId: 77 })],
  ['the report on one product’s swaps', () => report({ basis: 'created', productId: 77 })],
  ['the report on a user', () => reportOnUser(watch.deps, 77, { from: undefined, to: undefined, timezone: 'UTC' })],
  ['the report on ten years of a user', () => reportOnUser(watch.deps, 77, TEN_YEARS)],
  ['the report on the swaps of people', () => report({ ...YEAR, peopleIds: PEOPLE })],
  ['the report on the subscriptions of people', () => subscriptions({ now: new Date(), peopleIds: PEOPLE }, 50)],
  ['the report on all subscriptions', () => subscriptions({ now: new Date() }, 20_000)],
  ['accepting a swap', () => accept()],
  ['what happens to swaps by time', () => moveDueSwaps(watch.deps)],
  ['what happens to subscriptions by time', () => expireSubscriptions(watch.deps)],
])('%s reads no large table from end to end', async ([, run]) => {
  watch.plans.length = 0
  await run()
  await run()
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
})

async function accept(): Promise<void> {
  const pending = service.deps.db.selectFrom('swaps').select('swap_id').where('status', '=', 'pending')
  const { swap_id: swapId } = await pending.where('swap_id', 'in', [5, 15]).limit(1).executeTakeFirstOrThrow()
  await commitAs({ userId: swapId + 2 }, watch.deps, moveSwap, { swapId, move: 'accept' })
}

async function report(filter: SwapFilter, by: SwapPage['by'] = 'created', offset = 0) {
  const total = sumStatuses((await summariseSwaps(watch.deps.db, filter)).by_status, filter.statuses ?? SWAP_STATUSES)
  return swapReport.page(watch.deps, { filter, page: { perPage: 20, offset, by, direction: 'desc' }, total })
}

function subscriptions(filter: SubscriptionFilter, total: number) {
  const page = { perPage: 20, offset: 0, by: 'started_at', direction: 'desc' } as const
  return subscriptionReport.page(watch.deps, { filter, page, total })
}

/**
 * Two years of swaps, each between two of twenty thousand people with two products each; the last ones are still open.
 */
async function fill({ db }: Deps): Promise<void> {
  await sql`insert into users (user_id, username, email, name, password_hash) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '' from generate_series(1, 20000) n`.execute(db)
  await sql`insert into categories (category_id, slug, name) overriding system value values (1, 'things', 'Things')`.execute(
    db,
  )
  await sql`insert into products (product_id, user_id, category_id, title, description, condition, status, submitted_at, created_at, updated_at)
    overriding system value
    select n, (n + 1) / 2, 1, 'A thing', 'It is a thing', 'good', 'active', now(), now(), now() from generate_series(1, 40000) n`.execute(
    db,
  )
  await sql`insert into swaps (swap_id, requester_id, owner_id, status, expires_at, created_at, responded_at, accepted_at,
      requester_confirmed_at, owner_confirmed_at, completed_at, updated_at) overriding system value
    select n, n % 19999 + 1, n % 19999 + 2, status, '2099-01-01', at,
      case when status <> 'pending' then at + n % 90 * interval '1 hour' end,
      case when status in ('completed', 'disputed') then at + interval '9 hours' end,
      case when status = 'completed' then at + n % 700 * interval '1 hour' end, case when status = 'completed' then at end,
      case when status = 'completed' then at + n % 700 * interval '1 hour' end, at
    from generate_series(1, ${SWAPS}::int) n cross join lateral (select
      timestamptz '2024-07-01' + n * interval '25 minutes' as at,
      case when n < 50 or n % 20 = 0 then 'pending' when n % 500 = 1 then 'disputed' when n % 3 = 0 then 'declined' else 'completed' end as status) s`.execute(
    db,
  )
  await sql`insert into swap_items (swap_id, product_id, side)
    select swap_id, 2 * requester_id, 'offered' from swaps union all select swap_id, 2 * owner_id, 'requested' from swaps`.execute(
    db,
  )
  await sql`insert into swap_rounds (swap_id, round, proposed_by, offered, requested, created_at)
    select swap_id, 1, 'requester', '{}', '{}', created_at from swaps`.execute(db)
  await sql`insert into state_changes (entity, entity_id, to_state, actor, at) select 'swap', swap_id, 'pending', 'system', created_at from swaps`.execute(
    db,
  )
  await sql`insert into plans (plan_id, code, name, price_cents, currency, period) overriding system value
    values (1, 'plus', 'Plus', 500, 'EUR', 'month')`.execute(db)
  await sql`insert into subscriptions (user_id, plan_id, status, provider, external_id, current_period_end, started_at, created_at, updated_at)
    select n, 1, 'active', 'manual', n, now(), now() - n * interval '1 minute', now(), now() from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into user_activity_day (day, user_id, gap)
    select current_date - d, n, 9999 from generate_series(1, 5000) n, generate_series(0, 9) d`.execute(db)
}
