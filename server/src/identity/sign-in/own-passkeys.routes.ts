import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { requirePrincipal } from '../../platform/http/access.ts'
import { answers, Body, EmptyBody, Id, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Line } from '../../platform/http/text.ts'
import { nothing, write } from '../../platform/http/write.ts'
import { CurrentPassword } from '../../platform/people/account-fields.ts'
import { readActor } from '../../platform/http/actor.ts'
import { noteFactorUse } from '../second-factor/own-factor.ts'
import {
  addOwnPasskey,
  askOwnPasskey,
  removeOwn,
  renameOwn,
  withOwnPasskey,
  type AddedPasskey,
} from '../second-factor/own-passkeys.ts'
import { askForPasskey, checkNew, checkProof, ownPasskeys, spendPasskey } from '../second-factor/passkeys.ts'
import { findRelyingParty, theRelyingParty } from '../second-factor/relying-party.ts'
import { confirmOwner } from './auth.ts'
import { ownSession } from './own-factor.routes.ts'
import {
  assertionFrom,
  CreationOptions,
  Credential,
  credentialFrom,
  OwnPasskey,
  RequestOptions,
  Signed,
  toCreation,
  toPasskey,
  toRequest,
} from './passkeys.views.ts'

const PATH = '/api/v1/account/passkeys'
// They are not below PATH, where `options` and `show` would be read as ids.
const OPTIONS = '/api/v1/account/passkey-options'
const SHOW = '/api/v1/account/show-passkey'
const LIMITS = ['account'] as ['account']
const ONCE = 'Its challenge is valid once.'

const Name = Line({ maxLength: 60, description: 'So that you recognise the device.' })
const ById = Type.Object({ passkey_id: Id })
const List = Type.Object({
  is_available: Type.Boolean({ description: 'Whether passkeys work at this address of the panel.' }),
  passkeys: Type.Array(OwnPasskey),
})
const Added = Type.Object({
  passkey: OwnPasskey,
  recovery_codes: Type.Array(Type.String(), {
    description: 'Ten, shown only here, if this is the first second factor of the account; otherwise none.',
  }),
})

export function registerOwnPasskeysRoutes(app: App, deps: IdentityDeps): void {
  registerList(app, deps)
  registerNew(app, deps)
  registerShow(app, deps)
}

function registerList(app: App, deps: IdentityDeps): void {
  app.get(PATH, {
    config: { access: 'user' },
    schema: {
      operationId: 'listPasskeys',
      summary: 'Your passkeys, the oldest first',
      response: answers(200, Success(List)),
    },
    handler: async (request) => {
      const passkeys = await ownPasskeys(deps.db, requirePrincipal(request).userId)
      const is_available = findRelyingParty(deps.config, request.host) !== undefined
      return ok({ is_available, passkeys: passkeys.map(toPasskey) }, 'Passkeys')
    },
  })

  app.patch(`${PATH}/:passkey_id`, {
    config: { access: 'user', limits: LIMITS },
    schema: {
      operationId: 'renamePasskey',
      summary: 'Rename one of your passkeys',
      params: ById,
      body: Body({ name: Name }),
      response: answers(200, Success(OwnPasskey), 404),
    },
    handler: async (request, reply) => {
      const change = { passkeyId: request.params.passkey_id, name: request.body.name }
      return write(deps, { request, reply }, { message: 'Passkey renamed', view: toPasskey }, (work) =>
        renameOwn(work, change),
      )
    },
  })

  app.delete(`${PATH}/:passkey_id`, {
    config: { access: 'user', limits: LIMITS },
    schema: {
      operationId: 'removePasskey',
      summary: 'Remove one of your passkeys and end your other sessions',
      description: 'This session must have shown a second factor in the last ten minutes.',
      params: ById,
      response: answers(200, Success(Type.Object({})), 403, 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Passkey removed', view: nothing }, (work) =>
        removeOwn(work, { ...ownSession(deps, request), passkeyId: request.params.passkey_id }),
      ),
  })
}

function registerNew(app: App, deps: IdentityDeps): void {
  app.post(OPTIONS, {
    config: { access: 'user', limits: LIMITS, notIdempotent: ONCE },
    schema: {
      operationId: 'startPasskey',
      summary: 'Start adding a passkey: returns the options for the browser, valid for 5 minutes',
      description:
        'Requires your password if your account has no second factor. Otherwise this session must have shown a second factor in the last ten minutes.',
      body: Body({ current_password: Type.Optional(CurrentPassword) }),
      response: answers(200, Success(CreationOptions), 403, 409),
    },
    handler: async (request, reply) => {
      const party = theRelyingParty(deps.config, request.host)
      const { sessionId } = requirePrincipal(request)
      await confirmOwner(deps, { by: readActor(request), sessionId, password: request.body.current_password })
      return write(deps, { request, reply }, { message: 'Options for the browser', view: toCreation }, (work) =>
        askOwnPasskey(work, party),
      )
    },
  })

  app.post(PATH, {
    config: { access: 'user', limits: LIMITS, notIdempotent: ONCE },
    schema: {
      operationId: 'addPasskey',
      summary: 'Add the passkey that the browser created; with your first second factor you get ten recovery codes',
      description: 'Every later sign-in requires a second factor. If this is your first one, your other sessions end.',
      body: Body({ name: Name, credential: Credential }),
      response: answers(201, Success(Added), 403, 409),
    },
    handler: async (request, reply) => {
      const { name, credential } = request.body
      const party = theRelyingParty(deps.config, request.host)
      const { userId } = requirePrincipal(request)
      const key = await checkNew(deps, { userId, party, given: credentialFrom(credential) })
      const input = { own: ownSession(deps, request), key: { ...key, name, transports: credential.transports } }
      return write(deps, { request, reply }, { status: 201, message: 'Passkey added', view: toAdded }, (work) =>
        addOwnPasskey(work, input),
      )
    },
  })
}

function registerShow(app: App, deps: IdentityDeps): void {
  app.post(`${SHOW}/options`, {
    config: { access: 'user', limits: LIMITS, notIdempotent: ONCE },
    schema: {
      operationId: 'askForPasskey',
      summary: 'Start showing one of your passkeys: returns the options for the browser, valid for 5 minutes',
      body: EmptyBody,
      response: answers(200, Success(RequestOptions), 409),
    },
    handler: async (request, reply) => {
      const party = theRelyingParty(deps.config, request.host)
      const input = { purpose: 'prove', userId: requirePrincipal(request).userId, party } as const
      return write(deps, { request, reply }, { message: 'Options for the browser', view: toRequest }, (work) =>
        askForPasskey(work, input),
      )
    },
  })

  app.post(SHOW, {
    config: { access: 'user', limits: LIMITS, notIdempotent: ONCE },
    schema: {
      operationId: 'showPasskey',
      summary: 'Show one of your passkeys, so that this session may change your second factor for ten minutes',
      body: Body({ passkey: Signed }),
      response: answers(200, Success(Type.Object({})), 409),
    },
    handler: async (request, reply) => {
      const party = theRelyingParty(deps.config, request.host)
      const { userId } = requirePrincipal(request)
      return withOwnPasskey(deps, readActor(request), async () => {
        const signed = await checkProof(deps, { userId, party, given: assertionFrom(request.body.passkey) })
        return write(deps, { request, reply }, { message: 'Passkey shown', view: nothing }, async (work) => {
          const kind = await spendPasskey(work, signed)
          await noteFactorUse(work, { ...ownSession(deps, request), kind })
        })
      })
    },
  })
}

function toAdded({ passkey, recoveryCodes }: AddedPasskey) {
  return { passkey: toPasskey(passkey), recovery_codes: recoveryCodes }
}
