import { Credentials, LanguageTag, Name, UserPassword } from '../../platform/people/account-fields.ts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { findLanguage, LANGUAGES, preferredLanguage } from '../../platform/shared/languages.ts'
import type { Work } from '../../platform/work/work.ts'
import { findRelyingParty } from '../second-factor/relying-party.ts'
import { hashedForNew, register, signIn, signOut } from './auth.ts'
import {
  Account,
  accountAnswer,
  FACTOR_AWAITED,
  Pending,
  SecondStep,
  Session,
  toPending,
  toSignedIn,
} from './auth.views.ts'
import { continueSignIn } from './pending.ts'

const Registration = Body({
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: UserPassword,
  name: Name,
  language: Type.Optional(LanguageTag),
})

const SignedOut = Success(Type.Object({}))

export type ReleaseDevice = (work: Work, device: { userId: number; deviceId: string }) => Promise<unknown>

export function registerAuthRoutes(app: App, deps: IdentityDeps, releaseDevice: ReleaseDevice): void {
  registerUserRoutes(app, deps, releaseDevice)

  registerLogin(app, deps, '/api/admin/v1/login', { adminOnly: true })

  registerChange(app, deps, 'GET /api/admin/v1/logout', {
    access: 'user',
    effect: 'write',
    tags: ['Administration'],
    operationId: 'signOutAsAdmin',
    summary: 'End the session',
    response: answers(200, SignedOut),
    ...SIGNED_OUT,
    rule: (work, request) => signOut(work, { sessions: deps.sessions, sessionId: request.caller.sessionId }),
  })

  registerRoute(app, 'GET /api/admin/v1/check-token', {
    access: 'user',
    tags: ['Administration'],
    operationId: 'checkToken',
    summary: 'Check a token; any answer other than 200 means that it is not valid',
    response: answers(200, Success(Type.Object({ expires_at: Timestamp, user: Account }))),
    handler: (request) => {
      const { userId, expiresAt, accountRole, role: effective, lacksFactor, ...account } = request.caller
      const user = accountAnswer({ ...account, role: accountRole, user_id: userId }, { lacksFactor, effective })
      return ok({ expires_at: expiresAt.toISOString(), user }, 'The token is valid')
    },
  })

  registerRoute(app, 'POST /api/v1/login/second-factor', {
    access: 'public',
    limits: ['login'],
    notIdempotent: 'Its token counts once.',
    ownTransactions: 'A wrong code is counted and recorded outside of the transaction that it ends.',
    operationId: 'signInWithSecondFactor',
    summary:
      'The second step of signing in, with the token of the first step and a code of your app or a recovery code',
    body: SecondStep,
    response: answers(200, Success(Session), 401, 403),
    handler: async (request, reply) => {
      const { pending_token: token, code } = request.body
      const signedIn = await continueSignIn(deps, { token, code, by: readActor(request) })
      void uncached(reply)
      return ok(toSignedIn(signedIn), 'Signed in')
    },
  })
}

function registerUserRoutes(app: App, deps: IdentityDeps, releaseDevice: ReleaseDevice): void {
  registerRoute(app, 'POST /api/v1/register', {
    access: 'public',
    limits: ['register'],
    operationId: 'register',
    summary: 'Create an account and sign in',
    description: 'Without `language`, pushes and mails are in the language that `Accept-Language` prefers.',
    body: Registration,
    response: answers(201, Success(Session)),
    handler: async (request, reply) => {
      const { email, name, language: tag } = request.body
      const known = tag === undefined ? preferredLanguage(request.headers['accept-language']) : findLanguage(tag)
      const language = known ?? LANGUAGES[0]
      const { sessions, activity } = deps
      const password = await hashedForNew(deps, request.body)
      const answer = { status: 201, message: 'Registered', view: toSignedIn } as const
      return write(deps, { request, reply: uncached(reply) }, answer, (work) =>
        register(work, { sessions, activity, email, name, language, password }),
      )
    },
  })

  registerLogin(app, deps, '/api/v1/login', { adminOnly: false })

  registerChange(app, deps, 'GET /api/v1/logout', {
    access: 'user',
    effect: 'write',
    operationId: 'signOut',
    summary: 'End the session; with device_id, that device receives no more pushes for this account',
    querystring: Type.Object({ device_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
    response: answers(200, SignedOut),
    ...SIGNED_OUT,
    rule: async (work, request) => {
      const { userId, sessionId } = request.caller
      const { device_id: deviceId } = request.query

      if (deviceId !== undefined) await releaseDevice(work, { userId, deviceId })
      await signOut(work, { sessions: deps.sessions, sessionId })
    },
  })
}

function registerLogin(app: App, deps: IdentityDeps, url: string, { adminOnly }: { adminOnly: boolean }): void {
  registerRoute(app, `POST ${url}`, {
    access: 'public',
    limits: ['login'],
    ownTransactions: 'The password is checked outside of any, and a refusal is recorded too.',
    tags: [adminOnly ? 'Administration' : 'Accounts'],
    operationId: adminOnly ? 'signInAsAdmin' : 'signIn',
    summary: adminOnly ? 'Sign in as an administrator' : 'Sign in',
    description: '202 for an administrator with a second factor. Then send a code to POST /api/v1/login/second-factor.',
    body: Credentials,
    response: { ...answers(200, Success(Session), 401, 403), ...answers(202, Success(Pending)) },
    handler: async (request, reply) => {
      const signedIn = await signIn(deps, { ...request.body, adminOnly, by: readActor(request) })
      void uncached(reply)
      if ('session' in signedIn) return ok(toSignedIn(signedIn), 'Signed in')
      return reply.code(202).send(ok(toPending(signedIn, findRelyingParty(deps.config, request.host)), FACTOR_AWAITED))
    },
  })
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}

const SIGNED_OUT = { message: 'Signed out', view: nothing }
