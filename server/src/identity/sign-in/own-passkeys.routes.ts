import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, Body, EmptyBody, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
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
  askForPasskey,
  checkNew,
  checkProof,
  ownPasskeys,
  spendPasskey,
} from '../second-factor/passkeys.ts'
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
const OWN = { access: 'user', limits: ['account'] as ['account'] } as const
const ONCE = { ...OWN, notIdempotent: 'Its challenge is valid once.' }

const Name = Line({ maxLength: 60, description: 'So that you recognise the device.' })
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

  registerChange(app, deps, `POST ${SHOW}/options`, {
    ...ONCE,
    operationId: 'askForPasskey',
    summary: 'Start showing one of your passkeys: returns the options for the browser, valid for 5 minutes',
    body: EmptyBody,
    response: answers(200, Success(RequestOptions), 409),
    message: 'Options for the browser',
    view: toRequest,
    rule: (work, request) => {
      const party = theRelyingParty(deps.config, request.host)
      return askForPasskey(work, { purpose: 'prove', userId: request.caller.userId, party })
    },
  })

  registerRoute(app, `POST ${SHOW}`, {
    ...ONCE,
    operationId: 'showPasskey',
    summary: 'Show one of your passkeys, so that this session may change your second factor for ten minutes',
    body: Body({ passkey: Signed }),
    response: answers(200, Success(Type.Object({})), 409),
    handler: async (request, reply) => {
      const party = theRelyingParty(deps.config, request.host)
      const { userId } = request.caller
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

function registerList(app: App, deps: IdentityDeps): void {
  registerRoute(app, `GET ${PATH}`, {
    access: 'user',
    operationId: 'listPasskeys',
    summary: 'Your passkeys, the oldest first',
    response: answers(200, Success(List)),
    handler: async (request) => {
      const passkeys = await ownPasskeys(deps.db, request.caller.userId)
      const is_available = findRelyingParty(deps.config, request.host) !== undefined
      return ok({ is_available, passkeys: passkeys.map(toPasskey) }, 'Passkeys')
    },
  })

  registerChange(app, deps, `PATCH ${PATH}/:passkey_id`, {
    ...OWN,
    operationId: 'renamePasskey',
    summary: 'Rename one of your passkeys',
    body: Body({ name: Name }),
    response: answers(200, Success(OwnPasskey), 404),
    message: 'Passkey renamed',
    view: toPasskey,
    rule: (work, { params, body }) => renameOwn(work, { passkeyId: params.passkey_id, name: body.name }),
  })

  registerChange(app, deps, `DELETE ${PATH}/:passkey_id`, {
    ...OWN,
    operationId: 'removePasskey',
    summary: 'Remove one of your passkeys and end your other sessions',
    description: 'This session must have shown a second factor in the last ten minutes.',
    response: answers(200, Success(Type.Object({})), 403, 404),
    message: 'Passkey removed',
    view: nothing,
    rule: (work, request) => removeOwn(work, { ...ownSession(deps, request), passkeyId: request.params.passkey_id }),
  })
}

function registerNew(app: App, deps: IdentityDeps): void {
  registerChange(app, deps, `POST ${OPTIONS}`, {
    ...ONCE,
    operationId: 'startPasskey',
    summary: 'Start adding a passkey: returns the options for the browser, valid for 5 minutes',
    description:
      'Requires your password if your account has no second factor. Otherwise this session must have shown a second factor in the last ten minutes.',
    body: Body({ current_password: Type.Optional(CurrentPassword) }),
    response: answers(200, Success(CreationOptions), 403, 409),
    message: 'Options for the browser',
    view: toCreation,
    prepare: async (request) => {
      const party = theRelyingParty(deps.config, request.host)
      const { sessionId } = request.caller
      await confirmOwner(deps, { by: readActor(request), sessionId, password: request.body.current_password })
      return party
    },
    rule: (work, _, party) => askOwnPasskey(work, party),
  })

  registerChange(app, deps, `POST ${PATH}`, {
    ...ONCE,
    operationId: 'addPasskey',
    summary: 'Add the passkey that the browser created; with your first second factor you get ten recovery codes',
    description: 'Every later sign-in requires a second factor. If this is your first one, your other sessions end.',
    body: Body({ name: Name, credential: Credential }),
    response: answers(201, Success(Added), 403, 409),
    message: 'Passkey added',
    view: toAdded,
    prepare: ({ caller: { userId }, host, body }) => {
      const party = theRelyingParty(deps.config, host)
      return checkNew(deps, { userId, party, given: credentialFrom(body.credential) })
    },
    rule: (work, request, checked) => {
      const { name, credential } = request.body
      const key = { ...checked, name, transports: credential.transports }
      return addOwnPasskey(work, { own: ownSession(deps, request), key })
    },
  })
}

function toAdded({ passkey, recoveryCodes }: AddedPasskey) {
  return { passkey: toPasskey(passkey), recovery_codes: recoveryCodes }
}
