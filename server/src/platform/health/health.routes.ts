import { Type } from 'typebox'
import { answers, ok, Success } from '../http/envelope.ts'
import type { App } from '../http/routes.ts'
import type { Clock } from '../shared/clock.ts'
import { errors } from '../shared/errors.ts'
import type { Readiness } from './readiness.ts'

type HealthDeps = { isReady: Readiness; lifecycle: { draining: boolean }; clock: Clock }

/** Liveness does not ask the database, because an outage would restart every process. */
export function registerHealthRoutes(app: App, { isReady, lifecycle, clock }: HealthDeps): void {
  app.get('/api/health', {
    config: { access: 'public' },
    schema: {
      tags: ['Health'],
      operationId: 'getHealth',
      summary: 'Check that the process responds',
      response: answers(200, Type.Object({ status: Type.Literal('healthy'), timestamp: Type.String() })),
    },
    handler: () => ({ status: 'healthy' as const, timestamp: new Date(clock.now()).toISOString() }),
  })

  app.get('/api/ready', {
    config: { access: 'public' },
    schema: {
      tags: ['Health'],
      operationId: 'getReadiness',
      summary: 'Check that the process can serve: database reachable and writable, schema current, not shutting down',
      response: answers(200, Success(Type.Object({ status: Type.Literal('ready') }))),
    },
    handler: async () => {
      if (lifecycle.draining || !(await isReady())) throw errors.unavailable()
      return ok({ status: 'ready' as const }, 'Ready')
    },
  })
}
