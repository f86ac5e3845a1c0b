import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { getReport, givenPlan, givenSubscription } from '../../../test/support/report-calls.ts'

const REPORTS = ['transaction', 'subscription', 'user/1']

describe('the reports', () => {
  test.for<[string, string, string]>([
    ['transaction', 'status=open', 'status'],
    ['transaction', "status=pending';drop table swaps;--", 'status'],
    ['transaction', 'sort_by=created_at;select 1', 'sort_by'],
    ['transaction', 'sort_by=updated_at', 'sort_by'],
    ['transaction', 'sort_order=down', 'sort_order'],
    ['transaction', 'date_field=closed_at', 'date_field'],
    ['transaction', 'origin=gift', 'origin'],
    ['transaction', 'user_id=0', 'user_id'],
    ['transaction', 'user_id=1e99', 'user_id'],
    ['transaction', 'product_id=abc', 'product_id'],
    ['transaction', "group_id=1'--", 'group_id'],
    ['transaction', 'start_date=2026-02-30', 'start_date'],
    ['transaction', 'start_date=2026-02-02&end_date=2026-02-01', 'end_date'],
    ['transaction', 'timezone=Mars/Phobos', 'timezone'],
    ['transaction', 'page=0', 'page'],
    ['transaction', 'format=xml', 'format'],
    ['subscription', 'status=pending', 'status'],
    ['subscription', 'provider=paypal', 'provider'],
    ['subscription', `plan=${'x'.repeat(65)}`, 'plan'],
    ['subscription', 'sort_by=user', 'sort_by'],
    ['subscription', 'end_date=tomorrow', 'end_date'],
    ['user/1', 'start_date=1', 'start_date'],
    ['user/0', '', 'id'],
    ['user/abc', '', 'id'],
    ["user/1'%20or%20'1'='1", '', 'id'],
  ])('%s refuses %s, naming the field', async ([what, query, field], { service }) => {
    const answer = await getReport(service, await service.given.admin(), `${what}?${query}`)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
  })

  test.for(["plus' or '1'='1", 'plus%', '_', '\\', '"; drop table plans; --'])(
    'take the plan %s for a name',
    async (plan, { service }) => {
      await givenPlan(service.deps, { price_cents: 1, currency: 'EUR', period: 'month' })
      const answer = await getReport(
        service,
        await service.given.admin(),
        `subscription?plan=${encodeURIComponent(plan)}`,
      )
      expect([answer.statusCode, answer.json().data]).toEqual([200, []])
    },
  )

  test.for(REPORTS)('%s is for analysts and administrators', async (what, { service }) => {
    for (const [role, status] of [
      ['analyst', 200],
      ['admin', 200],
      ['moderator', 403],
      ['user', 403],
    ] as const) {
      const caller = await service.given.user({ role })
      const answer = await getReport(service, caller, what.replace('1', String(caller.userId)))
      expect([role, answer.statusCode]).toEqual([role, status])
    }
    expect((await service.app.inject({ url: `/api/admin/v1/report/${what}` })).statusCode).toBe(401)
  })

  test('find people by address and number for those who may see them; for analysts by names alone', async ({
    service,
  }) => {
    const { given, deps } = service
    const { owner } = await givenProposal(service)
    const plan_id = await givenPlan(deps, { price_cents: 1, currency: 'EUR', period: 'month' })
    await givenSubscription(deps, owner, { plan_id, status: 'active' })
    const own = {
      username: 'rosalind-q',
      name: 'Zoë Quick',
      email: 'hidden.word@example.com',
      phone: '+49 151 777 8899',
    }
    await deps.db.updateTable('users').set(own).where('user_id', '=', owner.userId).execute()
    const find = async (role: 'analyst' | 'admin', what: string, search: string) => {
      const answer = await getReport(
        service,
        await given.user({ role }),
        `${what}?search=${encodeURIComponent(search)}`,
      )
      return answer.json<{ data: unknown[] }>().data.length
    }
    for (const what of ['transaction', 'subscription'])
      for (const [search, isName] of [
        ['zoe', true],
        ['rosalind', true],
        ['hidden.word@example.com', false],
        ['hidden', false],
        ['0151 7778899', false],
        ['zoe hidden', false],
      ] as const) {
        expect([what, search, await find('admin', what, search)]).toEqual([what, search, 1])
        expect([what, search, await find('analyst', what, search)]).toEqual([what, search, isName ? 1 : 0])
      }
  })

  test('are answered fifty at once', async ({ service }) => {
    const admin = await service.given.admin()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        getReport(service, admin, ['transaction', 'subscription', `user/${admin.userId}`][i % 3]!),
      ),
    )
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  })
})
