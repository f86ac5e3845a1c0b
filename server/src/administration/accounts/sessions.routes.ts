import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { answers, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { SessionId } from '../../platform/people/account-fields.ts'
import { endSession, type EndedSession } from './end-session.ts'

const Ended = Type.Object({ user_id: Type.Integer(), session_id: Type.String() })

export function registerUserSessionsRoutes(app: App, deps: Deps): void {
  app.delete('/api/admin/v1/user/:id/sessions/:session_id', {
    config: { access: 'users' },
    schema: {
      operationId: 'endUserSession',
      summary: 'End one session of a user',
      params: Type.Object({ id: Id, session_id: SessionId }),
      response: answers(200, Success(Ended), 401, 403, 404, 422),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Session ended', view: toEnded }, (tx, caller) =>
        endSession(deps, tx, caller, { userId: request.params.id, sessionId: request.params.session_id }),
      ),
  })
}

function toEnded({ userId, sessionId }: EndedSession) {
  return { user_id: userId, session_id: sessionId }
}
