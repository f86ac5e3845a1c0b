import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import type { Condition, ProductStatus, Verification } from '../../platform/tables/marketplace-tables.ts'
import type { Facets } from '../../platform/lists/list-counts.queries.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import { between, type ListPage, type Order, type RowCondition } from '../../platform/lists/list-rows.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'
import type { Product } from '../../marketplace/products/products.queries.ts'

export type ProductFilter = {
  statuses?: ProductStatus[] | undefined
  verifications?: Verification[] | undefined
  userId?: number | undefined
  categoryIds?: number[] | undefined
  conditions?: Condition[] | undefined
  hasOpenReports?: boolean | undefined
  deleted: 'exclude' | 'only' | 'include'
  search?: string | undefined
  /** When it was listed; from inclusive, to exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  /** The product waits for verification: it is submitted, and visible to others. */
  isWaiting?: boolean | undefined
  submittedFrom?: Date | undefined
  submittedTo?: Date | undefined
}

const ORDERS = {
  id: { keys: [sql`p.product_id`], isUnique: true },
  title: { keys: [sql`lower(p.title)`] },
  status: { keys: [sql`p.status`] },
  verification: { keys: [sql`p.verification`] },
  created_at: { keys: [sql`p.created_at`] },
  updated_at: { keys: [sql`p.updated_at`] },
  submitted_at: { keys: [sql`p.submitted_at`] },
  // The expression of the index: no estimate stands below an estimate of nothing.
  estimated_value_cents: { keys: [sql`coalesce(p.estimated_value_cents, -1)`] },
} satisfies Record<string, Order>

export type ProductOrder = keyof typeof ORDERS

export const PRODUCT_ORDERS = Object.keys(ORDERS) as ProductOrder[]

export type ProductPage = ListPage<ProductOrder>

const WAITING_STATUSES: ProductStatus[] = ['active', 'reserved', 'paused']

export type ProductRow = Product & {
  category_slug: string
  category_name: string
  owner_username: string
  owner_name: string
  owner_status: UserStatus
  open_reports: number
}

export const allProducts = defineList<ProductFilter, ProductOrder, ProductRow>(
  {
    table: 'products',
    alias: 'p',
    id: 'product_id',
    orders: ORDERS,
    searched: { text: sql`(' ' || p.title || ' ' || p.description)`, readSearch: ({ search }) => search },
    toConditions,
    kept: { list: 'products', toFacets },
  },
  (chosen, order) => sql`
    select p.*, c.slug as category_slug, c.name as category_name, u.username as owner_username, u.name as owner_name,
      u.status as owner_status, coalesce(r.undecided_count, 0) as open_reports
    from (${chosen}) chosen
    join products p on p.product_id = chosen.product_id
    join users u on u.user_id = p.user_id
    join categories c on c.category_id = p.category_id
    left join reported_products r on r.product_id = p.product_id
    order by ${order}`,
)

function toConditions(filter: ProductFilter): RowCondition[] {
  const { statuses, verifications, userId, categoryIds, conditions, hasOpenReports } = filter
  return [
    filter.deleted === 'exclude' && sql`p.deleted_at is null`,
    filter.deleted === 'only' && sql`p.deleted_at is not null`,
    statuses && sql`p.status in (${sql.join(statuses)})`,
    verifications && sql`p.verification in (${sql.join(verifications)})`,
    userId !== undefined && sql`p.user_id = ${userId}`,
    categoryIds && sql`p.category_id = any(${categoryIds})`,
    conditions && sql`p.condition in (${sql.join(conditions)})`,
    hasOpenReports !== undefined && (hasOpenReports ? REPORTED : sql`not ${REPORTED}`),
    ...between(sql`p.created_at`, filter.from, filter.to),
    filter.isWaiting === true && WAITING,
    ...between(sql`p.submitted_at`, filter.submittedFrom, filter.submittedTo),
  ]
}

const REPORTED = sql`exists (
  select 1 from reported_products r where r.product_id = p.product_id and r.undecided_count > 0)`

// The words of the index `products_waiting`.
const WAITING = sql`p.verification = 'pending' and p.status in ('active', 'reserved', 'paused')
  and p.deleted_at is null and p.hidden_at is null`

/** They are in the order of `product_facets`. Undefined when the filter has other conditions. */
function toFacets(filter: ProductFilter): Facets | undefined {
  const { deleted, statuses, verifications, conditions, isWaiting } = filter
  const others = [filter.userId, filter.categoryIds, filter.hasOpenReports, filter.from, filter.to]
  if ([...others, filter.submittedFrom, filter.submittedTo, filter.search].some((other) => other !== undefined))
    return undefined
  if (isWaiting !== true)
    return [deleted === 'include' ? undefined : [deleted === 'only'], statuses, verifications, conditions, undefined]
  // The list of what waits has no filters by status and verification.
  return [[false], WAITING_STATUSES, ['pending'], conditions, [false]]
}

export async function countProductSwaps(db: Db | Tx, productId: number): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(*) as total,
      count(*) filter (where s.status in ${sql.raw(wordsIn(OPEN_SWAP))}) as open
    from swap_items i join swaps s using (swap_id) where i.product_id = ${productId}`.execute(db)
  return rows[0] ?? { total: 0, open: 0 }
}
