import type { Tx } from '../../platform/db/connect.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Expected } from '../../platform/shared/versions.ts'
import { recordAudit, THE_SERVICE, type Actor } from '../../platform/audit/audit.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { AVAILABILITY_MOVES, changeAvailability } from '../../marketplace/products/availability.ts'
import { detailedProduct, lockVersion, type DetailedProduct } from './details.ts'
import { differing, nextRevision, refuseUnknownCategory, type ProductEdit } from '../../marketplace/products/edits.ts'
import { recordDecision } from '../../marketplace/products/moderation.ts'
import { categoryTree } from '../../marketplace/listings/listings.ts'
import { listProductRows } from './products-list.queries.ts'
import { findProducts, type ProductFilter, type ProductPage } from './products-search.queries.ts'
import { updateProductRow, type Product } from '../../marketplace/products/products.queries.ts'
import { releaseProduct, removeFreed } from './removal.ts'

type ProductDeps = Ground

export type ProductsWanted = Omit<ProductFilter, 'categoryIds'> & {
  /** Slug or id; those below it count too. */
  category?: string | undefined
}

/** 422 for an unknown category (decision C9). */
export async function listProducts(source: ListSource, { category, ...wanted }: ProductsWanted, page: ProductPage) {
  const categoryIds = category === undefined ? undefined : await categoryTree(source.db, category)
  const filter = { ...wanted, categoryIds }
  const { ids, ...found } = await findProducts(source, filter, page)
  return { rows: await listProductRows(source.db, ids), ...found }
}

/** Changes fields other than the verification (decision C9); nothing different changes no version. 409 INVALID_STATE
 * for an impossible status, 412 for another version, 422 for an unknown category. */
export async function updateProduct(
  deps: ProductDeps,
  tx: Tx,
  actor: Actor,
  { productId, edit, expected }: { productId: number; edit: ProductEdit; expected: Expected },
): Promise<DetailedProduct> {
  const { status, ...content } = edit
  const actorId = actor.userId
  const found =
    status === 'removed'
      ? await releaseProduct(deps, tx, { productId, expected, actorId, reason: 'product_removed' })
      : await lockVersion(tx, productId, expected)
  const at = fromNow(deps.clock)
  const { before, product } = await changeContent(tx, found, content, at)
  if (status !== undefined && status !== product.status) {
    await moveByAdministrator(deps, tx, product, status, { actorId, at })
    before['status'] = product.status
  }
  const changed = Object.keys(before)
  if (changed.length > 0) {
    const after = Object.fromEntries(changed.map((name) => [name, edit[name as keyof ProductEdit]]))
    await recordAudit(tx, deps, actor, {
      action: 'product.update',
      entity: 'product',
      entityId: productId,
      change: { before, after, subjectId: product.user_id },
    })
  }
  return detailedProduct(tx, productId)
}

/** `before`: what the changed fields were. */
async function changeContent(
  tx: Tx,
  product: Product,
  edit: Omit<ProductEdit, 'status'>,
  at: Date,
): Promise<{ before: Record<string, unknown>; product: Product }> {
  await refuseUnknownCategory(tx, edit.category_id)
  const changed = differing(product, edit)
  if (changed.length === 0) return { before: {}, product }
  const change = Object.fromEntries(changed.map((name) => [name, edit[name]]))
  const next = { ...change, ...nextRevision(product, changed), updated_at: at }
  const before = Object.fromEntries(changed.map((name) => [name, product[name]]))
  return { before, product: await updateProductRow(tx, product.product_id, next) }
}

/** Only swaps reserve a product, give it away or give it back. */
function mayMoveByHand(from: ProductStatus, to: ProductStatus): boolean {
  const isOfSwap = to === 'reserved' || to === 'swapped' || (from === 'reserved' && to === 'active')
  return AVAILABILITY_MOVES[from].includes(to) && !isOfSwap
}

async function moveByAdministrator(
  deps: ProductDeps,
  tx: Tx,
  product: Product,
  to: ProductStatus,
  { actorId, at }: { actorId: number | null; at: Date },
): Promise<void> {
  const productId = product.product_id
  if (!mayMoveByHand(product.status, to))
    throw errors.invalidState(`Product ${productId} is ${product.status}; an administrator cannot make it ${to}.`)
  if (to === 'removed') return removeFreed(deps, tx, product, { note: null, actorId, at })
  const work = workIn(deps, tx, { ...THE_SERVICE, userId: actorId })
  await changeAvailability(work, { productIds: [productId], to, actor: 'administrator' })
  if (product.status === 'removed') await recordDecision(work, { product, action: 'restore' })
  if (product.status === 'draft') await updateProductRow(tx, productId, { submitted_at: at })
}
