import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { KINDS, listWaiting } from './waiting.ts'

const WaitingView = Type.Object({
  kind: Type.Enum(KINDS),
  count: Type.Integer({ minimum: 0, description: 'The total of the list on which this is decided.' }),
  oldest_at: Nullable(Timestamp),
})

export function registerWaitingRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/waiting', {
    access: 'panel',
    operationId: 'listWaiting',
    summary: 'How much waits for the caller, of each kind of work that they may do, and since when',
    response: answers(200, Success(Type.Array(WaitingView))),
    handler: async (request) => {
      const waiting = await listWaiting(deps, request.caller.role)
      const views = waiting.map(({ kind, count, oldest = null }) => ({ kind, count, oldest_at: oldest }))
      return ok(views, 'What waits')
    },
  })
}
