import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'

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
