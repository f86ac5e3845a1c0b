import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import type { ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Product } from '../products/products.queries.ts'

type Columns = 'product_id' | 'title' | 'category_id' | 'condition' | 'city' | 'status' | 'verification' | 'version'

export type OwnRow = Pick<Product, Columns | 'created_at' | 'updated_at'> & {
  image: string | null
  category_slug: string
  category_name: string
  is_listed: boolean
  has_kept_revision: boolean
  like_count: number
  waiting_requests: number
}

export type OwnProductsRequest = {
  userId: number
  status: ProductStatus | undefined
  after: [productId: number] | undefined
  limit: number
}

/** Newest first. */
export async function listOwn(db: Db, { userId, status, after, limit }: OwnProductsRequest): Promise<OwnRow[]> {
  const conditions = [
    sql`user_id = ${userId} and deleted_at is null`,
    status && sql`status = ${status}`,
    after && sql`product_id < ${after[0]}::bigint`,
  ]
  const { rows } = await sql<OwnRow>`
    select p.product_id, p.title, p.images ->> 0 as image, c.category_id, c.slug as category_slug,
      c.name as category_name,
      p.condition, p.city, p.status, p.verification, l.is_listed, k.product_id is not null as has_kept_revision,
        l.like_count,
      (select count(*) from swap_items i where i.product_id = p.product_id and i.asked_by is not null)
        as waiting_requests,
      p.version, p.created_at, p.updated_at
    from (
      select * from products where ${joinWithAnd(conditions)}
      order by product_id desc limit ${limit}) p
    join listings l on l.product_id = p.product_id
    join categories c on c.category_id = p.category_id
    left join kept_revisions k on k.product_id = p.product_id
    order by p.product_id desc`.execute(db)
  return rows
}
