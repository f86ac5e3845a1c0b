import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/expected-version.ts'
import { findHistory } from '../../marketplace/history/history.ts'
import { listUndecidedReports } from '../../marketplace/reports/reports.ts'
import { listDecisions } from '../../marketplace/products/moderation.queries.ts'
import { countProductSwaps } from './products-list.queries.ts'
import { allProducts } from './products-search.queries.ts'
import { lockProduct } from '../../marketplace/products/lock.ts'
import type { Product } from '../../marketplace/products/products.queries.ts'

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
export async function lockVersion(tx: Tx, productId: number, expected: Expected): Promise<Product> {
  const product = await lockProduct(tx, productId)
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await detailedProduct(tx, productId))
  return product
}
