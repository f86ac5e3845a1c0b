import type { MarketplaceDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import type { Ground } from '../../platform/work/work.ts'
import { recordStateChanges } from '../history/history.ts'
import { productFor, type ProductPage } from '../listings/product-page.ts'
import type { ProductEdit } from '../products/edits.ts'
import {
  deleteOwnRow,
  draftOwnProduct,
  editOwnProduct,
  lockOwn,
  pauseOwnProduct,
  submitOwnProduct,
  type NewProduct,
} from '../products/own-products.ts'
import { invalidateSwaps, lockForInvalidation } from '../swaps/invalidate.ts'

type OwnDeps = Ground & Pick<MarketplaceDeps, 'db'>
type Own = { userId: number; productId: number; expected: Expected }

export async function createOwn(
  deps: OwnDeps,
  tx: Tx,
  { userId, draft, isSubmitted }: { userId: number; draft: NewProduct; isSubmitted: boolean },
): Promise<ProductPage> {
  const { product_id: productId } = await draftOwnProduct(deps, tx, userId, draft)
  if (isSubmitted) await submitOwnProduct(deps, tx, { userId, productId })
  return productFor(tx, userId, productId)
}

export type OwnAction = 'submit' | 'pause' | 'resume'

/** 404 unless the user's own, 409 INVALID_STATE when its state does not allow it, 412 with the product for another
 * version. */
export async function actOnOwn(
  deps: OwnDeps,
  tx: Tx,
  { action, ...own }: Own & { action: OwnAction },
): Promise<ProductPage> {
  await expectVersion(tx, own)
  if (action === 'submit') await submitOwnProduct(deps, tx, own)
  else await pauseOwnProduct(deps, tx, { ...own, isPaused: action === 'pause' })
  return productFor(tx, own.userId, own.productId)
}

/** 412 with the product for another version; else as `editOwnProduct`. */
export async function editOwn(
  deps: OwnDeps,
  tx: Tx,
  { edit, ...own }: Own & { edit: Omit<ProductEdit, 'status'> },
): Promise<ProductPage> {
  await expectVersion(tx, own)
  await editOwnProduct(deps, tx, { ...own, edit })
  return productFor(tx, own.userId, own.productId)
}

/** Deletes a product: its proposals are closed and their other sides told (decision C9); reports about it stay. 409
 * INVALID_STATE while it is promised in a swap, 412 with the product for another version. */
export async function deleteOwn(deps: OwnDeps, tx: Tx, own: Own): Promise<{ productId: number }> {
  const { userId, productId } = own
  // This comes before any lock, because nobody locks what belongs to others.
  if ((await productFor(tx, userId, productId)).own === null) throw errors.notFound('This product')
  // This lock comes before any other, with those of the products that it is to be swapped for.
  await lockForInvalidation(tx, { productIds: [productId] })
  const { status } = await expectVersion(tx, own)
  if (status === 'reserved')
    throw errors.invalidState(`Product ${productId} is reserved for a swap. Cancel or complete the swap first.`)
  const reason = 'product_deleted'
  await invalidateSwaps(deps, tx, { productIds: [productId], reason, actor: 'user', actorId: userId })
  const at = fromNow(deps.clock)
  await deleteOwnRow(tx, productId, at)
  const by = { user_id: userId, actor: 'user', actor_id: userId, note: null, at } as const
  await recordStateChanges(tx, [
    { entity: 'product', entity_id: productId, from_state: status, to_state: 'deleted', ...by },
  ])
  return { productId }
}

async function expectVersion(tx: Tx, { expected, ...own }: Own) {
  const product = await lockOwn(tx, own)
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await productFor(tx, own.userId, own.productId))
  return product
}
