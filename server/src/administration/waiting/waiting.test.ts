import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { openPhone } from '../../../test/support/phone.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import { raiseAlert, resolveAlert } from '../../push/records/alerts.queries.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { KINDS } from './waiting.ts'

type Waiting = { kind: string; count: number; oldest_at: string | null }

async function waitingFor(panel: Panel): Promise<Record<string, Waiting>> {
  const { data } = (await panel.get('/waiting')).json<{ data: Waiting[] }>()
  return Object.fromEntries(data.map((waiting) => [waiting.kind, waiting]))
}

async function readTotal(panel: Panel, list: string): Promise<number> {
  return (await panel.get(list)).json<{ pagination: { total_items: number } }>().pagination.total_items
}

describe('what waits', () => {
  test('is as much as the list of each kind has, since the oldest of it', async ({ service }) => {
    const { deps, given, clock } = service
    const began = fromNow(clock).toISOString()
    const owner = await given.user()
    const product = await givenProduct(deps, owner, { verification: 'pending' })
    await givenReport(deps, { productId: product, reporterId: (await given.user()).userId })
    const { swapId, requester, owner: other } = await givenProposal(service)
    await openPhone(service, other).post(`/api/v1/swaps/${swapId}/accept`)
    await openPhone(service, requester).post(`/api/v1/swaps/${swapId}/dispute`, { reason: 'It is broken.' })
    const about = { reason: 'harassment' }
    expect(await openPhone(service, requester).post(`/api/v1/users/${other.userId}/report`, about)).toMatchObject({
      status: 201,
    })
    await raiseAlert(deps.db, { code: 'ProviderUnavailable', detail: 'It is down.' }, fromNow(clock))
    await clock.tick(60_000)
    const admin = await givenPanel(service, 'admin')
    const waiting = await waitingFor(admin)
    expect(Object.keys(waiting)).toEqual([...KINDS])
    for (const [kind, list] of [
      ['verification', '/add-product-verification'],
      ['product_reports', '/report/reported-product/all?status=open,in_review'],
      ['user_reports', '/report/reported-users?status=open,in_review'],
      ['disputes', '/disputes'],
    ] as const)
      expect(waiting[kind]).toEqual({ kind, count: await readTotal(admin, list), oldest_at: began })
    expect(waiting).toMatchObject({
      disputes: { count: 1 },
      alerts: { count: 1, oldest_at: began },
      halts: { count: 0, oldest_at: null },
      approvals: { count: 0, oldest_at: null },
    })
    await resolveAlert(deps.db, 'ProviderUnavailable', fromNow(clock))
  })

  test('has only the kinds of work that one may do', async ({ service }) => {
    expect(Object.keys(await waitingFor(await givenPanel(service, 'moderator')))).toEqual([
      'verification',
      'product_reports',
      'user_reports',
      'disputes',
    ])
    expect(await waitingFor(await givenPanel(service, 'analyst'))).toEqual({})
  })
})
