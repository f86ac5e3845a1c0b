import { describe, expect } from 'vitest'
import { moveSwap } from '../src/marketplace/swaps/move.ts'
import { test } from './support/app.ts'
import { parseCsv } from './support/downloads.ts'
import type { GivenUser } from './support/given.ts'
import { givenProduct, givenProposal } from './support/marketplace.ts'
import { givenReport } from './support/product-reports.ts'
import { getReport, givenPlan, givenSubscription } from './support/report-calls.ts'
import type { Service } from './support/service.ts'
import { commitAs } from './support/commit.ts'

/** The reports that are also files, and what they have in place of their lists. */
const FILES: [path: string, lists: Record<string, string[]>][] = [
  ['transaction', { items: ['offered_ids', 'offered', 'requested_ids', 'requested'] }],
  ['subscription', {}],
  ['reported-product/all', { reasons: ['reasons'], reporters_sample: ['reporters_sample'] }],
]

describe('a report as a file', () => {
  test.for(FILES)('%s has each field of its JSON, with the same value', async ([path, lists], { service }) => {
    const admin = await givenWorld(service)
    const { data } = (await getReport(service, admin, path)).json<{ data: Record<string, unknown>[] }>()
    expect(data.length).toBeGreaterThan(1)
    const csv = (await getReport(service, admin, `${path}?format=csv`)).body
    const [header = [], ...lines] = parseCsv(csv)
    const cells = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index]])))
    const leaves = data.map((row) => toLeaves(row, Object.keys(lists)))
    const headings = [...new Set(leaves.flatMap((row) => Object.keys(row))), ...Object.values(lists).flat()]
    expect(header.toSorted()).toEqual(headings.toSorted())
    for (const [index, row] of leaves.entries()) expect(cells[index]).toMatchObject(row)
  })

  test.for(FILES)('%s has the rows of its JSON for the same range and filters', async ([path], { service }) => {
    const admin = await givenWorld(service)
    const zones = ['timezone=Pacific/Auckland', 'timezone=America/Los_Angeles', 'timezone=UTC']
    for (const zone of zones) {
      for (const range of ['start_date=2026-01-02', 'end_date=2026-01-02', 'start_date=2999-01-01', 'sort_order=asc']) {
        const query = `${path}?${range}&${zone}`
        const { pagination } = (await getReport(service, admin, query)).json()
        const lines = parseCsv((await getReport(service, admin, `${query}&format=csv`)).body)
        expect([query, lines.length - 1]).toEqual([query, pagination.total_items])
      }
    }
  })
})

test('a search that finds too many people is 422 and names the field', async ({ service }) => {
  const admin = await service.given.admin()
  await service.given.crowd(1_001)
  for (const path of ['report/transaction', 'report/subscription', 'audit-log']) {
    const answer = await service.app.inject({ url: `/api/admin/v1/${path}?search=crowd`, headers: admin.headers })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { search: ['finds more than 1000 people: be more specific'] },
    ])
    const few = await service.app.inject({ url: `/api/admin/v1/${path}?search=crowd-77`, headers: admin.headers })
    expect([few.statusCode, few.json().search_reach]).toEqual([200, 'anywhere'])
  }
})

/** Swaps, subscriptions and reports of which some fields are null and some people are purged. */
async function givenWorld(service: Service): Promise<GivenUser> {
  const { deps, given } = service
  const { swapId, owner } = await givenProposal(service)
  await commitAs(owner, deps, moveSwap, { swapId, move: 'accept' })
  const gone = await givenProposal(service)
  const times = [new Date('2026-01-01T23:30:00Z'), new Date('2026-01-02T12:00:00Z')] as const
  await deps.db.updateTable('swaps').set({ created_at: times[0] }).where('swap_id', '=', gone.swapId).execute()
  const plan = await givenPlan(deps, { price_cents: 500, currency: 'EUR', period: 'month' })
  await givenSubscription(deps, owner, { plan_id: plan, status: 'active', started_at: times[1] })
  await givenSubscription(deps, gone.requester, {
    plan_id: plan,
    status: 'expired',
    started_at: times[0],
    ended_at: times[1],
  })
  await deps.db.deleteFrom('users').where('user_id', '=', gone.requester.userId).execute()
  const product = await givenProduct(deps, owner, { title: '+49 30 1234', deleted_at: times[1] })
  await givenReport(deps, { productId: product, reporterId: gone.owner.userId, at: times[0] })
  await givenReport(deps, { productId: gone.requested, reporterId: owner.userId, status: 'dismissed', at: times[1] })
  return given.admin()
}

/** The fields of a record by both names where one is within another, as the text of a cell. */
function toLeaves(row: Record<string, unknown>, lists: string[], prefix = ''): Record<string, string> {
  const leaves = Object.entries(row).flatMap(([name, value]): [string, string][] => {
    if (lists.includes(name)) return []
    if (typeof value === 'object' && value !== null)
      return Object.entries(toLeaves(value as Record<string, unknown>, [], `${prefix}${name}_`))
    return [[prefix + name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)]]
  })
  return Object.fromEntries(leaves.filter(([name, text]) => text !== '' || !PEOPLE.includes(name)))
}

/** Objects that are null where their account is purged. */
const PEOPLE = ['requester', 'owner', 'user']
