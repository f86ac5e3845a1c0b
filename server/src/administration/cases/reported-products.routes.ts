import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { columnsFrom, CsvQuery } from '../../platform/http/csv.ts'
import { Component, pickFields, Nullable, Page, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { rangeIn, searchIn, readSearch, sortedBy } from '../../platform/lists/listing.ts'
import { answerPage, PageQuery, type PageBounds } from '../../platform/lists/pagination.ts'
import { PRODUCT_STATUSES, REPORT_REASONS, REPORT_STATUSES, VERIFICATIONS } from '../../platform/shared/words.ts'
import { orCsv, sendReport } from '../statistics/csv-reports.views.ts'
import { reportedProducts, type ReportedRow } from './reported-products.queries.ts'
import { readFilter, filtersBy, Reporter } from './reports.views.ts'

const ORDERS = ['open_count', 'undecided_count', 'total_count', 'first_reported_at', 'last_reported_at'] as const

const ReportedProduct = Component('ReportedProduct', {
  product_id: Type.Integer(),
  product: Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    status: Type.Enum(PRODUCT_STATUSES),
    verification: Type.Enum(VERIFICATIONS),
    deleted_at: Nullable(Timestamp),
    owner: Type.Object({ id: Type.Integer(), username: Type.String() }),
  }),
  status: Type.Enum(REPORT_STATUSES, { description: 'The status of the report that is least advanced.' }),
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

export function registerReportedProductsRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/report/reported-product/all', {
    access: 'product-reports',
    effect: 'report',
    operationId: 'listReportedProducts',
    summary: 'Reported products, one row a product, most open reports first; also as CSV',
    description: 'The filters select products. The numbers always count all reports of each product.',
    querystring: Type.Object({
      ...PageQuery,
      ...rangeIn('Products with a report made'),
      ...CsvQuery,
      ...sortedBy(ORDERS, 'desc'),
      search: searchIn('title or description of the product'),
      ...filtersBy(REPORT_REASONS),
    }),
    response: orCsv(Page(ReportedProduct)),
    handler: async (request, reply) => {
      const { query } = request
      const filter = { ...readFilter(query, REPORT_REASONS), search: readSearch(query) }
      const order = { by: query.sort_by ?? ORDERS[0], direction: query.sort_order ?? 'desc' } as const
      if (query.format === 'csv') {
        const file = { name: 'reported-products', bom: query.bom, columns: CSV_COLUMNS, toView: toReportedProduct }
        const batches = reportedProducts.stream(deps.db, filter, order)
        return sendReport(deps, { request, reply }, { ...file, batches, filter, order })
      }
      const find = (page: PageBounds) => reportedProducts.page(deps, { filter, page: { ...page, ...order } })
      return answerPage(query, { message: 'Reported products', view: toReportedProduct, find })
    },
  })
}

function toReportedProduct(row: ReportedRow): Static<typeof ReportedProduct> {
  return {
    ...pickFields(ReportedProduct, row),
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

const CSV_COLUMNS = columnsFrom<Static<typeof ReportedProduct>>(ReportedProduct, {
  reasons: [['reasons', ({ reasons }) => joined(Object.entries(reasons).map(([reason, n]) => `${reason}: ${n}`))]],
  reporters_sample: [
    ['reporters_sample', ({ reporters_sample: reporters }) => reporters.map(({ username }) => username).join('; ')],
  ],
})

function joined(words: string[]): string {
  return words.toSorted().join('; ')
}
