import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import { Line } from '../../platform/http/text.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { haltByHand, resumeByHand } from '../pipeline/halt.ts'
import { listProviderNames } from '../provider/provider-state.queries.ts'
import { listNames, type Providers } from '../provider/registry.ts'
import { pushStatus } from './push-status.ts'
import { Status, toStatus } from './status.views.ts'

function ResumeBody(providers: Providers) {
  return Type.Unsafe<{ provider?: string } | null>({
    type: ['object', 'null'],
    properties: { provider: Type.Enum(listNames(providers)) },
    additionalProperties: false,
  })
}

function HaltBody(providers: Providers) {
  return Body({
    reason: Line({
      maxLength: 500,
      description: 'The reason; all administrators who may see the state of sending can read it.',
    }),
    provider: Type.Optional(Type.Enum(listNames(providers), { description: 'Absent: all.' })),
  })
}

/** Decisions B11, B13 and B14. */
export function registerStatusRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/push-status', {
    access: 'campaigns',
    tags: ['Status'],
    operationId: 'getPushStatus',
    summary: 'The state of sending, with alerts',
    response: answers(200, Success(Status)),
    handler: async () => ok(toStatus(await pushStatus(deps)), 'Push status'),
  })

  registerRoute(app, 'POST /api/admin/push-status/halt', {
    access: 'campaigns',
    ownTransactions: 'The switch is committed before campaigns are locked.',
    operationId: 'haltSending',
    tags: ['Status'],
    summary: 'Halt sending by all providers or by one; every process obeys within a second',
    body: HaltBody(deps.providers),
    response: answers(200, Success(Status)),
    handler: async (request) => {
      const { provider, reason } = request.body
      const providers = provider === undefined ? await listProviderNames(deps.db) : [provider]
      await haltByHand(deps, readActor(request), { providers, reason })
      return ok(toStatus(await pushStatus(deps)), 'Sending is halted')
    },
  })

  registerRoute(app, 'POST /api/admin/push-status/resume', {
    access: 'campaigns',
    ownTransactions: 'Each campaign that goes on is locked by itself.',
    tags: ['Status'],
    operationId: 'resumeSending',
    summary: 'Resume sending by one provider or by all after a halt, and the campaigns that the halt paused',
    body: ResumeBody(deps.providers),
    response: answers(200, Success(Status)),
    handler: async (request) => {
      const provider = request.body?.provider
      const resumed = await resumeByHand(deps, readActor(request), provider === undefined ? undefined : [provider])
      return ok(toStatus(await pushStatus(deps)), `Sending resumed; ${resumed} campaigns go on`)
    },
  })
}
