import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { actorOf } from '../../platform/http/actor.ts'
import { answers, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { SESSION_COOKIE } from '../../platform/http/session-cookie.ts'
import { siteOf } from '../../platform/shared/networks.ts'
import { signIn, signOut } from './auth.ts'
import { Account, accountAnswer, Credentials } from './auth.views.ts'

const PATH = '/api/admin/v1/session'
const PanelSession = Success(Type.Object({ expires_at: Timestamp, user: Account }))

/** Sign-in of the panel: the token stays in a cookie that no script can read (decision C2). */
export function registerPanelSessionRoutes(app: App, deps: Deps): void {
  app.post(
    PATH,
    {
      config: {
        access: 'public',
        limits: ['login'],
        ownTransactions: 'The password is checked outside of any, and a refusal is recorded too.',
      },
      schema: {
        tags: ['Administration'],
        operationId: 'openPanelSession',
        summary: 'Sign in to the panel; the session is in a cookie',
        body: Credentials,
        response: answers(200, PanelSession, 400, 401, 403, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const input = { ...request.body, site: siteOf(request.ip), adminOnly: true }
      const { account, session } = await signIn(deps, input, actorOf(request))
      setCookie(request, reply, session.token, session.expiresInSeconds)
      return ok({ expires_at: session.expiresAt.toISOString(), user: accountAnswer(account) }, 'Signed in')
    },
  )

  app.delete(
    PATH,
    {
      config: { access: 'user' },
      schema: {
        tags: ['Administration'],
        operationId: 'closePanelSession',
        summary: 'Sign out of the panel',
        response: answers(200, Success(Type.Object({})), 401, 422),
      },
    },
    async (request, reply) => {
      setCookie(request, reply, '', 0)
      const { sessionId } = principalOf(request)
      return write(deps, { request, reply }, { message: 'Signed out', view: nothing }, (tx, caller) =>
        signOut(deps, tx, sessionId, caller),
      )
    },
  )
}

/** `Strict`: a request that another site makes never carries it. */
function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const cookie = `${SESSION_COOKIE}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  void reply.header('Set-Cookie', cookie).header('Cache-Control', 'no-store')
}
