import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/expected-version.ts'
import type { Work } from '../../platform/work/work.ts'
import { publish } from '../../marketplace/events/publish.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { resolveProductReports } from '../../marketplace/reports/reports.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'
import { changeAvailability } from '../../marketplace/products/availability.ts'
import { detailedProduct } from './details.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import { recordDecision } from '../../marketplace/products/moderation.ts'
import { findProduct, updateProductRow, type Product } from '../../marketplace/products/products.queries.ts'

/** Invalidates its open swaps, ends its undecided reports, hides it from all but the audit log, and tells its owner
 * (decision C9). 412 for another version. */
export async function deleteProduct(
  work: Work,
  { productId, reason: note, expected }: { productId: number; reason: string | null; expected: Expected },
): Promise<{ id: number; deleted_at: Date }> {
  const { tx } = work
  const product = await releaseProduct(work, { productId, expected, reason: 'product_deleted' })
  const { user_id, status: from_state } = product
  const at = work.now()
  await updateProductRow(tx, productId, { deleted_at: at, updated_at: at })
  const by = { actor: 'administrator', note } as const
  await recordStateChanges(work, [
    { entity: 'product', entity_id: productId, user_id, from_state, to_state: 'deleted', ...by },
  ])
  await resolveProductReports(work, { productId, resolution: 'deleted', note })
  await publish(work, [{ name: 'product.deleted', facts: { productId }, by: null, recipients: [user_id] }])
  const change = { before: { deleted_at: null }, after: { deleted_at: at, reason: note }, subjectId: user_id }
  await work.audit({ action: 'product.delete', entity: 'product', entityId: productId, change })
  return { id: productId, deleted_at: at }
}

/** Closes a product's open swaps and locks it: the first step of taking it away. Products are locked before anything
 * changes, so the version is checked once before and once after. */
export async function releaseProduct(
  work: Work,
  { productId, expected, reason }: { productId: number; expected?: Expected; reason: string },
): Promise<Product> {
  const { tx } = work
  const found = existing(await findProduct(tx, productId), 'This product')
  if (!isExpected(expected, found.version)) throw errors.staleVersion(await detailedProduct(tx, productId))
  await invalidateSwaps(work, { productIds: [productId], reason, actor: 'administrator' })
  const product = await lockProduct(tx, productId)
  const steps = found.status === 'reserved' && product.status === 'active' ? 1 : 0
  if (!isExpected(expected, product.version - steps)) throw errors.staleVersion(await detailedProduct(tx, productId))
  return product
}

/** Takes a product that `releaseProduct` gave off the market, ends its undecided reports and tells its owner (spec:
 * system notification). 409 INVALID_STATE when it is removed already. */
export async function removeFreed(
  work: Work,
  product: Product,
  { note, message }: { note: string | null; message?: string },
): Promise<void> {
  const { product_id: productId, user_id: ownerId } = product
  await changeAvailability(work, { productIds: [productId], to: 'removed', actor: 'administrator', note })
  await recordDecision(work, { product, action: 'remove', note })
  await resolveProductReports(work, { productId, resolution: 'removed', note })
  const facts = { productId, ...(message !== undefined && { message }) }
  await publish(work, [{ name: 'product.removed', facts, by: null, recipients: [ownerId] }])
}
