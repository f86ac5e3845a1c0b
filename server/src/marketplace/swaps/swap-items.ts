import type { SwapSide } from '../../platform/tables/marketplace-tables.ts'
import { errors, type FieldErrors } from '../../platform/shared/errors.ts'
import type { LockedProduct } from '../products/products.queries.ts'
import type { Sides } from './swap-items.queries.ts'

const MOST = 20

/** 422 unless each side gives 1 to 20 products, all its own, active, visible and not rejected, also while a rejected
 * one waits for its next verdict. */
export function refuseUnavailable(
  products: LockedProduct[],
  sides: Sides,
  people: Record<SwapSide, number | null>,
): void {
  const known = new Map(products.map((product) => [product.product_id, product]))
  const faults: FieldErrors = {
    offered: findFaults(sides.offered, known, people.requester),
    requested: findFaults(sides.requested, known, people.owner),
  }
  const named = Object.entries(faults).filter(([, messages]) => messages.length > 0)
  if (named.length > 0) throw errors.validation(Object.fromEntries(named))
}

function findFaults(productIds: number[], known: Map<number, LockedProduct>, ownerId: number | null): string[] {
  if (productIds.length === 0 || productIds.length > MOST) return [`must name 1 to ${MOST} products`]
  if (new Set(productIds).size < productIds.length) return ['must not contain a product twice']
  return productIds.flatMap((productId) => {
    const product = known.get(productId)
    if (product === undefined || product.deleted_at !== null || product.hidden_at !== null)
      return [noSuchProduct(productId)]
    if (product.user_id !== ownerId) return [`belongs to another: ${productId}`]
    return isAvailable(product) ? [] : [`is not available: ${productId}`]
  })
}

/** The product does not exist, or the caller may not see it. */
export function noSuchProduct(productId: number): string {
  return `no such product: ${productId}`
}

export function isAvailable({ status, verification, rejected_at, hidden_at, deleted_at }: LockedProduct): boolean {
  const isAccepted = verification !== 'rejected' && rejected_at === null
  return status === 'active' && isAccepted && hidden_at === null && deleted_at === null
}
