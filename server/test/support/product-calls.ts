import type { Call } from './calls.ts'
import type { GivenUser } from './given.ts'
import { givenProduct } from './marketplace.ts'
import { givenReport } from './product-reports.ts'
import type { Service } from './service.ts'

/** A product that waits for verification, two reports about another one, one about a third; a decision that waits. */
export type ProductWorld = {
  productId: number
  reportedId: number
  reportIds: [number, number]
  deskId: number
  decisionId: number
}

export async function givenProductWorld(
  { app, deps, given }: Service,
  owner: GivenUser,
  { headers }: GivenUser,
): Promise<ProductWorld> {
  const [first, second] = [await given.user(), await given.user()]
  const productId = await givenProduct(deps, owner, { verification: 'pending' })
  const reportedId = await givenProduct(deps, owner)
  const report = (reporter: GivenUser) => givenReport(deps, { productId: reportedId, reporterId: reporter.userId })
  const deskId = await givenProduct(deps, owner)
  await givenReport(deps, { productId: deskId, reporterId: first.userId })
  const decidedId = await givenProduct(deps, owner, { verification: 'pending' })
  const url = `/api/admin/v1/mark-product-verified/${decidedId}?undoable=true`
  const decisionId = (await app.inject({ method: 'POST', url, headers })).json<{ data: { id: number } }>().data.id
  return { productId, reportedId, deskId, decisionId, reportIds: [await report(first), await report(second)] }
}

/** The calls of products, their verification and their reports. */
export function createProductCalls({
  productId,
  reportedId,
  reportIds,
  deskId,
  decisionId,
}: ProductWorld): Record<string, Call> {
  const admin = '/api/admin/v1'
  const reports = `${admin}/report/reported-product`
  const [first, second] = reportIds
  const verdict = { reason_code: 'unclear_photos', message: 'Please take photos by daylight.' }
  return {
    [`GET ${admin}/products/:id`]: { method: 'GET', url: `${admin}/products/${productId}`, status: 200 },
    [`PATCH ${admin}/product-update`]: {
      method: 'PATCH',
      url: `${admin}/product-update`,
      payload: { id: productId, title: 'Another title' },
      status: 200,
    },
    [`POST ${admin}/request-product-changes/:id`]: {
      method: 'POST',
      url: `${admin}/request-product-changes/${productId}`,
      payload: verdict,
      status: 200,
    },
    [`POST ${admin}/reject-product/:id`]: {
      method: 'POST',
      url: `${admin}/reject-product/${productId}`,
      payload: verdict,
      status: 200,
    },
    [`POST ${admin}/mark-product-verified/:id`]: {
      method: 'POST',
      url: `${admin}/mark-product-verified/${productId}`,
      status: 200,
    },
    [`POST ${admin}/desk/verification/:product_id`]: {
      method: 'POST',
      url: `${admin}/desk/verification/${reportedId}`,
      status: 200,
    },
    [`DELETE ${admin}/desk/verification/:product_id`]: {
      method: 'DELETE',
      url: `${admin}/desk/verification/${reportedId}`,
      status: 200,
    },
    [`POST ${admin}/desk/reports/:product_id`]: {
      method: 'POST',
      url: `${admin}/desk/reports/${productId}`,
      status: 200,
    },
    [`DELETE ${admin}/desk/reports/:product_id`]: {
      method: 'DELETE',
      url: `${admin}/desk/reports/${productId}`,
      status: 200,
    },
    [`POST ${admin}/decisions/:id/undo`]: { method: 'POST', url: `${admin}/decisions/${decisionId}/undo`, status: 200 },
    [`GET ${reports}/:product_id`]: { method: 'GET', url: `${reports}/${reportedId}`, status: 200 },
    [`POST ${reports}/:product_id/decide`]: {
      method: 'POST',
      url: `${reports}/${deskId}/decide`,
      payload: { action: 'warn_owner', note: 'The photo is of another thing.' },
      status: 200,
    },
    [`POST ${reports}/:report_id/assign`]: { method: 'POST', url: `${reports}/${first}/assign`, status: 200 },
    [`POST ${reports}/:report_id/dismiss`]: { method: 'POST', url: `${reports}/${first}/dismiss`, status: 200 },
    [`POST ${reports}/:report_id/resolve`]: {
      method: 'POST',
      url: `${reports}/${second}/resolve`,
      payload: { action: 'other', note: 'Talked to the owner.' },
      status: 200,
    },
    [`DELETE ${admin}/product/:id`]: { method: 'DELETE', url: `${admin}/product/${productId}`, status: 200 },
  }
}
