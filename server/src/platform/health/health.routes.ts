import { Type } from 'typebox'
import type { PlatformDeps } from '../deps.ts'
import { answers, ok, Success } from '../http/envelope.ts'
import { type App, registerRoute } from '../http/routes.ts'
import { errors } from '../shared/errors.ts'

/** Liveness does not ask the database, because an outage would restart every process. */
export function registerHealthRoutes(
  app: App,
  { isReady, lifecycle, clock }: Pick<PlatformDeps, 'isReady' | 'lifecycle' | 'clock'>,
): void {
  registerRoute(app, 'GET /api/health', {
    access: 'public',
    operationId: 'getHealth',
    summary: 'Check that the process responds',
    response: answers(200, Type.Object({ status: Type.Literal('healthy'), timestamp: Type.String() })),
    handler: () => ({ status: 'healthy' as const, timestamp: new Date(clock.now()).toISOString() }),
  })

  registerRoute(app, 'GET /api/ready', {
    access: 'public',
    operationId: 'getReadiness',
    summary: 'Check that the process can serve: database reachable and writable, schema current, not shutting down',
    response: answers(200, Success(Type.Object({ status: Type.Literal('ready') }))),
    handler: async () => {
      if (lifecycle.draining || !(await isReady())) throw errors.unavailable()
      return ok({ status: 'ready' as const }, 'Ready')
    },
  })
}
