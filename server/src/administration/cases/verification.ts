import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import { errors, isExpected, type Expected } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { publish, type MarketplaceEvent } from '../../marketplace/events/publish.ts'
import {
  changedFields,
  changeVerification,
  recordDecision,
  findStanding,
} from '../../marketplace/products/moderation.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import { resolveProductReports } from '../../marketplace/reports/reports.ts'
import { detailedProduct, type DetailedProduct, listProducts, type ProductQuery } from '../products/products.ts'
import type { ProductPage } from '../products/products-search.queries.ts'
import { refuseHeldByOther } from './desk.ts'

export const REASONS = [
  'prohibited_item',
  'counterfeit',
  'misleading',
  'unclear_photos',
  'incomplete_description',
  'wrong_category',
  'offensive',
  'duplicate',
  'unsafe',
  'other',
] as const

export type Waiting = Awaited<ReturnType<typeof listQueue>>['rows'][number]

/** 422 for an unknown category (decision C10). */
export async function listQueue(
  deps: ListSource & { clock: Clock },
  filter: Omit<ProductQuery, 'deleted' | 'isWaiting'>,
  page: ProductPage,
) {
  const waiting = { ...filter, deleted: 'exclude', isWaiting: true } as const
  const { rows: products, ...found } = await listProducts(deps, waiting, page)
  const ids = products.map((product) => product.product_id)
  const standing = await findStanding(deps.db, ids)
  const rows = products.map((product) => {
    const { decision, verified } = standing.get(product.product_id) ?? {}
    const waitedMs = Math.max(0, deps.clock.now() - product.submitted_at.getTime())
    return { product, waitedMs, decision, verified, changed: changedFields(product, verified) }
  })
  return { rows, ...found }
}

/** `revision`: of what the product says; absent: any. */
type Judged = { recordId: number; expected: Expected; revision?: number | undefined; note: string | null }
type Refusal = { verdict: 'rejected' | 'changes_requested'; reasonCode: (typeof REASONS)[number]; message: string }
export type Verification = Judged & ({ verdict: 'verified' } | Refusal)

const ACTIONS = { verified: 'verify', rejected: 'reject', changes_requested: 'request_changes' } as const

/** A rejection also ends the product's undecided reports; verifying again changes nothing (decision C10). 409
 * INVALID_STATE when it cannot be judged, 409 CONFLICT while another moderator looks at it, 412 with the product
 * when the moderator saw another. */
export async function decideVerification(work: Work, decision: Verification): Promise<DetailedProduct> {
  const { tx } = work
  const { recordId: productId, verdict: to, note, expected } = decision
  const product = await lockProduct(tx, productId)
  const { status, version, revision, user_id: ownerId, verification } = product
  if (status === 'draft' || status === 'swapped' || status === 'removed')
    throw errors.invalidState(`Product ${productId} is ${status}, so no decision is possible.`)
  await refuseHeldByOther(work, { desk: 'verification', productId })
  if (verification === 'verified' && to === 'verified') return detailedProduct(tx, productId)
  if (!isExpected(expected, version) || (decision.revision ?? revision) !== revision)
    throw errors.staleVersion(await detailedProduct(tx, productId))
  const { reasonCode = null, message = null } = decision.verdict === 'verified' ? {} : decision
  const changed = await changeVerification(work, { product, to, actor: 'administrator', note: reasonCode })
  if (to === 'rejected') await resolveProductReports(work, { productId, resolution: 'rejected', note })
  const [messageId = null] = await publish(work, [toEvent(decision, ownerId)])
  await recordDecision(work, { product: changed, action: ACTIONS[to], reasonCode, message, note, messageId })
  const words = { ...(reasonCode !== null && { reason_code: reasonCode, message }), ...(note !== null && { note }) }
  await work.audit({
    action: `product.${ACTIONS[to]}`,
    entity: 'product',
    entityId: productId,
    change: { before: { verification }, after: { verification: to, ...words }, subjectId: ownerId },
  })
  return detailedProduct(tx, productId)
}

/** Tells the owner in the moderator's words where there are any (spec: system notification). */
function toEvent(decision: Verification, ownerId: number): MarketplaceEvent {
  const { recordId: productId } = decision
  const owner = { by: null, recipients: [ownerId] }
  if (decision.verdict === 'verified') return { name: 'product.verified', facts: { productId }, ...owner }
  const { verdict: to, reasonCode, message } = decision
  return { name: 'product.refused', facts: { productId, to, reasonCode, message }, ...owner }
}
