import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Component, pickFields, Nullable, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { REPORT_REASONS, REPORT_STATUSES, USER_REPORT_REASONS } from '../../platform/shared/words.ts'
import { listReportsBy, type OwnReport } from './reports.queries.ts'
import { reportProduct, reportUser } from './reports.ts'

const STATUS = Type.Enum(REPORT_STATUSES)
const OWN = createCursors('own reports', ['number'])

const OwnReportSchema = Component('OwnReport', {
  id: Type.Integer(),
  product: Type.Object(
    { id: Type.Integer(), title: Nullable(Type.String()), image: Nullable(Type.String()) },
    { description: 'The title is absent if the product can no longer be seen.' },
  ),
  reason: Type.Enum(REPORT_REASONS),
  details: Nullable(Type.String()),
  status: STATUS,
  created_at: Timestamp,
  updated_at: Timestamp,
})

const Made = Type.Object({ id: Type.Integer(), product_id: Type.Integer(), status: STATUS })
const MadeOfUser = Type.Object({ id: Type.Integer(), user_id: Type.Integer(), status: Type.Literal('open') })

export function registerUserReportRoutes(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/v1/users/:id/report', {
    access: 'user',
    limits: ['user-report'],
    operationId: 'reportUser',
    summary: 'Report a person to the administrators; the person is not informed',
    body: Body({ reason: Type.Enum(USER_REPORT_REASONS), details: Type.Optional(Lines({ maxLength: 2_000 })) }),
    response: answers(201, Success(MadeOfUser), 404),
    message: 'Report received',
    rule: (work, { body, params }) => reportUser(work, { details: null, ...body, subjectId: params.id }),
    view: ({ report_id: id, user_id }) => ({ id, user_id, status: 'open' as const }),
  })
}

export function registerOwnReportsRoutes(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/v1/products/:id/report', {
    access: 'user',
    limits: ['product-report'],
    operationId: 'reportProduct',
    summary: 'Report a product of somebody else to the moderators',
    body: Body({
      reason: Type.Enum(REPORT_REASONS),
      details: Type.Optional(Nullable(Lines({ maxLength: 2_000 }))),
    }),
    response: answers(201, Success(Made), 404),
    message: 'Product reported',
    rule: (work, { body, params }) => reportProduct(work, { details: null, ...body, subjectId: params.id }),
    view: ({ report_id: id, product_id, status }) => ({ id, product_id, status }),
  })

  registerRoute(app, 'GET /api/v1/me/reports', {
    access: 'user',
    operationId: 'listMyReports',
    summary: 'Your reports and their outcomes, newest first',
    querystring: Type.Object(CursorQuery),
    response: answers(200, CursorPage(OwnReportSchema)),
    handler: async (request) => {
      const page = OWN.readPage(request.query)
      const rows = await listReportsBy(deps.db, { reporterId: request.caller.userId, ...page })
      return OWN.writePage(rows, page, { keys: ['report_id'], view: toOwnReport, message: 'Your reports' })
    },
  })
}

function toOwnReport(row: OwnReport) {
  return {
    ...pickFields(OwnReportSchema, row),
    id: row.report_id,
    product: { id: row.product_id, title: row.title, image: row.image },
  }
}
