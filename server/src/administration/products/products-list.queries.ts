import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import type { Product } from '../../marketplace/products/products.queries.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'

export type ProductRow = Product & {
  category_slug: string
  category_name: string
  owner_username: string
  owner_name: string
  owner_status: UserStatus
  open_reports: number
}

/** They are in the order of the ids, deleted products too. */
export async function listProductRows(db: Db | Tx, productIds: number[]): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select p.*, c.slug as category_slug, c.name as category_name, u.username as owner_username, u.name as owner_name,
      u.status as owner_status, coalesce(r.undecided_count, 0) as open_reports
    from unnest(${productIds}::bigint[]) with ordinality as chosen(product_id, place)
    join products p on p.product_id = chosen.product_id
    join users u on u.user_id = p.user_id
    join categories c on c.category_id = p.category_id
    left join reported_products r on r.product_id = p.product_id
    order by chosen.place`.execute(db)
  return rows
}

export async function countProductSwaps(db: Db | Tx, productId: number): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(*) as total,
      count(*) filter (where s.status in ${sql.raw(wordsIn(OPEN_SWAP))}) as open
    from swap_items i join swaps s using (swap_id) where i.product_id = ${productId}`.execute(db)
  return rows[0] ?? { total: 0, open: 0 }
}
