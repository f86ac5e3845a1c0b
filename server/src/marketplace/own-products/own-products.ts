import { errors, isExpected, type Expected } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import type { ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../history/history.ts'
import { productFor, type ProductPage } from '../listings/product-page.ts'
import { changeAvailability } from '../products/availability.ts'
import {
  differing,
  nextRevision,
  refuseUnknownCategory,
  type ProductContent,
  changeVerification,
} from '../products/moderation.ts'
import { lockProduct } from '../products/lock.ts'
import { insertProduct, updateProductRow, type Product } from '../products/products.queries.ts'
import { invalidateSwaps, lockForInvalidation } from '../swaps/invalidate.ts'

export type Own = { productId: number; expected?: Expected }

export type NewProduct = Partial<ProductContent> &
  Pick<ProductContent, 'title' | 'description' | 'category_id' | 'condition'> & { submit?: boolean }

/** Nobody else sees a draft; `submit` lists it at once. 422 on a title or city that is not plain text of one line, and
 * on an unknown category. */
export async function createOwnProduct(work: Work, { submit = false, ...draft }: NewProduct): Promise<Product> {
  refuseFaultyText({ title: draft.title, city: draft.city }, 'line')
  await refuseUnknownCategory(work.tx, draft.category_id)
  const userId = callerId(work)
  const at = work.now()
  const times = { submitted_at: at, created_at: at, updated_at: at }
  const product = await insertProduct(work.tx, { images: [], ...draft, ...times, user_id: userId })
  const { product_id: productId, status, verification } = product
  const made = { entity_id: productId, user_id: userId, from_state: null, actor: 'user' } as const
  await recordStateChanges(work, [
    { ...made, entity: 'product', to_state: status },
    { ...made, entity: 'verification', to_state: verification },
  ])
  return submit ? submitOwnProduct(work, { productId }) : product
}

/** Lists a draft, or puts a rejected or changed product at the end of the queue (decisions C9, C10). 404 unless one's
 * own, 409 INVALID_STATE when there is nothing to submit, 412 with the product for another version. */
export async function submitOwnProduct(work: Work, own: Own): Promise<Product> {
  const product = await lockOwn(work, own)
  const { product_id: productId, verification } = product
  const submitted_at = work.now()
  if (product.status === 'draft') {
    await changeAvailability(work, { productIds: [productId], to: 'active', actor: 'user' })
    return updateProductRow(work.tx, productId, { submitted_at })
  }
  refuseUnlessEditable(product)
  if (verification === 'pending' || verification === 'verified')
    throw errors.invalidState(`Product ${productId} is already ${verification}.`)
  return changeVerification(work, { product, to: 'pending', actor: 'user', also: { submitted_at } })
}

/** An edit of what was verified waits for a verdict; others see the verified revision until then (decision C9). 409
 * INVALID_STATE while reserved, swapped or removed; else as `createOwnProduct` and `submitOwnProduct`. */
export async function editOwnProduct(work: Work, { edit, ...own }: Own & { edit: Partial<ProductContent> }) {
  const product = await lockOwn(work, own)
  refuseFaultyText({ title: edit.title, city: edit.city }, 'line')
  refuseUnlessEditable(product)
  await refuseUnknownCategory(work.tx, edit.category_id)
  const changed = differing(product, edit)
  if (changed.length === 0) return product
  const at = work.now()
  const next = nextRevision(product, changed)
  const change = { ...Object.fromEntries(changed.map((name) => [name, edit[name]])), ...next }
  if (product.verification !== 'verified' || next.revision === undefined)
    return updateProductRow(work.tx, own.productId, { ...change, updated_at: at })
  return changeVerification(work, { product, to: 'pending', actor: 'user', also: { ...change, submitted_at: at } })
}

/** 409 INVALID_STATE unless active; else as `submitOwnProduct`. */
export function pauseOwnProduct(work: Work, own: Own): Promise<Product> {
  return changeStatus(work, own, { from: 'active', to: 'paused' })
}

/** 409 INVALID_STATE unless paused; else as `submitOwnProduct`. */
export function resumeOwnProduct(work: Work, own: Own): Promise<Product> {
  return changeStatus(work, own, { from: 'paused', to: 'active' })
}

async function changeStatus(work: Work, own: Own, { from, to }: Record<'from' | 'to', ProductStatus>) {
  const { product_id: productId, status } = await lockOwn(work, own)
  if (status !== from) throw errors.invalidState(`Product ${productId} is ${status}.`)
  await changeAvailability(work, { productIds: [productId], to, actor: 'user' })
  return lockProduct(work.tx, productId)
}

/** Its proposals are closed and their other sides told (decision C9); reports about it stay. 409 INVALID_STATE while
 * it is promised in a swap; else as `submitOwnProduct`. */
export async function deleteOwnProduct(work: Work, own: Own): Promise<Product> {
  const { productId } = own
  // This comes before any lock, because nobody locks what belongs to others.
  if ((await productFor(work.tx, callerId(work), productId)).own === null) throw errors.notFound('This product')
  // This lock comes before any other, with those of the products that it is to be swapped for.
  await lockForInvalidation(work.tx, { productIds: [productId] })
  const { status, user_id } = await lockOwn(work, own)
  if (status === 'reserved')
    throw errors.invalidState(`Product ${productId} is reserved for a swap. Cancel or complete the swap first.`)
  await invalidateSwaps(work, { productIds: [productId], reason: 'product_deleted', actor: 'user' })
  const at = work.now()
  const change = { entity: 'product', entity_id: productId, user_id, from_state: status, to_state: 'deleted' } as const
  await recordStateChanges(work, [{ ...change, actor: 'user' }])
  return updateProductRow(work.tx, productId, { deleted_at: at, updated_at: at })
}

export function presentProduct(work: Work, { product_id }: Pick<Product, 'product_id'>): Promise<ProductPage> {
  return productFor(work.tx, callerId(work), product_id)
}

async function lockOwn(work: Work, { productId, expected }: Own): Promise<Product> {
  const product = await lockProduct(work.tx, productId)
  if (product.user_id !== callerId(work)) throw errors.notFound('This product')
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await presentProduct(work, product))
  return product
}

function refuseUnlessEditable({ product_id, status }: Product): void {
  if (status === 'reserved' || status === 'swapped' || status === 'removed')
    throw errors.invalidState(`Product ${product_id} is ${status}.`)
}
