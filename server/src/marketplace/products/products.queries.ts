import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
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
  await updateInParts(tx, productIds, sql`status = ${status}, version = version + 1, updated_at = ${at}`)
}

// The trigger of the listings compares all rows of a statement with each other: thousands would take minutes.
const UPDATED_AT_ONCE = 100

async function updateInParts(tx: Tx, productIds: number[], change: RawBuilder<unknown>): Promise<void> {
  for (let from = 0; from < productIds.length; from += UPDATED_AT_ONCE) {
    const part = productIds.slice(from, from + UPDATED_AT_ONCE)
    await sql`update products set ${change} where product_id = any(${part})`.execute(tx)
  }
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
  await updateInParts(tx, await listOfUsers(tx, userIds, sql`hidden_at is null`), sql`hidden_at = ${at}`)
}

export async function showUserProducts(tx: Tx, userIds: number[]): Promise<void> {
  await updateInParts(tx, await listOfUsers(tx, userIds, sql`hidden_at is not null`), sql`hidden_at = null`)
}

async function listOfUsers(tx: Tx, userIds: number[], condition: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    select product_id from products where user_id = any(${userIds}) and ${condition} order by product_id`.execute(tx)
  return rows.map((row) => row.product_id)
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
