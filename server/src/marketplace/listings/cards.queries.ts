import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import type { Product } from '../products/products.queries.ts'

export type Card = Pick<Product, 'product_id' | 'title' | 'condition' | 'status' | 'created_at' | 'category_id'> & {
  /** Null: it was never listed. */
  listing_id: number | null
  like_count: number
  is_listed: boolean
  image: string | null
  product_city: string | null
  is_verified: boolean
  category_slug: string
  category_name: string
  is_liked: boolean
} & PersonRow

/** `page` gives the wanted rows of `listings`, as `l`; `order` sorts by columns of `l`. */
export function selectCards(viewerId: number, page: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<Card> {
  return sql<Card>`
    with page as materialized (${page})
    select l.*, coalesce(k.title, p.title) as title, coalesce(k.images, p.images) ->> 0 as image, p.condition,
      p.city as product_city, p.status, p.created_at, (p.verification = 'verified' or k.product_id is not null)
        as is_verified,
      c.category_id, c.slug as category_slug, c.name as category_name,
      u.user_id, u.username, u.name, u.avatar_url, u.city,
      exists (select from likes where likes.user_id = ${viewerId} and likes.product_id = l.product_id) as is_liked
    from page l
    join products p on p.product_id = l.product_id
    left join kept_revisions k on k.product_id = l.product_id
    join categories c on c.category_id = coalesce(k.category_id, p.category_id)
    join users u on u.user_id = p.user_id
    order by ${order}`
}

/** The keys are the ids of products. A deleted product is absent. */
export async function listCards(db: Db | Tx, viewerId: number, productIds: number[]): Promise<Map<number, Card>> {
  if (productIds.length === 0) return new Map()
  const page = sql`select product_id, listing_id, like_count, is_listed from listings
    where product_id = any(${productIds})`
  const { rows } = await selectCards(viewerId, page, sql`l.product_id`).execute(db)
  return new Map(rows.map((row) => [row.product_id, row]))
}
