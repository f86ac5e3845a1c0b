import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findProduct, lockRows, type LockedProduct, type Product } from './products.queries.ts'

/**
 * Locks products until the transaction ends, deleted ones too, and gives those that exist. Every transaction that moves
 * products, swaps or reports, or proposes a swap, begins with it, for all products that it concerns at once.
 *
 * Locks are taken in this order, so that no two transactions wait for each other in a circle: accounts, groups and
 * pairs of people, products, swaps, reports, and at the end counters and the audit log. Of one kind they are taken in
 * the order of ids.
 *
 * There is one strength, `for no key update`: others still read the products, and store what refers to them.
 */
export async function lockProducts(tx: Tx, productIds: number[]): Promise<LockedProduct[]> {
  return productIds.length === 0 ? [] : lockRows(tx, productIds)
}

/** A product in full, locked as above. 404 when there is none of that id or it is deleted. */
export async function lockProduct(tx: Tx, productId: number): Promise<Product> {
  await lockProducts(tx, [productId])
  const product = await findProduct(tx, productId)
  if (product === undefined) throw errors.notFound('This product')
  return product
}
