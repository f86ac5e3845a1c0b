import type { Deps } from '../../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
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
import { listOwn, type OwnRow, type OwnWanted } from './own-list.queries.ts'

type OwnDeps = AutomaticDeps & Pick<Deps, 'db'>
type Own = { userId: number; productId: number; expected: Expected }

/** Stores a product of a user, as a draft or submitted at once; gives it as its owner sees it. 422 as for a draft. */
export async function createOwn(
  deps: OwnDeps,
  tx: Tx,
  { userId, draft, isSubmitted }: { userId: number; draft: NewProduct; isSubmitted: boolean },
): Promise<ProductPage> {
  const { product_id: productId } = await draftOwnProduct(deps, tx, userId, draft)
  if (isSubmitted) await submitOwnProduct(deps, tx, { userId, productId })
  return productFor(tx, userId, productId)
}

/** What an owner does with a product besides editing it. */
export type OwnAction = 'submit' | 'pause' | 'resume'

/**
 * Submits, pauses or resumes a product of a user. 404 when it is not the user's, 409 INVALID_STATE when its state does
 * not allow it, 412 with the product when it has another version than those expected.
 */
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

/**
 * Edits a product of a user (`editOwnProduct`); 412 with the product when it has another version than those expected.
 */
export async function editOwn(
  deps: OwnDeps,
  tx: Tx,
  { edit, ...own }: Own & { edit: Omit<ProductEdit, 'status'> },
): Promise<ProductPage> {
  await expectVersion(tx, own)
  await editOwnProduct(deps, tx, { ...own, edit })
  return productFor(tx, own.userId, own.productId)
}

/**
 * Deletes a product of a user: proposals with it are closed, and their other sides told (decision C9). Reports about it
 * stay for the moderators. 404 when it is not the user's, 409 INVALID_STATE while it is promised in a swap, 412 with
 * the product when it has another version than those expected.
 */
export async function deleteOwn(deps: OwnDeps, tx: Tx, own: Own): Promise<{ productId: number }> {
  const { userId, productId } = own
  // Before any lock: nobody locks what belongs to others.
  if ((await productFor(tx, userId, productId)).own === null) throw errors.notFound('This product')
  // With the products that it is to be swapped for, before any other lock.
  await lockForInvalidation(tx, { productIds: [productId] })
  const { status } = await expectVersion(tx, own)
  if (status === 'reserved')
    throw errors.invalidState(`Product ${productId} is promised in a swap. Cancel or complete the swap first.`)
  const reason = 'product_deleted'
  await invalidateSwaps(deps, tx, { productIds: [productId], reason, actor: 'user', actorId: userId })
  const at = fromNow(deps.clock)
  await deleteOwnRow(tx, productId, at)
  await recordStateChanges(tx, [
    {
      entity: 'product',
      entity_id: productId,
      user_id: userId,
      from_state: status,
      to_state: 'deleted',
      actor: 'user',
      actor_id: userId,
      note: null,
      at,
    },
  ])
  return { productId }
}

/** A user's own products after a cursor, newest first, one more than the limit when there are more. */
export function ownProducts(db: Db, wanted: OwnWanted): Promise<OwnRow[]> {
  return listOwn(db, wanted)
}

async function expectVersion(tx: Tx, { expected, ...own }: Own) {
  const product = await lockOwn(tx, own)
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await productFor(tx, own.userId, own.productId))
  return product
}
