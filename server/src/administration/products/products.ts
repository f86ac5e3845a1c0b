import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors, type Expected, isExpected, existing } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { AVAILABILITY_MOVES, changeAvailability } from '../../marketplace/products/availability.ts'
import {
  differing,
  nextRevision,
  refuseUnknownCategory,
  type ProductEdit,
  recordDecision,
} from '../../marketplace/products/moderation.ts'
import { categoryTree } from '../../marketplace/listings/listings.ts'
import { allProducts, countProductSwaps, type ProductFilter, type ProductPage } from './products-search.queries.ts'
import { updateProductRow, type Product, findProduct } from '../../marketplace/products/products.queries.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { findHistory, recordStateChanges } from '../../marketplace/history/history.ts'
import { resolveProductReports } from '../../marketplace/reports/reports.ts'
import { listUndecidedReports } from '../../marketplace/reports/reports.queries.ts'
import { listDecisions } from '../../marketplace/products/moderation.queries.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import { publish } from '../../marketplace/events/publish.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'

export type ProductQuery = Omit<ProductFilter, 'categoryIds'> & {
  /** Slug or id; those below it count too. */
  category?: string | undefined
}

/** 422 for an unknown category (decision C9). */
export async function listProducts(source: ListSource, { category, ...query }: ProductQuery, page: ProductPage) {
  const categoryIds = category === undefined ? undefined : await categoryTree(source.db, category)
  return allProducts.page(source, { filter: { ...query, categoryIds }, page })
}

/** Changes fields other than the verification (decision C9); nothing different changes no version. 409 INVALID_STATE
 * for an impossible status, 412 for another version, 422 for an unknown category. */
export async function updateProduct(
  work: Work,
  { productId, edit, expected }: { productId: number; edit: ProductEdit; expected: Expected },
): Promise<DetailedProduct> {
  const { tx } = work
  const { status, ...content } = edit
  const found =
    status === 'removed'
      ? await releaseProduct(work, { productId, expected, reason: 'product_removed' })
      : await lockVersion(tx, productId, expected)
  const { before, product } = await changeContent(work, found, content)
  if (status !== undefined && status !== product.status) {
    await moveByAdministrator(work, product, status)
    before['status'] = product.status
  }
  const changed = Object.keys(before)
  if (changed.length > 0) {
    const after = Object.fromEntries(changed.map((name) => [name, edit[name as keyof ProductEdit]]))
    const change = { before, after, subjectId: product.user_id }
    await work.audit({ action: 'product.update', entity: 'product', entityId: productId, change })
  }
  return detailedProduct(tx, productId)
}

async function changeContent(
  work: Work,
  product: Product,
  edit: Omit<ProductEdit, 'status'>,
): Promise<{ before: Record<string, unknown>; product: Product }> {
  await refuseUnknownCategory(work.tx, edit.category_id)
  const changed = differing(product, edit)
  if (changed.length === 0) return { before: {}, product }
  const change = Object.fromEntries(changed.map((name) => [name, edit[name]]))
  const next = { ...change, ...nextRevision(product, changed), updated_at: work.now() }
  const before = Object.fromEntries(changed.map((name) => [name, product[name]]))
  return { before, product: await updateProductRow(work.tx, product.product_id, next) }
}

/** Only swaps reserve a product, give it away or give it back. */
function mayMoveByHand(from: ProductStatus, to: ProductStatus): boolean {
  const isOfSwap = to === 'reserved' || to === 'swapped' || (from === 'reserved' && to === 'active')
  return AVAILABILITY_MOVES[from].includes(to) && !isOfSwap
}

async function moveByAdministrator(work: Work, product: Product, to: ProductStatus): Promise<void> {
  const { product_id: productId, status: from } = product
  if (!mayMoveByHand(from, to))
    throw errors.invalidState(`Product ${productId} is ${from}; an administrator cannot make it ${to}.`)
  if (to === 'removed') return removeFreed(work, product, { note: null })
  await changeAvailability(work, { productIds: [productId], to, actor: 'administrator' })
  if (from === 'removed') await recordDecision(work, { product, action: 'restore' })
  if (from === 'draft') await updateProductRow(work.tx, productId, { submitted_at: work.now() })
}

const DECISIONS_SHOWN = 50

/** 404 also for a deleted one, unless `withDeleted`. */
export async function detailedProduct(db: Db | Tx, productId: number, { withDeleted = false } = {}) {
  const [product] = await allProducts.byIds(db, [productId])
  if (product === undefined || (product.deleted_at !== null && !withDeleted)) throw errors.notFound('This product')
  // They are read one after the other, because in a transaction they share a connection.
  const decisions = await listDecisions(db, productId, DECISIONS_SHOWN)
  const reports = await listUndecidedReports(db, productId)
  const swaps = await countProductSwaps(db, productId)
  const status = await findHistory(db, 'product', productId)
  const verification = await findHistory(db, 'verification', productId)
  return { product, swaps, reports, decisions, history: { status, verification } }
}

export type DetailedProduct = Awaited<ReturnType<typeof detailedProduct>>

/** Gives the product locked; 412 with it for another version. */
async function lockVersion(tx: Tx, productId: number, expected: Expected): Promise<Product> {
  const product = await lockProduct(tx, productId)
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await detailedProduct(tx, productId))
  return product
}

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
