import { sql, type Selectable } from 'kysely'
import type {
  MarketplaceTables,
  ProductStatus,
  ReportReason,
  Verification,
} from '../../platform/tables/marketplace-tables.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import { joinWithAnd, type Order, type RowCondition } from '../../platform/lists/list-rows.ts'
import { containing } from '../../platform/lists/pattern.ts'
import { reportConditions, type ReportsFilter } from '../../marketplace/reports/reports.queries.ts'

export type ReportedRow = Selectable<MarketplaceTables['reported_products']> & {
  title: string
  product_status: ProductStatus
  verification: Verification
  product_deleted_at: Date | null
  owner_id: number
  owner_username: string
  reasons: Partial<Record<ReportReason, number>>
  reporters: { user_id: number; username: string }[]
}

export type ReportedFilter = Omit<ReportsFilter, 'subjectId'>

// Each of them is the order of an index, read forwards or backwards.
const ORDERS = {
  // Products without open reports are sorted by those in review.
  open_count: { keys: [sql`r.open_count`, sql`r.undecided_count`, sql`r.last_reported_at`] },
  undecided_count: { keys: [sql`r.undecided_count`, sql`r.last_reported_at`] },
  total_count: { keys: [sql`r.total_count`, sql`r.last_reported_at`] },
  first_reported_at: { keys: [sql`r.first_reported_at`] },
  last_reported_at: { keys: [sql`r.last_reported_at`] },
} satisfies Record<string, Order>

export type ReportedOrder = { by: keyof typeof ORDERS; direction: 'asc' | 'desc' }

const REPORTERS_SHOWN = 3

/** The total is an estimate above 100,000. */
export const reportedProducts = defineList<ReportedFilter, ReportedOrder['by'], ReportedRow>(
  { table: 'reported_products', alias: 'r', id: 'product_id', orders: ORDERS, toConditions },
  (chosen, order) => sql`
    select r.*, p.title, p.status as product_status, p.verification, p.deleted_at as product_deleted_at,
      u.user_id as owner_id, u.username as owner_username, reason.reasons,
        coalesce(reporter.reporters, '[]') as reporters
    from (${chosen}) chosen
    join reported_products r on r.product_id = chosen.product_id
    join products p on p.product_id = r.product_id
    join users u on u.user_id = p.user_id
    cross join lateral (
      select jsonb_object_agg(reason, n) as reasons from (
        select reason, count(*) as n from product_reports where product_id = r.product_id
          group by reason) counted) reason
    cross join lateral (
      select jsonb_agg(jsonb_build_object('user_id', who.user_id, 'username', who.username)
        order by latest.report_id desc) as reporters
      from (select report_id, reporter_id from product_reports
        where product_id = r.product_id order by report_id desc limit ${REPORTERS_SHOWN}) latest
      join users who on who.user_id = latest.reporter_id) reporter
    order by ${order}`,
)

/** The filters choose products; the sums are always those of the whole product. */
function toConditions({ statuses, search, ...made }: ReportedFilter): RowCondition[] {
  const ofReport = reportConditions('product', made)
  return [
    statuses && sql`r.status = any(${statuses})`,
    ofReport.some(Boolean) &&
      sql`r.product_id in (select r.product_id from product_reports r where ${joinWithAnd(ofReport)})`,
    // The search looks in the reported products, which are few: a join might begin with all products.
    search !== undefined &&
      sql`(select p.title ilike ${containing(search)} or p.description ilike ${containing(search)}
        from products p where p.product_id = r.product_id)`,
  ]
}
