import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { historyOf } from '../../marketplace/history/history.ts'
import { undecidedReportsOf } from '../../marketplace/product-reports/outcomes.ts'
import { listDecisions, type Decision } from '../../marketplace/products/moderation.queries.ts'
import { countSwapsOf, listProductRows, type ProductRow } from './products-list.queries.ts'
import { lockExisting } from '../../marketplace/products/edits.ts'
import type { Product } from '../../marketplace/products/products.queries.ts'

const DECISIONS_SHOWN = 50

/**
 * A product with all that administrators see of it; 404 when there is none of that id, or it is deleted and deleted ones
 * are not asked for.
 */
export async function productDetails(db: Db | Tx, productId: number, { withDeleted = false } = {}) {
  const [row] = await listProductRows(db, [productId])
  if (row === undefined || (row.deleted_at !== null && !withDeleted)) throw errors.notFound('This product')
  // One after the other: in a transaction they share a connection.
  const decisions = await listDecisions(db, productId, DECISIONS_SHOWN)
  const reports = await undecidedReportsOf(db, productId)
  const swaps = await countSwapsOf(db, productId)
  const availability = await historyOf(db, 'product', productId)
  const verification = await historyOf(db, 'verification', productId)
  return {
    ...toProduct(row),
    swaps,
    reports,
    moderation: decisions.map(toDecision),
    history: { status: availability.map(toChange), verification: verification.map(toChange) },
  }
}

export type ProductDetails = Awaited<ReturnType<typeof productDetails>>

/**
 * A product, locked until the transaction ends. 404 when there is none of that id or it is deleted; 412 with the product as
 * it is when it has another version than those expected.
 */
export async function lockProduct(tx: Tx, productId: number, expected: Expected): Promise<Product> {
  const product = await lockExisting(tx, productId)
  if (!isExpected(expected, product.version)) throw errors.staleVersion(await productDetails(tx, productId))
  return product
}

/** Products by their ids, in that order, as lists show them. */
export async function productsByIds(db: Db, productIds: number[]) {
  return (await listProductRows(db, productIds)).map(toProduct)
}

/** A product as lists show it. */
function toProduct(row: ProductRow) {
  return {
    id: row.product_id,
    title: row.title,
    description: row.description,
    category: { id: row.category_id, slug: row.category_slug, name: row.category_name },
    condition: row.condition,
    images: row.images,
    estimated_value_cents: row.estimated_value_cents,
    currency: row.currency,
    wants: row.wants,
    city: row.city,
    status: row.status,
    verification: row.verification,
    owner: { id: row.user_id, username: row.owner_username, name: row.owner_name, status: row.owner_status },
    open_reports: row.open_reports,
    revision: row.revision,
    version: row.version,
    submitted_at: row.submitted_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
    verified_by: row.verified_by,
    hidden_at: row.hidden_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
  }
}

/** What moderators decided, as the API shows it. */
export function toDecision(decision: Decision) {
  return {
    action: decision.action,
    reason_code: decision.reason_code,
    message: decision.user_message,
    note: decision.internal_note,
    by: decision.actor_id === null ? null : { user_id: decision.actor_id, name: decision.actor_name ?? '' },
    revision: decision.revision,
    at: decision.created_at.toISOString(),
  }
}

function toChange(change: Awaited<ReturnType<typeof historyOf>>[number]) {
  return {
    from: change.from_state,
    to: change.to_state,
    actor: change.actor,
    actor_id: change.actor_id,
    note: change.note,
    at: change.at.toISOString(),
  }
}
