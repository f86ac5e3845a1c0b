import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { getReport, givenPlan, givenSubscription } from '../../../test/support/report-calls.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import { commitAs } from '../../../test/support/commit.ts'

describe('GET /api/admin/v1/report/subscription', () => {
  test('is a page of subscriptions with their plans, and what they come to', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const month = await givenPlan(deps, { price_cents: 500, currency: 'EUR', period: 'month' })
    const year = await givenPlan(deps, { price_cents: 10_000, currency: 'EUR', period: 'year' })
    const dollars = await givenPlan(deps, { price_cents: 700, currency: 'USD', period: 'month' })
    const subscriber = await given.user()
    await givenSubscription(deps, subscriber, { plan_id: month, status: 'active' })
    await givenSubscription(deps, await given.user(), { plan_id: year, status: 'past_due' })
    await givenSubscription(deps, await given.user(), { plan_id: dollars, status: 'cancelled' })
    await givenSubscription(deps, await given.user(), { plan_id: dollars, status: 'trialing' })
    const gone = await givenSubscription(deps, await given.user(), {
      plan_id: month,
      status: 'expired',
      started_at: new Date('2020-01-01T00:00:00Z'),
      ended_at: new Date('2020-02-01T00:00:00Z'),
    })
    const all = (await getReport(service, admin, 'subscription')).json()
    expect(all.summary).toEqual({
      active: 1,
      past_due: 1,
      cancelled: 1,
      trialing: 1,
      expired: 1,
      started_in_period: 5,
      ended_in_period: 1,
      mrr_unit: 'cents',
      mrr_by_currency: { EUR: 500 + 833 },
    })
    expect(all.pagination.total_items).toBe(5)
    const paying = (await getReport(service, admin, 'subscription?status=active,past_due&provider=manual')).json()
    expect(paying.pagination.total_items).toBe(2)
    expect(paying.data.map((one: { status: string }) => one.status).toSorted()).toEqual(['active', 'past_due'])
    expect(paying.summary).toEqual(all.summary)
    const early = (await getReport(service, admin, 'subscription?start_date=2020-01-10&end_date=2020-01-31')).json()
    expect(early.data).toMatchObject([{ id: gone, plan: { price_cents: 500, period: 'month' }, status: 'expired' }])
    expect(early.summary).toMatchObject({ started_in_period: 0, ended_in_period: 0, mrr_by_currency: {} })
    const tomorrow = new Date(deps.clock.now() + 86_400_000).toISOString()
    const future = (await getReport(service, admin, `subscription?start_date=${tomorrow}`)).json()
    expect([future.data, future.summary.active, future.pagination.total_items]).toEqual([[], 0, 0])
    const paidFor = (await getReport(service, admin, `subscription?search=${subscriber.email}`)).json()
    expect(paidFor).toMatchObject({ data: [{ user: { id: subscriber.userId } }], summary: { active: 1, expired: 0 } })
    expect((await getReport(service, admin, 'subscription?plan=none')).json().data).toEqual([])
    expect((await getReport(service, admin, 'subscription?provider=stripe')).json().summary.active).toBe(0)
    const csv = await getReport(service, admin, 'subscription?format=csv&sort_by=id&sort_order=asc')
    expect(csv.body.trim().split('\n')).toHaveLength(6)
  })
})

describe('GET /api/admin/v1/report/user/:id', () => {
  test('sums up what somebody did, by when it was made, with their newest swaps and reports', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const { requester, owner, requested, swapId } = await givenProposal(service)
    await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
    await commitAs(owner, deps, moveSwap, { swapId, move: 'confirm' })
    await commitAs(requester, deps, moveSwap, { swapId, move: 'confirm' })
    const plan = await givenPlan(deps, { price_cents: 500, currency: 'EUR', period: 'month' })
    await givenSubscription(deps, owner, { plan_id: plan, status: 'active' })
    const now = new Date(deps.clock.now())
    const times = { created_at: now, updated_at: now }
    await deps.db
      .insertInto('product_reports')
      .values({ product_id: requested, reporter_id: requester.userId, reason: 'scam', ...times })
      .execute()
    await deps.pool.query(
      `insert into user_activity_day (day, user_id, gap) select ($1::timestamptz at time zone 'UTC')::date - ago, $2, 5
       from unnest(array[0, 5, 29, 30]) ago`,
      [now, owner.userId],
    )
    const { data } = (await getReport(service, admin, `user/${owner.userId}`)).json()
    expect(data.user).toMatchObject({ id: owner.userId, user_id: owner.userId, email: owner.email, deleted_at: null })
    const analyst = await given.user({ role: 'analyst' })
    const theirs = await getReport(service, analyst, `user/${owner.userId}`)
    expect(theirs.json().data.user).toMatchObject({ id: owner.userId, email: null })
    expect(theirs.body).not.toContain(owner.email)
    expect(data.totals).toEqual({
      products: 1,
      verified_products: 1,
      requests_sent: 0,
      requests_received: 1,
      completed: 1,
      completion_rate: 1,
      reports_filed: 0,
      reports_against: 1,
      groups: 0,
    })
    expect(data.subscription).toMatchObject({ status: 'active', ended_at: null })
    expect(data.activity.active_days_30).toBe(3)
    expect(data.activity.series).toHaveLength(30)
    expect(data.activity.series.at(-1)).toEqual({ date: now.toISOString().slice(0, 10), value: 1 })
    expect(data.recent_transactions).toMatchObject([{ transaction_id: swapId, status: 'completed' }])
    expect(data.recent_reports).toMatchObject([{ product_id: requested, direction: 'against', reason: 'scam' }])
    const long_ago = (await getReport(service, admin, `user/${owner.userId}?end_date=2020-01-01`)).json().data
    expect(long_ago.totals).toMatchObject({
      products: 0,
      requests_received: 0,
      completion_rate: null,
      reports_against: 0,
    })
    const other = (await getReport(service, admin, `user/${requester.userId}`)).json().data
    expect(other).toMatchObject({ totals: { requests_sent: 1, reports_filed: 1 }, subscription: null })
  })

  test('narrows the days of activity as it narrows the totals', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const { userId } = await given.user()
    await deps.pool.query(`update users set created_at = '2026-03-10T12:00:00Z' where user_id = $1`, [userId])
    await deps.pool.query(
      `insert into user_activity_day (day, user_id, gap) select day::date, $1, 5
       from unnest(array['2026-03-10', '2026-03-28', '2026-03-29', '2026-03-31']) day`,
      [userId],
    )
    const activity = async (query: string) => {
      const { data } = (await getReport(service, admin, `user/${userId}?${query}`)).json()
      const { active_days_30, active_days, series } = data.activity
      expect([active_days_30, active_days]).toEqual([
        0,
        series.filter((day: { value: number }) => day.value === 1).length,
      ])
      return [series.length, active_days, series[0]?.date, series.at(-1)?.date]
    }
    const berlin = 'start_date=2026-03-28&end_date=2026-03-29&timezone=Europe/Berlin'
    expect(await activity(berlin)).toEqual([2, 2, '2026-03-28', '2026-03-29'])
    expect(await activity('end_date=2026-03-28')).toEqual([19, 2, '2026-03-10', '2026-03-28'])
    expect(await activity('start_date=2026-03-29T00:00:00Z&end_date=2026-03-31T00:00:00Z')).toEqual([
      2,
      1,
      '2026-03-29',
      '2026-03-30',
    ])
    expect(await activity('end_date=2026-03-09')).toEqual([0, 0, undefined, undefined])
    expect((await activity('start_date=0001-01-01&end_date=9999-12-31')).slice(1, 3)).toEqual([4, '2026-03-10'])
    expect((await activity(''))[0]).toBe(30)
  })

  test('is there for a deleted account until it is purged, and 404 for one that never was', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const { userId } = await given.user()
    await deps.db.updateTable('users').set({ deleted_at: new Date() }).where('user_id', '=', userId).execute()
    expect((await getReport(service, admin, `user/${userId}`)).json().data.user.deleted_at).not.toBeNull()
    const missing = await getReport(service, admin, 'user/999999999')
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'NOT_FOUND'])
  })
})
