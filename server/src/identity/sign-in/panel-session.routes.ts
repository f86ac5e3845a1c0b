import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { nothing, write, type Exchange } from '../../platform/http/write.ts'
import { Credentials } from '../../platform/people/account-fields.ts'
import { setCookie } from '../../platform/http/session-cookie.ts'
import { findRelyingParty, theRelyingParty } from '../second-factor/relying-party.ts'
import { signIn, signOut } from './auth.ts'
import { Account, accountAnswer, FACTOR_AWAITED, Pending, PendingToken, SecondStep, toPending } from './auth.views.ts'
import type { SignedIn } from './open-session.ts'
import { assertionFrom, RequestOptions, Signed, toRequest } from './passkeys.views.ts'
import { askAtSignIn, continueSignIn, continueWithPasskey } from './pending.ts'

const PATH = '/api/admin/v1/session'
const PanelSession = Success(Type.Object({ expires_at: Timestamp, user: Account }))

/** The token stays in a cookie that no script can read (decision C2). */
export function registerPanelSessionRoutes(app: App, deps: IdentityDeps): void {
  registerRoute(app, `POST ${PATH}`, {
    access: 'public',
    limits: ['login'],
    notIdempotent: 'Its cookie is no part of a stored answer.',
    ownTransactions: 'The password is checked outside of any, and a refusal is recorded too.',
    operationId: 'openPanelSession',
    summary: 'Sign in to the panel; the session is in a cookie',
    description: `202 for an administrator with a second factor. Then send a code to POST ${PATH}/second-factor, or start with POST ${PATH}/passkey/options.`,
    body: Credentials,
    response: { ...answers(200, PanelSession, 401, 403), ...answers(202, Success(Pending)) },
    handler: async (request, reply) => {
      const signedIn = await signIn(deps, { ...request.body, adminOnly: true, by: readActor(request) })
      if ('session' in signedIn) return opened(deps, { request, reply }, signedIn)
      return reply
        .code(202)
        .header('Cache-Control', 'no-store')
        .send(ok(toPending(signedIn, findRelyingParty(deps.config, request.host)), FACTOR_AWAITED))
    },
  })

  registerRoute(app, `POST ${PATH}/second-factor`, {
    access: 'public',
    limits: ['login'],
    notIdempotent: 'Its token counts once.',
    ownTransactions: 'A wrong code is counted and recorded outside of the transaction that it ends.',
    operationId: 'signInToPanelWithSecondFactor',
    summary: 'The second step of signing in to the panel, with the token of the first step and a code',
    body: SecondStep,
    response: answers(200, PanelSession, 401, 403),
    handler: async (request, reply) => {
      const { pending_token: token, code } = request.body
      const signedIn = await continueSignIn(deps, { token, code, by: readActor(request), atPanel: true })
      return opened(deps, { request, reply }, signedIn)
    },
  })

  registerPasskeyStep(app, deps)

  registerRoute(app, `DELETE ${PATH}`, {
    access: 'user',
    operationId: 'closePanelSession',
    summary: 'Sign out of the panel',
    response: answers(200, Success(Type.Object({}))),
    handler: async (request, reply) => {
      setCookie(deps.config, { request, reply }, { value: '', seconds: 0 })
      const { sessionId } = request.caller
      return write(deps, { request, reply }, { message: 'Signed out', view: nothing }, (work) =>
        signOut(work, { sessions: deps.sessions, sessionId }),
      )
    },
  })
}

function registerPasskeyStep(app: App, deps: IdentityDeps): void {
  registerRoute(app, `POST ${PATH}/passkey/options`, {
    access: 'public',
    limits: ['login'],
    notIdempotent: 'Its challenge is valid once.',
    ownTransactions: 'It is one statement.',
    operationId: 'askForPasskeyAtSignIn',
    summary: 'Start the second step of a sign-in to the panel with a passkey: returns the options for the browser',
    body: Body({ pending_token: PendingToken }),
    response: answers(200, Success(RequestOptions), 401, 409),
    handler: async (request, reply) => {
      const party = theRelyingParty(deps.config, request.host)
      void reply.header('Cache-Control', 'no-store')
      return ok(
        toRequest(await askAtSignIn(deps, { token: request.body.pending_token, party })),
        'Options for the browser',
      )
    },
  })

  registerRoute(app, `POST ${PATH}/passkey`, {
    access: 'public',
    limits: ['login'],
    notIdempotent: 'Its token counts once.',
    ownTransactions: 'A wrong passkey is counted and recorded outside of the transaction that it ends.',
    operationId: 'signInToPanelWithPasskey',
    summary: 'The second step of a sign-in to the panel, with the token of the first step and a signature of a passkey',
    body: Body({ pending_token: PendingToken, passkey: Signed }),
    response: answers(200, PanelSession, 401, 403, 409),
    handler: async (request, reply) => {
      const { pending_token: token, passkey } = request.body
      const party = theRelyingParty(deps.config, request.host)
      const step = { token, party, given: assertionFrom(passkey), by: readActor(request) }
      return opened(deps, { request, reply }, await continueWithPasskey(deps, step))
    },
  })
}

function opened({ config }: IdentityDeps, exchange: Exchange, { account, session, lacksFactor }: SignedIn) {
  setCookie(config, exchange, { value: session.token, seconds: session.expiresInSeconds })
  return ok({ expires_at: session.expiresAt.toISOString(), user: accountAnswer(account, { lacksFactor }) }, 'Signed in')
}
