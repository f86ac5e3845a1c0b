import { Type } from 'typebox'
import { answers, Body, Nullable, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { nothing } from '../../platform/http/write.ts'
import type { PushDeps } from '../../push/deps.ts'
import { findBrowserKey, registerBrowser } from './browsers.ts'

const PATH = '/api/admin/v1/browser'
const Token = Type.String({ minLength: 1, maxLength: 2_048, description: 'The subscription of the browser, as JSON.' })
const EXAMPLE = '{"endpoint":"https://web.push.apple.com/Qa1","keys":{"p256dh":"BNc…","auth":"tBH…"}}'
const PublicKey = Nullable(
  Type.String({ description: '`applicationServerKey` for `pushManager.subscribe`; null: no browser gets pushes.' }),
)

export function registerBrowserRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, `GET ${PATH}`, {
    access: 'panel',
    operationId: 'getBrowserKey',
    summary: 'With which key a browser of the panel subscribes to what waits',
    response: answers(200, Success(Type.Object({ public_key: PublicKey }))),
    handler: async () => ok({ public_key: findBrowserKey(deps.providers) }, 'Key for browsers'),
  })

  registerChange(app, deps, `POST ${PATH}`, {
    access: 'panel',
    limits: ['account'],
    operationId: 'registerBrowser',
    summary:
      'Tell this browser when an alert was raised or a request waits for approval; it says only that something waits',
    body: Body({ token: Token }, { token: EXAMPLE }),
    response: answers(200, Success(Type.Object({}))),
    message: 'Browser registered',
    view: nothing,
    rule: (work, request) =>
      registerBrowser(work, { providers: deps.providers, principal: request.caller, token: request.body.token }),
  })
}
