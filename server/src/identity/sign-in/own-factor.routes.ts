import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { nothing } from '../../platform/http/write.ts'
import { CurrentPassword } from '../../platform/people/account-fields.ts'
import { toSite } from '../../platform/shared/networks.ts'
import {
  confirmOwn,
  renewOwnCodes,
  showOwnCode,
  startOwn,
  turnOwnOff,
  withOwnCode,
  type OwnSession,
} from '../second-factor/own-factor.ts'
import { factorState } from '../second-factor/second-factor.ts'
import { confirmPassword } from './auth.ts'
import { Code } from './auth.views.ts'

const PATH = '/api/v1/account/second-factor'
const OWN = { access: 'user', limits: ['account'] as ['account'] } as const
const SHOWN_ONCE = { ...OWN, notIdempotent: 'Its answer is shown once and is not kept.' }
const CODE_ONCE = { ...OWN, notIdempotent: 'Its code is valid once.' }

const State = Type.Object({
  enabled: Type.Boolean({ description: 'Whether codes of an app are set up; passkeys are in another list.' }),
  required: Type.Boolean({ description: 'The service requires it for roles that may use the panel.' }),
  confirmed_at: Nullable(Timestamp),
  recovery_codes_left: Type.Integer(),
})
const Secret = Type.Object({
  secret: Type.String({ description: 'Base32, for typing into an app.' }),
  uri: Type.String({ description: 'otpauth://…, for a QR code.' }),
})
const Codes = Type.Object({ recovery_codes: Type.Array(Type.String()) })
const WithCode = Body({ code: Code })

export function registerOwnFactorRoutes(app: App, deps: IdentityDeps): void {
  registerRoute(app, `GET ${PATH}`, {
    access: 'user',
    operationId: 'getSecondFactor',
    summary: 'Whether your account has codes of an app, and how many recovery codes are left',
    response: answers(200, Success(State)),
    handler: async (request) => {
      const { confirmedAt, recoveryCodesLeft } = await factorState(deps.db, request.caller.userId)
      const state = {
        enabled: confirmedAt !== null,
        required: deps.config.SECOND_FACTOR === 'required',
        confirmed_at: confirmedAt?.toISOString() ?? null,
        recovery_codes_left: recoveryCodesLeft,
      }
      return ok(state, 'Second factor')
    },
  })

  registerChange(app, deps, `POST ${PATH}`, {
    ...SHOWN_ONCE,
    operationId: 'startSecondFactor',
    summary: 'Start setting up codes of an app; the answer shows the secret for your app once',
    description:
      'It becomes active when you confirm it with a code within 15 minutes. If your account has passkeys, this session must have shown a second factor in the last ten minutes.',
    body: Body({ current_password: CurrentPassword }),
    response: answers(201, Success(Secret), 403, 409),
    message: 'Confirm it with a code of your app',
    view: (made: { secret: string; uri: string }) => made,
    prepare: ({ caller: { userId }, body, ip }) =>
      confirmPassword(deps, { userId, password: body.current_password, site: toSite(ip) }),
    rule: (work, request) => startOwn(work, ownSession(deps, request)),
  })

  const checkingCode = createCodeCheck(deps)
  registerChange(app, deps, `POST ${PATH}/confirm`, {
    ...SHOWN_ONCE,
    operationId: 'confirmSecondFactor',
    summary: 'Confirm your second factor with a code of your app; the answer shows ten recovery codes once',
    description: 'After this, signing in requires a code. Your other sessions end.',
    body: WithCode,
    response: answers(200, Success(Codes), 403, 409),
    message: 'The second factor is on',
    view: toCodes,
    around: checkingCode,
    rule: (work, request) => confirmOwn(work, { ...ownSession(deps, request), code: request.body.code }),
  })

  registerCodeRoutes(app, deps)
}

function registerCodeRoutes(app: App, deps: IdentityDeps): void {
  const checkingCode = createCodeCheck(deps)
  registerChange(app, deps, `POST ${PATH}/recovery-codes`, {
    ...SHOWN_ONCE,
    operationId: 'renewRecoveryCodes',
    summary: 'Replace your recovery codes with ten new ones; requires a second factor',
    description: 'Without a code, this session must have shown a second factor in the last ten minutes.',
    body: Body({ code: Type.Optional(Code) }),
    response: answers(200, Success(Codes), 403, 409),
    message: 'New recovery codes',
    view: toCodes,
    around: checkingCode,
    rule: (work, request) => renewOwnCodes(work, { ...ownSession(deps, request), code: request.body.code }),
  })

  registerChange(app, deps, `POST ${PATH}/show`, {
    ...CODE_ONCE,
    operationId: 'showSecondFactor',
    summary: 'Show your second factor with a code, so that this session may change it for ten minutes',
    body: WithCode,
    response: answers(200, Success(Type.Object({}))),
    message: 'Second factor shown',
    view: nothing,
    around: checkingCode,
    rule: (work, request) => showOwnCode(work, { ...ownSession(deps, request), code: request.body.code }),
  })

  registerChange(app, deps, `POST ${PATH}/disable`, {
    ...CODE_ONCE,
    operationId: 'disableSecondFactor',
    summary: 'Turn the codes of your app off with a code; your other sessions end',
    body: WithCode,
    response: answers(200, Success(Type.Object({})), 403),
    message: 'The second factor is off',
    view: nothing,
    around: checkingCode,
    rule: (work, request) => turnOwnOff(work, { ...ownSession(deps, request), code: request.body.code }),
  })
}

/** A wrong code is counted outside of the transaction, so that its rollback does not forget it. */
function createCodeCheck(deps: IdentityDeps) {
  return <T>(change: () => Promise<T>, request: FastifyRequest & { body: { code?: string } }): Promise<T> => {
    const { code } = request.body
    return code === undefined ? change() : withOwnCode(deps, { by: readActor(request), code }, change)
  }
}

export function ownSession({ sessions, log }: IdentityDeps, request: FastifyRequest): OwnSession {
  return { sessions, log, sessionId: request.caller.sessionId }
}

function toCodes(recovery_codes: string[]) {
  return { recovery_codes }
}
