// Slow: torture, the demonstration or the load.
import { describe, expect } from 'vitest'
import { test as base } from '../../server/test/support/app.ts'
import type { WallView } from '../../simulator/src/wall/view.ts'
import { drain } from '../../server/test/support/drain.ts'
import type { RollOut } from '../../server/test/support/roll-outs.ts'
import { startService } from '../../server/test/support/service.ts'
import { HISTORY_TRUTHS } from '../../server/test/support/truths-of-history.ts'
import { TRUTHS } from '../../server/test/support/truths.ts'
import type { Deps } from '../../server/src/deps.ts'
import { verifyAudit } from '../../server/src/administration/audit/verify.ts'
import { answerInsight } from '../../server/src/administration/insights/insights.ts'
import { refreshInsights } from '../../server/src/administration/insights/refresh.ts'
import { MEMBER_MOVES } from '../../server/src/marketplace/groups/groups.ts'
import { REPORT_MOVES } from '../../server/src/marketplace/reports/reports.ts'
import { AVAILABILITY_MOVES } from '../../server/src/marketplace/products/availability.ts'
import { VERIFICATION_MOVES } from '../../server/src/marketplace/products/moderation.ts'
import { SUBSCRIPTION_MOVES } from '../../server/src/marketplace/subscriptions/subscriptions.ts'
import { fetchJobs } from '../../server/test/support/jobs.ts'
import { seedDemoData } from './demo.ts'

const test = base.extend<'demo', Deps>('demo', { scope: 'file' }, async ({ service }) => {
  await seedDemoData(service.deps)
  // The worker, which starts next, does the same.
  for (const _ of await fetchJobs(service.deps.queue, 'refresh-insights', 1)) await refreshInsights(service.deps)
  return service.deps
})

describe('in the demonstration data', () => {
  test.for([...TRUTHS, ...HISTORY_TRUTHS])('%s', async ([, contradictions], { demo }) => {
    const now = new Date(demo.clock.now())
    // A statement that does not need the time gets it anyway.
    const { rows } = await demo.pool.query(`with given as (select $1::timestamptz) ${contradictions}`, [now])
    expect(rows).toEqual([])
  })

  test('every change of state is in the table of moves', async ({ demo }) => {
    const moves: Record<string, Readonly<Record<string, readonly string[]>>> = {
      product: AVAILABILITY_MOVES,
      verification: VERIFICATION_MOVES,
      report: REPORT_MOVES,
      subscription: SUBSCRIPTION_MOVES,
      group_member: MEMBER_MOVES,
    }
    const { rows } = await demo.pool.query<{ entity: string; from: string; to: string }>(
      `select distinct entity, from_state as from, to_state as to from state_changes
       where entity not in ('user', 'swap') and from_state is not null and to_state <> 'deleted'`,
    )
    expect(rows.length).toBeGreaterThan(15)
    expect(rows.filter(({ entity, from, to }) => !moves[entity]?.[from]?.includes(to))).toEqual([])
  })

  test('every state occurs', async ({ demo }) => {
    const { rows } = await demo.pool.query<Record<string, string[]>>(
      `select (select array_agg(distinct status) from users) as users,
         (select array_agg(distinct status) from products) as products,
         (select array_agg(distinct verification) from products) as verification,
         (select array_agg(distinct status) from product_reports) as reports,
         (select array_agg(distinct status) from subscriptions) as subscriptions,
         (select array_agg(distinct status) from group_members) as members,
         (select array_agg(distinct status) from swaps) as swaps`,
    )
    const seen = Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, states]) => [name, states.length]))
    expect(seen).toEqual({
      users: 4,
      products: 6,
      verification: 4,
      reports: 4,
      subscriptions: 5,
      members: 5,
      swaps: expect.toSatisfy((count) => Number(count) >= 8),
    })
  })

  test('weekends have more activity, and the year grows', async ({ demo }) => {
    const { rows } = await demo.pool.query<{ weekend: number; midweek: number; first: number; last: number }>(
      `select avg(n) filter (where extract(isodow from day) in (6, 7)) as weekend,
         avg(n) filter (where extract(isodow from day) between 2 and 4) as midweek,
         avg(n) filter (where day < current_date - 300) as first, avg(n) filter (where day > current_date - 60) as last
       from (select day, sum(n)::float8 as n from activity_gap_day where day < current_date group by day) days`,
    )
    const { weekend = 0, midweek = 0, first = 0, last = 0 } = rows[0] ?? {}
    expect(weekend / midweek).toBeGreaterThan(1.15)
    expect(last / first).toBeGreaterThan(3)
  })

  test('moderators have a queue, reports and earlier decisions', async ({ demo }) => {
    const { rows } = await demo.pool.query<Record<string, number>>(
      `select (select count(*) from products where verification = 'pending' and status = 'active' and deleted_at is null
           and hidden_at is null)::int as waiting,
         (select count(*) from product_reports where status in ('open', 'in_review'))::int as undecided,
         (select count(*) from moderation_actions)::int as decided`,
    )
    const { waiting = 0, undecided = 0, decided = 0 } = rows[0] ?? {}
    expect(waiting).toBeGreaterThanOrEqual(5)
    expect(undecided).toBeGreaterThanOrEqual(4)
    expect(decided).toBeGreaterThan(3_000)
  })

  test('accounts by recency add up to accounts by status', async ({ demo }) => {
    await refreshInsights(demo)
    const range = { from: undefined, to: undefined, timezone: 'UTC' }
    const question = { range, interval: 'day', compare: 'none', window: 28 } as const
    const { slices } = await answerInsight(demo, 'active-inactive-accounts', question)
    expect(slices).toHaveLength(30)
    for (const { values } of slices)
      expect(values!['engaged_28d']! + values!['dormant_28d']!).toBe(values!['active']! + values!['inactive']!)
  })

  test('the audit log of the last week is whole', async ({ demo }) => {
    const { entries, broken } = await verifyAudit(demo)
    expect(broken).toBeUndefined()
    expect(entries).toBeGreaterThan(50)
  })

  test('ids continue after it, and it is refused where there are users', async ({ demo, given }) => {
    const before = await readDigest(demo)
    await seedDemoData(demo)
    expect(await readDigest(demo)).toBe(before)
    const { userId } = await given.user()
    expect(userId).toBeGreaterThan(2_000)
  })
})

test('it is the same each time for the same moment', async ({ demo, clock }) => {
  const other = await startService()
  try {
    await seedDemoData({ ...other.deps, clock })
    expect(await readDigest(other.deps)).toBe(await readDigest(demo))
  } finally {
    await other.close()
  }
})

test('some phones are reached by Apple and Google where these are configured, and get their pushes', async () => {
  const other = await startService({}, { isDirect: true })
  try {
    await seedDemoData(other.deps)
    const { rows } = await other.deps.pool.query<{ provider: string; platform: string; count: number }>(
      'select provider, platform, count(*)::int as count from mobile_devices group by provider, platform order by 1, 2',
    )
    expect(rows.filter(({ count }) => count > 200)).toMatchObject([
      { provider: 'apns/swapbell/production', platform: 'ios' },
      { provider: 'expo', platform: 'android' },
      { provider: 'expo', platform: 'ios' },
      { provider: 'fcm/swapbell', platform: 'android' },
    ])
    const headers = (await other.given.admin()).headers
    const rollOuts = await other.app.inject({ url: '/api/admin/roll-outs', headers })
    const phones = rollOuts.json<{ data: { roll_outs: RollOut[] } }>().data.roll_outs
    expect(phones.filter((one) => one.phones > 50).map(({ provider }) => provider)).toEqual([
      'apns/swapbell/production',
      'fcm/swapbell',
    ])
    const payload = { title: 'Hello', text: 'There' }
    await other.app.inject({ method: 'POST', url: '/api/admin/send-notification-all', headers, payload })
    await drain(other)
    const arrived = Map.groupBy(other.simulator.log(), ({ provider }) => provider)
    for (const provider of ['expo', 'apns', 'fcm'] as const) expect(arrived.get(provider)?.length).toBeGreaterThan(150)
    expect(other.simulator.state()).toMatchObject({ directRefused: 0, duplicates: 0 })
    const { traffic } = (await (await fetch(`${other.simulator.url}/simulator/phones`)).json()) as WallView
    expect(traffic.reduce((sum, { accepted: count }) => sum + count, 0)).toBe(other.simulator.log().length)
  } finally {
    await other.close()
  }
})

/** One hash of all rows, without passwords and salts. */
async function readDigest({ pool }: Deps): Promise<string> {
  const tables = {
    users: `users t where username like 'demo%'`,
    days: 'user_activity_day t',
    devices: 'mobile_devices t',
    products: 'products t',
    swaps: 'swaps t',
    items: 'swap_items t',
    said: 'swap_messages t',
    likes: 'likes t',
    reports: 'product_reports t',
    subscriptions: 'subscriptions t',
    members: 'group_members t',
    changes: 'state_changes t',
    decisions: 'moderation_actions t',
    copies: 'notifications t',
  }
  const parts = Object.entries(tables).map(
    ([name, rows]) =>
      `select '${name}' as name, sum(hashtextextended((to_jsonb(t) - array['password_hash', 'created_at', 'updated_at'])::text, 0)) as n
       from ${rows}`,
  )
  const { rows } = await pool.query<{ digest: string }>(
    `select string_agg(name || n, ',' order by name) as digest from (${parts.join(' union all ')}) t`,
  )
  return rows[0]?.digest ?? ''
}
