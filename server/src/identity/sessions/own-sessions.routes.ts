import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, pickFields, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { nothing } from '../../platform/http/write.ts'
import { SessionId } from '../../platform/people/account-fields.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { endOtherSessions, endOwnSession } from './own-sessions.ts'
import { findOpenSessions, type OpenSession } from './sessions.queries.ts'

const PATH = '/api/v1/account/sessions'
const MOST_SHOWN = 100
const Nothing = Success(Type.Object({}))
const OwnSession = Type.Object({
  id: Type.String(),
  device: Nullable(Type.String({ description: 'Such as `Firefox on Linux`; null if it is not known.' })),
  network: Nullable(Type.String({ description: 'The network from which it was opened: an IPv4 /24 or an IPv6 /48.' })),
  created_at: Timestamp,
  last_seen_at: Type.String({ format: 'date-time', description: 'Noted at most once an hour.' }),
  expires_at: Timestamp,
  is_current: Type.Boolean({ description: 'The session of this call.' }),
})

export function registerOwnSessionsRoutes(app: App, deps: IdentityDeps): void {
  registerRoute(app, `GET ${PATH}`, {
    access: 'user',
    operationId: 'listOwnSessions',
    summary: 'Where you are signed in: up to 100 open sessions, last used first',
    response: answers(200, Success(Type.Array(OwnSession))),
    handler: async (request) => {
      const { userId, sessionId } = request.caller
      const rows = await findOpenSessions(deps.db, { userId, now: fromNow(deps.clock), limit: MOST_SHOWN })
      const sessions = rows.map((row) => toOwn(row, sessionId))
      return ok(sessions, 'Sessions')
    },
  })

  registerChange(app, deps, `DELETE ${PATH}`, {
    access: 'user',
    limits: ['account'],
    operationId: 'endOtherSessions',
    summary: 'Sign out everywhere else: ends all your sessions but this one',
    response: answers(200, Nothing),
    message: 'Other sessions ended',
    view: nothing,
    rule: (work, request) => endOtherSessions(work, { sessions: deps.sessions, sessionId: request.caller.sessionId }),
  })

  registerChange(app, deps, `DELETE ${PATH}/:session_id`, {
    access: 'user',
    limits: ['account'],
    operationId: 'endOwnSession',
    summary: 'End one of your sessions; this may be the present one',
    params: Type.Object({ session_id: SessionId }),
    response: answers(200, Nothing, 404),
    message: 'Session ended',
    view: nothing,
    rule: (work, { params }) => endOwnSession(work, { sessions: deps.sessions, sessionId: params.session_id }),
  })
}

function toOwn(row: OpenSession, current: string) {
  const { session_id: id, seen_at } = row
  return { ...pickFields(OwnSession, row), id, last_seen_at: seen_at.toISOString(), is_current: id === current }
}
