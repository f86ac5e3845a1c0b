import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Condition, ProductStatus, Verification } from '../../platform/tables/marketplace-tables.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'

export type ProductRow = {
  product_id: number
  title: string
  description: string
  condition: Condition
  images: string[]
  estimated_value_cents: number | null
  currency: string
  wants: string | null
  city: string | null
  status: ProductStatus
  verification: Verification
  revision: number
  version: number
  submitted_at: Date
  verified_at: Date | null
  verified_by: number | null
  hidden_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  category_id: number
  category_slug: string
  category_name: string
  user_id: number
  owner_username: string
  owner_name: string
  owner_status: UserStatus
  open_reports: number
}

/** In the order of the ids given; deleted ones too. */
export async function listProductRows(db: Db | Tx, productIds: number[]): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select p.product_id, p.title, p.description, p.condition, p.images, p.estimated_value_cents, p.currency, p.wants, p.city,
      p.status, p.verification, p.revision, p.version, p.submitted_at, p.verified_at, p.verified_by, p.hidden_at, p.created_at,
      p.updated_at, p.deleted_at, c.category_id, c.slug as category_slug, c.name as category_name, u.user_id,
      u.username as owner_username, u.name as owner_name, u.status as owner_status, coalesce(r.undecided_count, 0) as open_reports
    from unnest(${productIds}::bigint[]) with ordinality as chosen(product_id, place)
    join products p on p.product_id = chosen.product_id
    join users u on u.user_id = p.user_id
    join categories c on c.category_id = p.category_id
    left join reported_products r on r.product_id = p.product_id
    order by chosen.place`.execute(db)
  return rows
}

export async function countSwapsOf(db: Db | Tx, productId: number): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(*) as total,
      count(*) filter (where s.status in ('pending', 'countered', 'accepted', 'disputed')) as open
    from swap_items i join swaps s using (swap_id) where i.product_id = ${productId}`.execute(db)
  return rows[0] ?? { total: 0, open: 0 }
}
