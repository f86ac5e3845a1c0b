import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { SessionId } from '../../platform/people/account-fields.ts'
import { endAllSessions, endSession, sendSupportMail, SUPPORT_MAILS, type SupportMail } from './support.ts'

const ById = Type.Object({ id: Id })
const AllEnded = Type.Object({ user_id: Type.Integer() })
const Kind = Type.Enum(SUPPORT_MAILS)
const Queued = Type.Object({ user_id: Type.Integer(), kind: Kind })
const Ended = Type.Object({ user_id: Type.Integer(), session_id: Type.String() })

export function registerSupportRoutes(app: App, deps: PushDeps): void {
  const { sessions } = deps

  app.delete('/api/admin/v1/user/:id/sessions/:session_id', {
    config: { access: 'users' },
    schema: {
      operationId: 'endUserSession',
      summary: 'End one session of a user',
      params: Type.Object({ id: Id, session_id: SessionId }),
      response: answers(200, Success(Ended), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Session ended', view: toEnded }, (work) =>
        endSession(work, { sessions, userId: request.params.id, sessionId: request.params.session_id }),
      ),
  })

  app.delete('/api/admin/v1/user/:id/sessions', {
    config: { access: 'users' },
    schema: {
      operationId: 'endUserSessions',
      summary: 'End all sessions of a user',
      params: ById,
      response: answers(200, Success(AllEnded), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Sessions ended', view: toAllEnded }, (work) =>
        endAllSessions(work, { sessions, userId: request.params.id }),
      ),
  })

  app.post('/api/admin/v1/user/:id/mails', {
    config: { access: 'users' },
    schema: {
      operationId: 'sendSupportMail',
      summary: 'Send a user the mail for a new password, or for confirming the address',
      params: ById,
      body: Body({ kind: Kind }),
      response: answers(202, Success(Queued), 404),
    },
    handler: async (request, reply) => {
      const answer = { status: 202, message: 'A mail is on its way to the user', view: toQueued } as const
      const mail = { userId: request.params.id, kind: request.body.kind }
      return write(deps, { request, reply }, answer, (work) => sendSupportMail(work, mail))
    },
  })
}

function toAllEnded(userId: number) {
  return { user_id: userId }
}

function toQueued({ userId, kind }: SupportMail) {
  return { user_id: userId, kind }
}

function toEnded({ userId, sessionId }: { userId: number; sessionId: string }) {
  return { user_id: userId, session_id: sessionId }
}
