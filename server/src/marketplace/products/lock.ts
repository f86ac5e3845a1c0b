import type { Tx } from '../../platform/db/connect.ts'
import { existing } from '../../platform/shared/errors.ts'
import { findProduct, lockRows, type LockedProduct, type Product } from './products.queries.ts'

/** Locks products until the transaction ends, deleted ones too. Every transaction that moves products, swaps or
 * reports, or proposes a swap, begins with it. Order of all locks: accounts, groups and pairs of people, products,
 * swaps, reports, counters, audit log; of one kind by id. */
export async function lockProducts(tx: Tx, productIds: number[]): Promise<LockedProduct[]> {
  return productIds.length === 0 ? [] : lockRows(tx, productIds)
}

/** 404 when there is none of that id or it is deleted. */
export async function lockProduct(tx: Tx, productId: number): Promise<Product> {
  await lockProducts(tx, [productId])
  return existing(await findProduct(tx, productId), 'This product')
}
