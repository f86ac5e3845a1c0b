import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { actorOf } from '../../platform/http/actor.ts'
import { CSV_CONTENT, CsvQuery, sendCsv } from '../../platform/http/csv.ts'
import { answers, Body, Id, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { rangeIn, rangeOf, searchIn, searchOf, sortedBy, wordsOf } from '../../platform/lists/listing.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import { Lines, Words } from '../../platform/http/text.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { decide, HELD, UndoQuery } from '../desk/decide.routes.ts'
import { expectedVersions } from '../../platform/http/version.ts'
import { beginCsv } from '../reports/csv-reports.ts'
import { CSV_COLUMNS, Report, ReportedProduct, toReport, toReportedProduct } from './product-reports.views.ts'
import { REPORT_STATUSES } from '../../marketplace/product-reports/outcomes.ts'
import { REPORT_REASONS } from '../../marketplace/product-reports/own-reports.ts'
import { listReportedProducts, streamReportedProducts } from './reported-products.queries.ts'
import { decideReportedProduct, type DecidedProduct } from './reported-product.ts'
import { assignReport, dismissReport, listProductReports, resolveReport } from './reports.ts'

const NAME = 'reported-products'
const ORDERS = ['open_count', 'undecided_count', 'total_count', 'first_reported_at', 'last_reported_at'] as const
export const ByReport = Type.Object({ report_id: Id })
const Note = Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK })
const DecidedView = Type.Object({
  product_id: Type.Integer(),
  decided: Type.Integer({ description: 'Reports that were decided.' }),
})

export function registerProductReportsRoutes(app: App, deps: Deps): void {
  registerReportedProducts(app, deps)
  registerReportsOfProduct(app, deps)
  registerDecisionsOfReports(app, deps)
  registerDecisionOfProduct(app, deps)
}

function registerReportedProducts(app: App, deps: Deps): void {
  app.get('/api/admin/v1/report/reported-product/all', {
    config: { access: 'product-reports', effect: 'report' },
    schema: {
      operationId: 'listReportedProducts',
      summary: 'Reported products, one row a product, most open reports first; also as CSV',
      description: 'The filters select products. The numbers always count all reports of each product.',
      querystring: Type.Object({
        ...PageQuery,
        ...rangeIn('Products with a report made'),
        ...CsvQuery,
        ...sortedBy(ORDERS, 'desc'),
        search: searchIn('title or description of the product'),
        status: Type.Optional(Words(REPORT_STATUSES)),
        reason: Type.Optional(Words(REPORT_REASONS)),
      }),
      response: {
        ...answers(200, Page(ReportedProduct)),
        200: { content: { 'application/json': { schema: Page(ReportedProduct) }, ...CSV_CONTENT } },
      },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { from, to } = rangeOf(query)
      const filter = {
        statuses: wordsOf(query.status, REPORT_STATUSES),
        reasons: wordsOf(query.reason, REPORT_REASONS),
        search: searchOf(query),
        from,
        to,
      }
      const order = { by: query.sort_by ?? ORDERS[0], direction: query.sort_order ?? 'desc' } as const
      if (query.format === 'csv') {
        const { search, ...rest } = filter
        await beginCsv(deps, actorOf(request), NAME, { filter: rest, isSearch: search !== undefined, order })
        const file = { name: NAME, bom: query.bom, columns: CSV_COLUMNS, toView: toReportedProduct }
        return sendCsv(reply, { ...file, batches: streamReportedProducts(deps.db, filter, order) })
      }
      const page = pageOf(query)
      const { rows, total } = await listReportedProducts(deps, filter, { ...page, ...order })
      return paginated(rows.map(toReportedProduct), total, page, 'Reported products')
    },
  })
}

function registerReportsOfProduct(app: App, deps: Deps): void {
  app.get('/api/admin/v1/report/reported-product/:product_id', {
    config: { access: 'product-reports' },
    schema: {
      operationId: 'listReportsOfProduct',
      summary: 'The reports of one product, newest first by default',
      params: Type.Object({ product_id: Id }),
      querystring: Type.Object({
        ...PageQuery,
        ...rangeIn('Reports made'),
        ...sortedBy(['created_at'], 'desc'),
        search: searchIn('details or username of the reporter'),
        status: Type.Optional(Words(REPORT_STATUSES)),
        reason: Type.Optional(Words(REPORT_REASONS)),
      }),
      response: answers(200, Page(Report)),
    },
    handler: async ({ params, query }) => {
      const page = pageOf(query)
      const filter = {
        productId: params.product_id,
        statuses: wordsOf(query.status, REPORT_STATUSES),
        reasons: wordsOf(query.reason, REPORT_REASONS),
        search: searchOf(query),
        ...rangeOf(query),
      }
      const direction = query.sort_order ?? 'desc'
      const { rows, total } = await listProductReports(deps.db, filter, { ...page, direction })
      return paginated(rows.map(toReport), total, page, 'Reports of the product')
    },
  })
}

function registerDecisionsOfReports(app: App, deps: Deps): void {
  app.post('/api/admin/v1/report/reported-product/:report_id/assign', {
    config: { access: 'product-reports' },
    schema: {
      operationId: 'assignProductReport',
      summary: 'Assign a report to an administrator, by default yourself, and start its review',
      params: ByReport,
      body: Nullable(Body({ assignee_id: Type.Optional(Id) })),
      response: answers(200, Success(Report), 404, 412),
    },
    handler: async (request, reply) => {
      const assigneeId = request.body?.assignee_id ?? principalOf(request).userId
      return write(deps, { request, reply }, { message: 'Report assigned', view: toReport }, ({ tx, by: caller }) =>
        assignReport(deps, tx, caller, { ...chosenBy(request), assigneeId }),
      )
    },
  })

  app.post('/api/admin/v1/report/reported-product/:report_id/resolve', {
    config: { access: 'product-reports' },
    schema: {
      operationId: 'resolveProductReport',
      summary: 'Resolve a report as right, with the action taken; the reporter gets a push',
      params: ByReport,
      querystring: UndoQuery,
      body: Body({ action: Type.Enum(['remove_product', 'warn_owner', 'other']), note: Type.Optional(Note) }),
      response: { ...answers(200, Success(Report), 404, 412), ...HELD },
    },
    handler: async (request, reply) => {
      const { action, note = null } = request.body
      const resolution = { ...chosenBy(request), action, note }
      const decision = { kind: 'report', recordId: resolution.reportId, verdict: action, request: resolution } as const
      const answer = { message: 'Report resolved', view: toReport }
      return decide(deps, { request, reply }, answer, { ...decision, rule: resolveReport })
    },
  })

  app.post('/api/admin/v1/report/reported-product/:report_id/dismiss', {
    config: { access: 'product-reports' },
    schema: {
      operationId: 'dismissProductReport',
      summary: 'Dismiss a report as wrong; the reporter gets a push',
      params: ByReport,
      querystring: UndoQuery,
      body: Nullable(Body({ note: Type.Optional(Note) })),
      response: { ...answers(200, Success(Report), 404, 412), ...HELD },
    },
    handler: async (request, reply) => {
      const dismissal = { ...chosenBy(request), note: request.body?.note ?? null }
      const decision = { kind: 'report', recordId: dismissal.reportId, verdict: 'dismiss', request: dismissal } as const
      const answer = { message: 'Report dismissed', view: toReport }
      return decide(deps, { request, reply }, answer, { ...decision, rule: dismissReport })
    },
  })
}

function registerDecisionOfProduct(app: App, deps: Deps): void {
  app.post('/api/admin/v1/report/reported-product/:product_id/decide', {
    config: { access: 'product-reports' },
    schema: {
      operationId: 'decideReportedProduct',
      summary: 'Decide all undecided reports of a product at once; their reporters get a push',
      params: Type.Object({ product_id: Id }),
      querystring: UndoQuery,
      body: Body({
        action: Type.Enum(['remove_product', 'warn_owner', 'dismiss']),
        note: Type.Optional(Note),
        message: Type.Optional(Lines({ maxLength: 500, description: 'To the owner; absent: a standard text.' })),
      }),
      response: { ...answers(200, Success(DecidedView), 404), ...HELD },
    },
    handler: async (request, reply) => {
      const { action, note = null, message } = request.body
      const said = message === undefined ? {} : { message }
      const { product_id: productId } = request.params
      const wanted = { productId, action, note, ...said }
      const decision = { kind: 'reported_product', recordId: productId, verdict: action, request: wanted } as const
      const answer = { message: 'Reports decided', view: toDecided }
      return decide(deps, { request, reply }, answer, { ...decision, rule: decideReportedProduct })
    },
  })
}

function toDecided({ productId, decided }: DecidedProduct): Static<typeof DecidedView> {
  return { product_id: productId, decided }
}

export function chosenBy(request: FastifyRequest<{ Params: unknown }> & { params: { report_id: number } }) {
  return { reportId: request.params.report_id, expected: expectedVersions(request) }
}
