import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { changeShare, describeRollOuts } from './roll-outs.ts'
import { RollOuts, ShareSchema, toRollOuts } from './roll-outs.views.ts'

const URL = '/api/admin/roll-outs'

const Change = Body(
  { provider: Type.String({ minLength: 1, maxLength: 200 }), share: { ...ShareSchema, description: 'In percent.' } },
  { provider: 'apns/swapbell/production', share: 0 },
)

/** From Expo to Apple and Google, by share of phones (ADR 26). */
export function registerRollOutsRoutes(app: App, deps: PushDeps): void {
  app.get(URL, {
    config: { access: 'campaigns' },
    schema: {
      operationId: 'listRollOuts',
      summary: 'By which provider phones with two addresses are reached, and what became of pushes by each',
      response: answers(200, Success(RollOuts)),
    },
    handler: async () => ok(toRollOuts(await describeRollOuts(deps)), 'Roll-outs'),
  })

  app.post(URL, {
    config: { access: 'campaigns' },
    schema: {
      operationId: 'changeRollOut',
      summary: 'Change the share of phones with two addresses that one provider reaches',
      body: Change,
      response: answers(200, Success(RollOuts), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'The share is changed', view: toRollOuts }, async (work) => {
        await changeShare(work, deps.providers, request.body)
        return describeRollOuts({ ...deps, db: work.tx })
      }),
  })
}
