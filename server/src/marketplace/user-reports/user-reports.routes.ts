import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { write } from '../../platform/http/write.ts'
import { reportUser, USER_REPORT_REASONS } from './user-reports.ts'
import type { UserReport } from './user-reports.queries.ts'

const Received = Type.Object({ id: Type.Integer(), user_id: Type.Integer(), status: Type.Literal('open') })

export function registerUserReportRoutes(app: App, deps: Deps): void {
  app.post('/api/v1/users/:id/report', {
    config: { access: 'user', limits: ['user-report'] },
    schema: {
      operationId: 'reportUser',
      summary: 'Report a person to the administrators; the person is not informed',
      params: Type.Object({ id: Id }),
      body: Body({
        reason: Type.Enum([...USER_REPORT_REASONS]),
        details: Type.Optional(Lines({ maxLength: 2_000 })),
      }),
      response: answers(201, Success(Received), 404),
    },
    handler: async (request, reply) => {
      const { reason, details = null } = request.body
      const given = { userId: request.params.id, reporterId: principalOf(request).userId, reason, details }
      const answer = { status: 201, message: 'Report received', view: toReceived } as const
      return write(deps, { request, reply }, answer, ({ tx }) => reportUser(deps, tx, given))
    },
  })
}

function toReceived({ report_id: id, user_id }: UserReport) {
  return { id, user_id, status: 'open' as const }
}
