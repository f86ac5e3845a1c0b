import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { Lines } from '../../platform/http/text.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { expectedVersions } from '../../platform/http/etag.ts'
import { rangeIn, searchIn, readSearch, sortedBy } from '../../platform/lists/listing.ts'
import { answerPage, PageQuery, type PageBounds } from '../../platform/lists/pagination.ts'
import { REPORT_REASONS, USER_REPORT_REASONS } from '../../platform/shared/words.ts'
import { productReports, userReports } from '../../marketplace/reports/reports.queries.ts'
import { registerDecision } from './decisions.routes.ts'
import { assignReport } from './decide-reports.ts'
import { readFilter, filtersBy, ProductReport, toProductReport, toUserReport, UserReport } from './reports.views.ts'

const Note = Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK }))
const ByReport = Type.Object({ report_id: Id })
const Assignee = Nullable(Body({ assignee_id: Type.Optional(Id) }))
const NewestFirst = { ...PageQuery, ...rangeIn('Reports made'), ...sortedBy(['created_at'], 'desc') }
const DecidedView = Type.Object({
  product_id: Type.Integer(),
  decided: Type.Integer({ description: 'Reports that were decided.' }),
})

export function registerProductReportsRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/report/reported-product/:product_id', {
    access: 'product-reports',
    operationId: 'listReportsOfProduct',
    summary: 'The reports of one product, newest first by default',
    querystring: Type.Object({
      ...NewestFirst,
      search: searchIn('details or username of the reporter'),
      ...filtersBy(REPORT_REASONS),
    }),
    response: answers(200, Page(ProductReport)),
    handler: ({ params: { product_id: subjectId }, query }) => {
      const filter = { ...readFilter(query, REPORT_REASONS), subjectId, search: readSearch(query) }
      const order = { by: 'created_at', direction: query.sort_order ?? 'desc' } as const
      const find = (page: PageBounds) => productReports.page(deps, { filter, page: { ...page, ...order } })
      return answerPage(query, { message: 'Reports of the product', view: toProductReport, find })
    },
  })

  registerChange(app, deps, 'POST /api/admin/v1/report/reported-product/:report_id/assign', {
    access: 'product-reports',
    operationId: 'assignProductReport',
    summary: 'Assign a report to an administrator, by default yourself, and start its review',
    body: Assignee,
    response: answers(200, Success(ProductReport), 404, 412),
    message: 'Report assigned',
    view: toProductReport,
    rule: (work, request) => assignReport(work, 'product', assignmentIn(request)),
  })

  registerProductDecisions(app, deps)
}

export function registerReportedUsersRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/report/reported-users', {
    access: 'user-reports',
    operationId: 'listUserReports',
    summary: 'Reports about users, newest first by default',
    querystring: Type.Object({ ...NewestFirst, ...filtersBy(USER_REPORT_REASONS), user_id: Type.Optional(Id) }),
    response: answers(200, Page(UserReport)),
    handler: ({ query }) => {
      const filter = { ...readFilter(query, USER_REPORT_REASONS), subjectId: query.user_id }
      const order = { by: 'created_at', direction: query.sort_order ?? 'desc' } as const
      const find = (page: PageBounds) => userReports.page(deps, { filter, page: { ...page, ...order } })
      return answerPage(query, { message: 'Reported users', view: toUserReport, find })
    },
  })

  registerChange(app, deps, 'POST /api/admin/v1/report/reported-users/:report_id/assign', {
    access: 'user-reports',
    operationId: 'assignUserReport',
    summary: 'Assign a report to an administrator, by default yourself, and start its review',
    body: Assignee,
    response: answers(200, Success(UserReport), 404, 412),
    message: 'Report assigned',
    view: toUserReport,
    rule: (work, request) => assignReport(work, 'user', assignmentIn(request)),
  })

  registerDecision(app, deps, {
    kind: 'user_report',
    url: '/api/admin/v1/report/reported-users/:report_id/resolve',
    operationId: 'resolveUserReport',
    summary: 'Resolve a report about a user with the action taken, or dismiss it',
    description: '`suspend_user` requires the right `users`. The note becomes the reason for the suspension.',
    message: 'Report resolved',
    body: Body({
      action: Type.Enum(['suspend_user', 'other', 'dismiss']),
      note: Type.Optional(Lines({ maxLength: 1_000 })),
    }),
    given: ({ action: verdict, note = null }) => ({ verdict, note }),
    answer: UserReport,
    view: toUserReport,
  })
}

type Assigning = FastifyRequest & { params: Static<typeof ByReport>; body: Static<typeof Assignee> }

function assignmentIn(request: Assigning) {
  const assigneeId = request.body?.assignee_id ?? request.caller.userId
  return { recordId: request.params.report_id, expected: expectedVersions(request), assigneeId }
}

const ON_REPORT = { kind: 'report', answer: ProductReport, view: toProductReport } as const

function registerProductDecisions(app: App, deps: PushDeps): void {
  registerDecision(app, deps, {
    ...ON_REPORT,
    url: '/api/admin/v1/report/reported-product/:report_id/resolve',
    operationId: 'resolveProductReport',
    summary: 'Resolve a report as right, with the action taken; the reporter gets a push',
    message: 'Report resolved',
    body: Body({ action: Type.Enum(['remove_product', 'warn_owner', 'other']), note: Note }),
    given: ({ action: verdict, note = null }) => ({ verdict, note }),
  })

  registerDecision(app, deps, {
    ...ON_REPORT,
    url: '/api/admin/v1/report/reported-product/:report_id/dismiss',
    operationId: 'dismissProductReport',
    summary: 'Dismiss a report as wrong; the reporter gets a push',
    message: 'Report dismissed',
    body: Nullable(Body({ note: Note })),
    given: (body) => ({ verdict: 'dismiss', note: body?.note ?? null }),
  })

  registerDecision(app, deps, {
    kind: 'reported_product',
    url: '/api/admin/v1/report/reported-product/:product_id/decide',
    operationId: 'decideReportedProduct',
    summary: 'Decide all undecided reports of a product at once; their reporters get a push',
    message: 'Reports decided',
    body: Body({
      action: Type.Enum(['remove_product', 'warn_owner', 'dismiss']),
      note: Note,
      message: Type.Optional(Lines({ maxLength: 500, description: 'To the owner; absent: a standard text.' })),
    }),
    given: ({ action: verdict, note = null, ...words }) => ({ verdict, note, ...words }),
    answer: DecidedView,
    view: ({ productId, decided }) => ({ product_id: productId, decided }),
  })
}
