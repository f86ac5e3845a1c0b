import type { Tx } from '../../platform/db/connect.ts'
import type { MarketplaceDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { recordStateChanges } from '../history/history.ts'
import { changeAvailability } from './availability.ts'
import { differing, nextRevision, refuseUnknownCategory, type ProductEdit } from './edits.ts'
import { lockProduct } from './lock.ts'
import { changeVerification } from './moderation.ts'
import { insertProduct, updateProductRow, type Product } from './products.queries.ts'

type OwnDeps = Pick<MarketplaceDeps, 'db' | 'clock'>
type Own = { userId: number; productId: number }

export type NewProduct = Pick<Product, 'title' | 'description' | 'category_id' | 'condition'> &
  Partial<Pick<Product, 'images' | 'wants' | 'city' | 'estimated_value_cents'>>

/** Nobody else sees a draft. 422 on a title or city that is not plain text of one line, and on an unknown category. */
export async function draftOwnProduct(deps: OwnDeps, tx: Tx, userId: number, draft: NewProduct): Promise<Product> {
  refuseFaultyText({ title: draft.title, city: draft.city }, 'line')
  const at = fromNow(deps.clock)
  await refuseUnknownCategory(tx, draft.category_id)
  const times = { submitted_at: at, created_at: at, updated_at: at }
  const product = await insertProduct(tx, { user_id: userId, images: [], ...draft, ...times })
  const by = { user_id: userId, actor: 'user', actor_id: userId, note: null, at } as const
  const made = { entity_id: product.product_id, from_state: null, ...by }
  await recordStateChanges(tx, [
    { ...made, entity: 'product', to_state: product.status },
    { ...made, entity: 'verification', to_state: product.verification },
  ])
  return product
}

/** Lists a draft, or puts a rejected or changed product at the end of the queue (decisions C9, C10). 409
 * INVALID_STATE when there is nothing to submit. */
export async function submitOwnProduct(deps: OwnDeps, tx: Tx, own: Own): Promise<Product> {
  const product = await lockOwn(tx, own)
  const at = fromNow(deps.clock)
  const by = { actor: 'user', actorId: own.userId, note: null, at } as const
  if (product.status === 'draft') {
    await changeAvailability(tx, { productIds: [own.productId], to: 'active', ...by })
    return updateProductRow(tx, own.productId, { submitted_at: at })
  }
  refuseUnlessEditable(product)
  if (product.verification === 'pending' || product.verification === 'verified')
    throw errors.invalidState(`Product ${own.productId} is already ${product.verification}.`)
  return changeVerification(tx, product, { to: 'pending', ...by, also: { submitted_at: at } })
}

/** An edit of what was verified waits for a verdict; others see the verified revision until then (decision C9). 409
 * INVALID_STATE while reserved, swapped or removed. */
export async function editOwnProduct(
  deps: OwnDeps,
  tx: Tx,
  { edit, ...own }: Own & { edit: Omit<ProductEdit, 'status'> },
): Promise<Product> {
  refuseFaultyText({ title: edit.title, city: edit.city }, 'line')
  const product = await lockOwn(tx, own)
  refuseUnlessEditable(product)
  await refuseUnknownCategory(tx, edit.category_id)
  const changed = differing(product, edit)
  if (changed.length === 0) return product
  const at = fromNow(deps.clock)
  const next = nextRevision(product, changed)
  const change = { ...Object.fromEntries(changed.map((name) => [name, edit[name]])), ...next }
  if (product.verification !== 'verified' || next.revision === undefined)
    return updateProductRow(tx, own.productId, { ...change, updated_at: at })
  const by = { actor: 'user', actorId: own.userId, note: null, at } as const
  return changeVerification(tx, product, { to: 'pending', ...by, also: { ...change, submitted_at: at } })
}

/** 409 INVALID_STATE unless active, or paused. */
export async function pauseOwnProduct(
  deps: OwnDeps,
  tx: Tx,
  { isPaused, ...own }: Own & { isPaused: boolean },
): Promise<Product> {
  const product = await lockOwn(tx, own)
  const { status } = product
  const [from, to] = isPaused ? (['active', 'paused'] as const) : (['paused', 'active'] as const)
  if (status !== from) throw errors.invalidState(`Product ${own.productId} is ${status}.`)
  const by = { actor: 'user', actorId: own.userId, note: null, at: fromNow(deps.clock) } as const
  await changeAvailability(tx, { productIds: [own.productId], to, ...by })
  return lockOwn(tx, own)
}

/** The caller holds it locked and has closed its open swaps. */
export async function deleteOwnRow(tx: Tx, productId: number, at: Date): Promise<void> {
  await updateProductRow(tx, productId, { deleted_at: at, updated_at: at })
}

/** 404 unless the user's own. */
export async function lockOwn(tx: Tx, { userId, productId }: Own): Promise<Product> {
  const product = await lockProduct(tx, productId)
  if (product.user_id !== userId) throw errors.notFound('This product')
  return product
}

function refuseUnlessEditable({ product_id, status }: Product): void {
  if (status === 'reserved' || status === 'swapped' || status === 'removed')
    throw errors.invalidState(`Product ${product_id} is ${status}.`)
}
