import type { NamedUserReport } from '../../marketplace/user-reports/user-reports.queries.ts'
import { REPORT_STATUSES } from '../../marketplace/product-reports/outcomes.ts'
import { REPORT_REASONS } from '../../marketplace/product-reports/own-reports.ts'
import { Type, type Static } from 'typebox'
import { columnsFrom } from '../../platform/http/csv.ts'
import { Component, fieldsOf, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import type { NamedReport } from '../../marketplace/product-reports/reports.queries.ts'
import { STATUSES, VERIFICATIONS } from '../../marketplace/products/words.ts'
import type { ReportedRow } from './reported-products.queries.ts'

const Reporter = Type.Object({ user_id: Type.Integer(), username: Type.String() })

export const DECIDED = {
  resolution_note: Nullable(Type.String()),
  resolved_by: Nullable(Type.Integer()),
  resolved_at: Nullable(Timestamp),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Report = Component('ProductReport', {
  id: Type.Integer(),
  product_id: Type.Integer(),
  reporter: Nullable(Reporter),
  reason: Type.Enum([...REPORT_REASONS]),
  details: Nullable(Type.String()),
  status: Type.Enum([...REPORT_STATUSES]),
  assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  resolution: Type.Union([Type.Enum(['rejected', 'removed', 'deleted', 'warned', 'other']), Type.Null()], {
    description: 'The action taken.',
  }),
  ...DECIDED,
})

export const ReportedProduct = Component('ReportedProduct', {
  product_id: Type.Integer(),
  product: Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    status: Type.Enum([...STATUSES]),
    verification: Type.Enum([...VERIFICATIONS]),
    deleted_at: Nullable(Timestamp),
    owner: Type.Object({ id: Type.Integer(), username: Type.String() }),
  }),
  status: Type.Enum([...REPORT_STATUSES], { description: 'The status of the report that is least advanced.' }),
  open_count: Type.Integer({ description: 'Reports that are not in review yet.' }),
  in_review_count: Type.Integer(),
  actioned_count: Type.Integer(),
  dismissed_count: Type.Integer(),
  undecided_count: Type.Integer({ description: 'Open and in review.' }),
  total_count: Type.Integer({ description: 'Open, in review, actioned and dismissed.' }),
  reasons: Type.Record(Type.String(), Type.Integer()),
  first_reported_at: Timestamp,
  last_reported_at: Timestamp,
  reporters_sample: Type.Array(Reporter, { description: 'From the three newest reports.' }),
})

export function toReport(row: NamedReport): Static<typeof Report> {
  return { ...fieldsOf(Report, row), ...idsOf(row) }
}

/** What reports about products and about people have in common. */
export function idsOf(row: NamedReport | NamedUserReport) {
  return {
    id: row.report_id,
    reporter: row.reporter_id === null ? null : { user_id: row.reporter_id, username: row.reporter_username ?? '' },
    assigned_to: row.assigned_to === null ? null : { user_id: row.assigned_to, name: row.assignee_name ?? '' },
  }
}

export function toReportedProduct(row: ReportedRow): Static<typeof ReportedProduct> {
  return {
    ...fieldsOf(ReportedProduct, row),
    product: {
      id: row.product_id,
      title: row.title,
      status: row.product_status,
      verification: row.verification,
      deleted_at: row.product_deleted_at,
      owner: { id: row.owner_id, username: row.owner_username },
    },
    reporters_sample: row.reporters,
  }
}

type ReportedView = Static<typeof ReportedProduct>

/** Several in one cell are joined by semicolons. */
export const CSV_COLUMNS = columnsFrom<ReportedView>(ReportedProduct, {
  reasons: [['reasons', ({ reasons }) => joined(Object.entries(reasons).map(([reason, n]) => `${reason}: ${n}`))]],
  reporters_sample: [
    ['reporters_sample', ({ reporters_sample: reporters }) => reporters.map(({ username }) => username).join('; ')],
  ],
})

function joined(words: string[]): string {
  return words.toSorted().join('; ')
}
