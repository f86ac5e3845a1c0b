import type { ListSource } from '../../platform/lists/search.queries.ts'
import type { ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Expected } from '../../platform/shared/expected-version.ts'
import type { Work } from '../../platform/work/work.ts'
import { AVAILABILITY_MOVES, changeAvailability } from '../../marketplace/products/availability.ts'
import { detailedProduct, lockVersion, type DetailedProduct } from './details.ts'
import { differing, nextRevision, refuseUnknownCategory, type ProductEdit } from '../../marketplace/products/edits.ts'
import { recordDecision } from '../../marketplace/products/moderation.ts'
import { categoryTree } from '../../marketplace/listings/listings.ts'
import { allProducts, type ProductFilter, type ProductPage } from './products-search.queries.ts'
import { updateProductRow, type Product } from '../../marketplace/products/products.queries.ts'
import { releaseProduct, removeFreed } from './removal.ts'

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

/** `before`: what the changed fields were. */
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
