import type { FastifyReply } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { actorOf } from '../../platform/http/actor.ts'
import { answers, Body, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { siteOf } from '../../platform/shared/networks.ts'
import type { App } from '../../platform/http/routes.ts'
import { Line } from '../../platform/http/text.ts'
import { register, signIn, signOut, type SignedIn } from './auth.ts'
import type { AccountRow } from '../accounts/auth.queries.ts'
import { permissionsOf } from '../permissions/permissions.ts'

const Account = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  status: Type.String(),
  permissions: Type.Array(Type.String()),
})

const SignedInAnswer = Success(
  Type.Object({
    token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    expires_at: Timestamp,
    user: Account,
  }),
)

const Credentials = Body({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
})

const Registration = Body({
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: Type.String({ minLength: 8, maxLength: 128 }),
  name: Line({ maxLength: 100 }),
})

const SignedOut = Success(Type.Object({}))

/** Ends the pushes of a user to a device (decision B10). */
export type ReleaseDevice = (userId: number, deviceId: string) => Promise<void>

/** Registration, and the sessions of users and of administrators (decisions A9, C1 to C3). */
export function registerAuthRoutes(app: App, deps: Deps, releaseDevice: ReleaseDevice): void {
  registerUserRoutes(app, deps, releaseDevice)
  registerAdminRoutes(app, deps)
}

function registerUserRoutes(app: App, deps: Deps, releaseDevice: ReleaseDevice): void {
  app.post(
    '/api/v1/register',
    {
      config: { access: 'public', limits: ['register'] },
      schema: {
        tags: ['Accounts'],
        summary: 'Create an account and sign in',
        body: Registration,
        response: answers(201, SignedInAnswer, 400, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const input = { ...request.body, site: siteOf(request.ip) }
      const signedIn = await register(deps, input, async (tx, result) =>
        request.idempotency?.completeIn(tx, 201, signedInAnswer(result, 'Registered')),
      )
      return uncached(reply).code(201).send(signedInAnswer(signedIn, 'Registered'))
    },
  )

  registerLogin(app, deps, '/api/v1/login', { adminOnly: false })

  app.get(
    '/api/v1/logout',
    {
      config: { access: 'user', effect: 'write' },
      schema: {
        tags: ['Accounts'],
        summary: 'End the session; with device_id, that device receives no more pushes for this account',
        querystring: Type.Object({ device_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
        response: answers(200, SignedOut, 401, 422),
      },
    },
    async (request) => {
      const { userId, sessionId } = principalOf(request)
      if (request.query.device_id !== undefined) await releaseDevice(userId, request.query.device_id)
      await signOut(deps, sessionId, actorOf(request))
      return ok({}, 'Signed out')
    },
  )
}

function registerAdminRoutes(app: App, deps: Deps): void {
  registerLogin(app, deps, '/api/admin/v1/login', { adminOnly: true })

  app.get(
    '/api/admin/v1/logout',
    {
      config: { access: 'user', effect: 'write' },
      schema: { tags: ['Administration'], summary: 'End the session', response: answers(200, SignedOut, 401, 422) },
    },
    async (request) => {
      await signOut(deps, principalOf(request).sessionId, actorOf(request))
      return ok({}, 'Signed out')
    },
  )

  app.get(
    '/api/admin/v1/check-token',
    {
      config: { access: 'user' },
      schema: {
        tags: ['Administration'],
        summary: 'Check a token; any answer but 200 means that it is not valid',
        response: answers(200, Success(Type.Object({ expires_at: Timestamp, user: Account })), 401),
      },
    },
    (request) => {
      const { userId, expiresAt, ...account } = principalOf(request)
      const user = accountAnswer({ ...account, user_id: userId })
      return ok({ expires_at: expiresAt.toISOString(), user }, 'The token is valid')
    },
  )
}

function registerLogin(app: App, deps: Deps, url: string, { adminOnly }: { adminOnly: boolean }): void {
  app.post(
    url,
    {
      config: { access: 'public', limits: ['login'] },
      schema: {
        tags: [adminOnly ? 'Administration' : 'Accounts'],
        summary: adminOnly ? 'Sign in as an administrator' : 'Sign in',
        body: Credentials,
        response: answers(200, SignedInAnswer, 400, 401, 403, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const signedIn = await signIn(deps, { ...request.body, site: siteOf(request.ip), adminOnly }, actorOf(request))
      return uncached(reply).send(signedInAnswer(signedIn, 'Signed in'))
    },
  )
}

/** No cache may store an answer with a token. */
function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}

function signedInAnswer({ account, session }: SignedIn, message: string): Static<typeof SignedInAnswer> {
  return ok(
    {
      token: session.token,
      token_type: 'Bearer' as const,
      expires_in: session.expiresInSeconds,
      expires_at: session.expiresAt.toISOString(),
      user: accountAnswer(account),
    },
    message,
  )
}

function accountAnswer({ user_id, username, email, name, role, status }: AccountRow): Static<typeof Account> {
  return { id: user_id, user_id, username, email, name, role, status, permissions: [...permissionsOf(role)] }
}
