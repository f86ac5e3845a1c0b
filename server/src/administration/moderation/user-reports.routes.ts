import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, Id, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Lines, Words } from '../../platform/http/text.ts'
import { write } from '../../platform/http/write.ts'
import { rangeIn, rangeOf, sortedBy, wordsOf } from '../../platform/lists/listing.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import { siteOf } from '../../platform/shared/networks.ts'
import { findUserReports, listUserReports } from '../../marketplace/user-reports/user-reports.queries.ts'
import { REPORT_STATUSES } from '../../marketplace/product-reports/outcomes.ts'
import { assignUserReport, resolveUserReport } from './user-reports.ts'
import { decide, HELD, UndoQuery } from '../desk/decide.routes.ts'
import { USER_REPORT_REASONS } from '../../marketplace/user-reports/user-reports.ts'
import { ByReport, chosenBy } from './product-reports.routes.ts'
import { toUserReport, UserReport } from './user-reports.views.ts'

export function registerReportedUsersRoutes(app: App, deps: Deps): void {
  registerList(app, deps)
  registerDecisions(app, deps)
}

function registerList(app: App, deps: Deps): void {
  app.get('/api/admin/v1/report/reported-users', {
    config: { access: 'user-reports' },
    schema: {
      operationId: 'listUserReports',
      summary: 'Reports about users, newest first by default',
      querystring: Type.Object({
        ...PageQuery,
        ...rangeIn('Reports made'),
        ...sortedBy(['created_at'], 'desc'),
        status: Type.Optional(Words(REPORT_STATUSES)),
        reason: Type.Optional(Words(USER_REPORT_REASONS)),
        user_id: Type.Optional(Id),
      }),
      response: answers(200, Page(UserReport)),
    },
    handler: async ({ query }) => {
      const page = pageOf(query)
      const { from, to } = rangeOf(query)
      const filter = {
        userId: query.user_id,
        statuses: wordsOf(query.status, REPORT_STATUSES),
        reasons: wordsOf(query.reason, USER_REPORT_REASONS),
        from,
        to,
      }
      const order = { by: 'created_at', direction: query.sort_order ?? 'desc' } as const
      const { ids, total } = await findUserReports(deps, filter, { ...page, ...order })
      return paginated((await listUserReports(deps.db, ids)).map(toUserReport), total, page, 'Reported users')
    },
  })
}

function registerDecisions(app: App, deps: Deps): void {
  app.post('/api/admin/v1/report/reported-users/:report_id/assign', {
    config: { access: 'user-reports' },
    schema: {
      operationId: 'assignUserReport',
      summary: 'Assign a report to an administrator, by default yourself, and start its review',
      params: ByReport,
      body: Nullable(Body({ assignee_id: Type.Optional(Id) })),
      response: answers(200, Success(UserReport), 404, 412),
    },
    handler: async (request, reply) => {
      const assigneeId = request.body?.assignee_id ?? principalOf(request).userId
      return write(deps, { request, reply }, { message: 'Report assigned', view: toUserReport }, ({ tx, by: caller }) =>
        assignUserReport(deps, tx, caller, { ...chosenBy(request), assigneeId }),
      )
    },
  })

  app.post('/api/admin/v1/report/reported-users/:report_id/resolve', {
    config: { access: 'user-reports' },
    schema: {
      operationId: 'resolveUserReport',
      summary: 'Resolve a report about a user with the action taken, or dismiss it',
      description: '`suspend_user` requires the right `users`. The note becomes the reason for the suspension.',
      params: ByReport,
      querystring: UndoQuery,
      body: Body({
        action: Type.Enum(['suspend_user', 'other', 'dismiss']),
        note: Type.Optional(Lines({ maxLength: 1_000 })),
      }),
      response: { ...answers(200, Success(UserReport), 404, 412), ...HELD },
    },
    handler: async (request, reply) => {
      const { action, note = null } = request.body
      const from = { sessionId: principalOf(request).sessionId, site: siteOf(request.ip) }
      const resolution = { ...chosenBy(request), from, action, note }
      const decision = {
        kind: 'user_report',
        recordId: resolution.reportId,
        verdict: action,
        request: resolution,
      } as const
      const answer = { message: 'Report resolved', view: toUserReport }
      return decide(deps, { request, reply }, answer, { ...decision, rule: resolveUserReport })
    },
  })
}
