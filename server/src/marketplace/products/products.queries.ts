import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables, ProductStatus } from '../../platform/tables/marketplace-tables.ts'

export type Product = Selectable<MarketplaceTables['products']>
export type ProductChange = Omit<Updateable<MarketplaceTables['products']>, 'product_id' | 'version' | 'images'> & {
  images?: string[]
}

/** Undefined also when it is deleted. */
export async function findProduct(db: Db | Tx, productId: number): Promise<Product | undefined> {
  return db
    .selectFrom('products')
    .selectAll()
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Leaves out its texts, which may be long. */
export type LockedProduct = Pick<
  Product,
  'product_id' | 'user_id' | 'status' | 'verification' | 'hidden_at' | 'rejected_at' | 'deleted_at'
>

/**
 * Locks deleted ones too, in the order of their ids; see `lock.ts`. With `for no key update` others still store what
 * refers to them.
 */
export async function lockRows(tx: Tx, productIds: number[]): Promise<LockedProduct[]> {
  return tx
    .selectFrom('products')
    .select(['product_id', 'user_id', 'status', 'verification', 'hidden_at', 'rejected_at', 'deleted_at'])
    .where('product_id', '=', sql<number>`any(${productIds})`)
    .orderBy('product_id')
    .forNoKeyUpdate()
    .execute()
}

/** Lists those of the products that an accepted, disputed or completed swap holds (decision D). */
export async function listHeld(tx: Tx, productIds: number[]): Promise<number[]> {
  if (productIds.length === 0) return []
  const rows = await tx
    .selectFrom('swap_items')
    .select('product_id')
    .where((on) => on.and({ product_id: sql<number>`any(${productIds})`, is_held: true }))
    .execute()
  return rows.map((row) => row.product_id)
}

export async function setStatus(tx: Tx, productIds: number[], status: ProductStatus, at: Date): Promise<void> {
  await sql`update products set status = ${status}, version = version + 1, updated_at = ${at}
    where product_id = any(${productIds})`.execute(tx)
}

export async function updateProductRow(tx: Tx, productId: number, change: ProductChange): Promise<Product> {
  const { images, ...columns } = change
  return tx
    .updateTable('products')
    .set({
      ...columns,
      ...(images && { images: JSON.stringify(images) }),
      version: sql<number>`version + 1`,
    })
    .where('product_id', '=', productId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertProduct(
  tx: Tx,
  product: Omit<Insertable<MarketplaceTables['products']>, 'images'> & { images: string[] },
): Promise<Product> {
  return tx
    .insertInto('products')
    .values({ ...product, images: JSON.stringify(product.images) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Hides the products of barred or deleted accounts; their state stays. */
export async function hideUserProducts(tx: Tx, userIds: number[], at: Date): Promise<void> {
  await sql`update products set hidden_at = ${at} where user_id = any(${userIds}) and hidden_at is null`.execute(tx)
}

export async function showUserProducts(tx: Tx, userIds: number[]): Promise<void> {
  await sql`update products set hidden_at = null where user_id = any(${userIds}) and hidden_at is not null`.execute(tx)
}

/** Nobody deletes it until the transaction ends. */
export async function hasCategory(tx: Tx, categoryId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('categories')
    .select('category_id')
    .where('category_id', '=', categoryId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the verified revision before the product changes; the caller has it locked. */
export async function insertKeptRevision(tx: Tx, productId: number): Promise<void> {
  await sql`
    insert into kept_revisions (product_id, revision, category_id, title, description, images)
    select product_id, revision, category_id, title, description, images from products
    where product_id = ${productId}`.execute(tx)
}

export async function deleteKeptRevision(tx: Tx, productId: number): Promise<void> {
  await tx.deleteFrom('kept_revisions').where('product_id', '=', productId).execute()
}
