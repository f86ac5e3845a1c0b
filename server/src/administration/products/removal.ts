import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, THE_SERVICE, type Actor } from '../../platform/audit/audit.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { publish } from '../../marketplace/events/publish.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { resolveReportsOf } from '../../marketplace/reports/reports.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'
import { changeAvailability } from '../../marketplace/products/availability.ts'
import { detailedProduct } from './details.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import { recordDecision } from '../../marketplace/products/moderation.ts'
import { findProduct, updateProductRow, type Product } from '../../marketplace/products/products.queries.ts'

type RemovalDeps = Ground

/** Invalidates its open swaps, ends its undecided reports, hides it from all but the audit log, and tells its owner
 * (decision C9).
 * 412 for another version. */
export async function deleteProduct(
  deps: RemovalDeps,
  tx: Tx,
  actor: Actor,
  { productId, reason, expected }: { productId: number; reason: string | null; expected: Expected },
): Promise<{ productId: number; deletedAt: Date }> {
  const actorId = actor.userId
  const at = fromNow(deps.clock)
  const product = await releaseProduct(deps, tx, { productId, expected, actorId, reason: 'product_deleted' })
  await updateProductRow(tx, productId, { deleted_at: at, updated_at: at })
  const { user_id, status: from_state } = product
  const work = workIn(deps, tx, actor)
  const by = { actor: 'administrator', note: reason } as const
  await recordStateChanges(work, [
    { entity: 'product', entity_id: productId, user_id, from_state, to_state: 'deleted', ...by },
  ])
  await resolveReportsOf(work, { productId, resolution: 'deleted', note: reason })
  await publish(work, [{ name: 'product.deleted', facts: { productId }, by: null, told: [user_id] }])
  await recordAudit(tx, deps, actor, {
    action: 'product.delete',
    entity: 'product',
    entityId: productId,
    change: { before: { deleted_at: null }, after: { deleted_at: at, reason }, subjectId: product.user_id },
  })
  return { productId, deletedAt: at }
}

/** Closes a product's open swaps and locks it: the first step of taking it away. Products are locked before anything
 * changes, so the version is checked once before and once after. */
export async function releaseProduct(
  deps: Ground,
  tx: Tx,
  free: { productId: number; expected: Expected; actorId: number | null; reason: string },
): Promise<Product> {
  const { productId, expected, actorId, reason } = free
  const seen = existing(await findProduct(tx, productId), 'This product')
  if (!isExpected(expected, seen.version)) throw errors.staleVersion(await detailedProduct(tx, productId))
  const work = workIn(deps, tx, { ...THE_SERVICE, userId: actorId })
  await invalidateSwaps(work, { productIds: [productId], reason, actor: 'administrator' })
  const product = await lockProduct(tx, productId)
  const steps = seen.status === 'reserved' && product.status === 'active' ? 1 : 0
  if (!isExpected(expected, product.version - steps)) throw errors.staleVersion(await detailedProduct(tx, productId))
  return product
}

/** Takes a product that `releaseProduct` gave off the market, ends its undecided reports and tells its owner (spec:
 * system notification). 409 INVALID_STATE when it is removed already. */
export async function removeFreed(
  deps: Ground,
  tx: Tx,
  product: Product,
  { note, actorId, message }: { note: string | null; actorId: number | null; message?: string },
): Promise<void> {
  const productId = product.product_id
  const work = workIn(deps, tx, { ...THE_SERVICE, userId: actorId })
  await changeAvailability(work, { productIds: [productId], to: 'removed', actor: 'administrator', note })
  await recordDecision(work, { product, action: 'remove', note })
  await resolveReportsOf(work, { productId, resolution: 'removed', note })
  const facts = { productId, ...(message !== undefined && { message }) }
  await publish(work, [{ name: 'product.removed', facts, by: null, told: [product.user_id] }])
}
