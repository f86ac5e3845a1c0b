import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { getReport } from '../../../test/support/report-calls.ts'
import { likeProduct } from '../../marketplace/likes/likes.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import { requestSwap } from '../../marketplace/swaps/propose.ts'
import { commitAs } from '../../../test/support/commit.ts'

describe('GET /api/admin/v1/report/transaction', () => {
  test('is a page of swaps, newest first, with both sides, their products and what all come to', async ({
    service,
  }) => {
    const analyst = await service.given.user({ role: 'analyst' })
    const older = await givenProposal(service)
    const newer = await givenProposal(service)
    await commitAs(newer.owner, service.deps, moveSwap, { swapId: newer.swapId, move: 'accept' })
    const answer = await getReport(service, analyst, 'transaction?per_page=2')
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
    const { data, summary, pagination } = answer.json()
    expect(data.map((swap: { transaction_id: number }) => swap.transaction_id)).toEqual([newer.swapId, older.swapId])
    const person = { id: newer.requester.userId, username: expect.any(String), name: newer.requester.name }
    expect(data[0]).toMatchObject({
      id: newer.swapId,
      status: 'accepted',
      origin: 'request',
      requester: person,
      rounds: 1,
    })
    expect(data[0].items).toEqual([
      { product_id: newer.offered, title: 'A thing', side: 'offered' },
      { product_id: newer.requested, title: 'A thing', side: 'requested' },
    ])
    expect(summary).toMatchObject({ by_status: { pending: 1, accepted: 1 }, total: 2, completion_rate: 0 })
    expect(summary).toMatchObject({ median_hours_to_response: 0, median_hours_to_complete: null })
    expect(pagination).toEqual({ current_page: 1, per_page: 2, total_items: 2, total_pages: 1 })
  })

  test('narrows the page by status and counts it exactly, and leaves the summary whole', async ({ service }) => {
    const admin = await service.given.admin()
    const before = (await getReport(service, admin, 'transaction')).json().summary
    const { swapId, owner } = await givenProposal(service)
    await commitAs(owner, service.deps, moveSwap, { swapId, move: 'decline' })
    const { data, summary, pagination } = (
      await getReport(service, admin, 'transaction?status=declined,%20expired')
    ).json()
    expect(data.map((swap: { id: number }) => swap.id)).toEqual([swapId])
    expect(pagination.total_items).toBe(1)
    expect(summary.total).toBe(before.total + 1)
  })

  test('filters by person, product, group and origin, alone and together', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const { swapId, requester, owner, requested } = await givenProposal(service)
    const mine = await givenProduct(deps, requester)
    await commitAs(owner, deps, likeProduct, { productId: mine })
    await commitAs(requester, deps, likeProduct, { productId: requested })
    const theirs = await givenProduct(deps, owner)
    const proposal = { offered: [mine], requested: [theirs] }
    const { swap_id: matched } = await commitAs(requester, deps, requestSwap, { proposal })
    const found = async (query: string) => {
      const { data, pagination, summary } = (await getReport(service, admin, `transaction?${query}`)).json()
      expect([pagination.total_items, summary.total]).toEqual([data.length, data.length])
      return data.map((swap: { id: number }) => swap.id)
    }
    expect(await found(`user_id=${requester.userId}`)).toEqual([matched, swapId])
    expect(await found(`user_id=${owner.userId}&sort_by=transaction_id&sort_order=asc`)).toEqual([swapId, matched])
    expect(await found(`user_id=${owner.userId}&origin=match`)).toEqual([matched])
    expect(await found(`product_id=${requested}`)).toEqual([swapId])
    expect(await found(`product_id=${requested}&user_id=${admin.userId}`)).toEqual([])
    expect(await found('group_id=1')).toEqual([])
    expect(await found(`search=${requester.name}`)).toEqual([matched, swapId])
    expect(await found(`search=${owner.email.toUpperCase()}&origin=match`)).toEqual([matched])
    expect(await found('search=nobody at all')).toEqual([])
  })

  test('takes a range of when swaps were made, accepted or completed, in a time zone', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const { swapId } = await givenProposal(service)
    const times = {
      created_at: new Date('2020-01-01T22:30:00Z'),
      responded_at: new Date('2020-01-02T01:45:00Z'),
      accepted_at: new Date('2020-01-02T01:45:00Z'),
      completed_at: new Date('2020-01-05T10:00:00Z'),
      requester_confirmed_at: new Date('2020-01-05T10:00:00Z'),
      owner_confirmed_at: new Date('2020-01-05T10:00:00Z'),
      status: 'completed' as const,
    }
    await deps.db.updateTable('swaps').set(times).where('swap_id', '=', swapId).execute()
    const found = async (query: string) => (await getReport(service, admin, `transaction?${query}`)).json()
    const berlin = await found('start_date=2020-01-01&end_date=2020-01-01&timezone=Europe/Berlin')
    expect(berlin.summary).toMatchObject({
      total: 1,
      completion_rate: 1,
      median_hours_to_response: 3.25,
      median_hours_to_complete: 78,
    })
    expect((await found('start_date=2020-01-01&end_date=2020-01-01&timezone=Asia/Kolkata')).data).toEqual([])
    for (const [field, from, to] of [
      ['accepted_at', '2020-01-02T01:45:00Z', '2020-01-02T01:45:01Z'],
      ['completed_at', '2020-01-05', '2020-01-05'],
    ]) {
      const within = await found(`date_field=${field}&start_date=${from}&end_date=${to}`)
      expect([within.data.length, within.summary.total, within.pagination.total_items]).toEqual([1, 1, 1])
      const after = await found(`date_field=${field}&start_date=2020-01-06&end_date=2020-02-01`)
      expect([after.data.length, after.summary.total]).toEqual([0, 0])
    }
    const all = await found('start_date=0001-01-01&end_date=9999-12-31')
    expect(all.summary.total).toBe(all.pagination.total_items)
  })

  test('shows a side as null once its account is purged', async ({ service }) => {
    const { deps, given } = service
    const { swapId, requester } = await givenProposal(service)
    await deps.db.deleteFrom('users').where('user_id', '=', requester.userId).execute()
    const { data } = (await getReport(service, await given.admin(), `transaction?sort_by=transaction_id`)).json()
    expect(data[0]).toMatchObject({ id: swapId, requester: null, items: [{ side: 'requested' }] })
  })

  test('sorts by each of its columns, in both directions, with the id to break ties', async ({ service }) => {
    const admin = await service.given.admin()
    for (const column of ['transaction_id', 'created_at', 'accepted_at', 'completed_at']) {
      const [up, down] = await Promise.all(
        ['asc', 'desc'].map(async (order) => {
          const answer = await getReport(
            service,
            admin,
            `transaction?per_page=100&sort_by=${column}&sort_order=${order}`,
          )
          return answer.json().data.map((swap: { id: number }) => swap.id)
        }),
      )
      expect(down).toEqual(up.toReversed())
      expect(up.length).toBeGreaterThan(3)
    }
  })

  test('as CSV has all rows that match, harmless to spreadsheets, and leaves an audit entry', async ({ service }) => {
    const { deps, given } = service
    const admin = await given.admin()
    const [requester, owner] = [
      await given.user({ name: '=cmd|calc' }),
      await given.user({ name: 'Eve "the" Owner, B' }),
    ]
    const offered = [
      await givenProduct(deps, requester, { title: '@SUM(A1)' }),
      await givenProduct(deps, requester, { title: 'A lamp' }),
    ]
    const proposal = { offered, requested: [await givenProduct(deps, owner, { title: 'two\nlines' })] }
    const { swap_id } = await commitAs(requester, deps, requestSwap, { proposal })
    const answer = await getReport(service, admin, `transaction?format=csv&user_id=${owner.userId}`)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
    })
    expect(answer.body.split('\n')[0]).toMatch(/^id,transaction_id,status,origin,turn,group_id,requester_id,/)
    expect(answer.body).toContain(`${swap_id},${swap_id},pending,request,owner,,${requester.userId},`)
    expect(answer.body).toContain(",'=cmd|calc,")
    expect(answer.body).toContain(',"Eve ""the"" Owner, B",')
    expect(answer.body).toContain(
      `,"${offered.join('; ')}","'@SUM(A1); A lamp",${proposal.requested[0]},"two\nlines",1,`,
    )
    const entries = await deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'transactions.export')
      .execute()
    expect(entries).toMatchObject([{ actor_id: admin.userId, entity: 'report' }])
    const whole = await getReport(service, admin, 'transaction?format=csv')
    const { summary } = (await getReport(service, admin, 'transaction')).json()
    expect(whole.body.match(/^\d+,/gm)).toHaveLength(summary.total)
  })
})
