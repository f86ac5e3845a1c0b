import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import { SessionId } from '../../platform/people/account-fields.ts'
import { endAllSessions, endSession, sendSupportMail, SUPPORT_MAILS } from './support.ts'

const AllEnded = Type.Object({ user_id: Type.Integer() })
const Kind = Type.Enum(SUPPORT_MAILS)
const Queued = Type.Object({ user_id: Type.Integer(), kind: Kind })
const Ended = Type.Object({ user_id: Type.Integer(), session_id: Type.String() })

export function registerSupportRoutes(app: App, deps: PushDeps): void {
  const { sessions } = deps

  registerChange(app, deps, 'DELETE /api/admin/v1/user/:id/sessions/:session_id', {
    access: 'users',
    operationId: 'endUserSession',
    summary: 'End one session of a user',
    params: Type.Object({ id: Id, session_id: SessionId }),
    response: answers(200, Success(Ended), 404),
    message: 'Session ended',
    rule: (work, { params }) => endSession(work, { sessions, userId: params.id, sessionId: params.session_id }),
    view: ({ userId, sessionId }) => ({ user_id: userId, session_id: sessionId }),
  })

  registerChange(app, deps, 'DELETE /api/admin/v1/user/:id/sessions', {
    access: 'users',
    operationId: 'endUserSessions',
    summary: 'End all sessions of a user',
    response: answers(200, Success(AllEnded), 404),
    message: 'Sessions ended',
    view: (user_id: number) => ({ user_id }),
    rule: (work, { params }) => endAllSessions(work, { sessions, userId: params.id }),
  })

  registerChange(app, deps, 'POST /api/admin/v1/user/:id/mails', {
    access: 'users',
    operationId: 'sendSupportMail',
    summary: 'Send a user the mail for a new password, or for confirming the address',
    body: Body({ kind: Kind }),
    response: answers(202, Success(Queued), 404),
    message: 'A mail is on its way to the user',
    rule: (work, { params, body }) => sendSupportMail(work, { userId: params.id, kind: body.kind }),
    view: ({ userId, kind }) => ({ user_id: userId, kind }),
  })
}
