import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import { registerChange, registerRoute } from '../../platform/http/register.ts'
import type { App } from '../../platform/http/routes.ts'
import { createPhoneCounts } from './phone-counts.ts'
import { changeShare, describeRollOuts } from './roll-outs.ts'
import { RollOuts, ShareSchema, toRollOuts } from './roll-outs.views.ts'

const URL = '/api/admin/roll-outs'

const Change = Body(
  { provider: Type.String({ minLength: 1, maxLength: 200 }), share: { ...ShareSchema, description: 'In percent.' } },
  { provider: 'apns/swapbell/production', share: 0 },
)

/** The routes roll out from Expo to Apple and Google, by share of phones (ADR 26). */
export function registerRollOutsRoutes(app: App, deps: PushDeps): void {
  const ground = { ...deps, countPhones: createPhoneCounts(deps) }
  registerRoute(app, `GET ${URL}`, {
    access: 'campaigns',
    operationId: 'listRollOuts',
    summary: 'By which provider phones with two addresses are reached, and what became of pushes by each',
    response: answers(200, Success(RollOuts)),
    handler: async () => ok(toRollOuts(await describeRollOuts(ground)), 'Roll-outs'),
  })

  registerChange(app, deps, `POST ${URL}`, {
    access: 'campaigns',
    operationId: 'changeRollOut',
    summary: 'Change the share of phones with two addresses that one provider reaches',
    body: Change,
    response: answers(200, Success(RollOuts), 404),
    message: 'The share is changed',
    view: toRollOuts,
    rule: async (work, { body }) => {
      await changeShare(work, deps.providers, body)
      return describeRollOuts({ ...ground, db: work.tx })
    },
  })
}
